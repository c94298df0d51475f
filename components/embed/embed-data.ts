import type { ChartColumn, ChartRow, ChartSpec } from "@/components/chart/chart-spec";
import type { Land } from "@/components/chart/land";

/** The contents of a frame: rows or a chart of a table, and where they come from. */
export interface EmbedData {
  dataset: { title: string; publisher: string; license: string };
  tableName: string;
  version: { id: string; digest: string; publishedAt: string };
  citation: string;
  /** The same view in the explorer, as a full public URL. */
  explorerUrl: string;
  /** What is shown, as a sentence; empty for the unmodified table. */
  sentence: string;
  /** `First 50 of 741 rows`. */
  extent: string;
  columns: readonly ChartColumn[];
  rows: readonly ChartRow[];
  /** The author's title and note. */
  title?: string | undefined;
  note?: string | undefined;
  /** What a chart leaves out, or how it was aggregated. */
  notes: readonly string[];
  /** The land outlines below a map's points. */
  land?: Land | undefined;
  /** Absent: rows are shown. */
  chart?: ChartSpec | undefined;
}

export const EMBED_THEMES = ["auto", "light", "dark"] as const;
export type EmbedTheme = (typeof EMBED_THEMES)[number];
