import type { ChartColumn, ChartRow, ChartSpec } from "@/components/chart/chart-spec";
import type { Land } from "@/components/chart/land";

/** What a frame shows of a table: rows or a chart, and where they come from. */
export interface EmbedData {
  dataset: { title: string; publisher: string; license: string };
  tableName: string;
  version: { id: string; digest: string; publishedAt: string };
  citation: string;
  /** The same view in the explorer, with the service's public address. */
  explorerUrl: string;
  /** What is shown, in a sentence; empty for the table as it is. */
  sentence: string;
  /** `First 50 of 741 rows`. */
  extent: string;
  columns: readonly ChartColumn[];
  rows: readonly ChartRow[];
  /** The author's own. */
  title?: string | undefined;
  note?: string | undefined;
  /** What a chart leaves out, or how it was aggregated. */
  notes: readonly string[];
  /** Below the places of a map. */
  land?: Land | undefined;
  /** Absent: the rows. */
  chart?: ChartSpec | undefined;
}

export const EMBED_THEMES = ["auto", "light", "dark"] as const;
export type EmbedTheme = (typeof EMBED_THEMES)[number];
