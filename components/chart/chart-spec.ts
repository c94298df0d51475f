import type { BucketName } from "@/lib/engine/types/buckets";

export const CHART_KINDS = ["line", "bar", "histogram", "scatter", "map"] as const;
export type ChartKind = (typeof CHART_KINDS)[number];

export const isChartKind = (text: string): text is ChartKind => (CHART_KINDS as readonly string[]).includes(text);

/** What is drawn of a result; columns by name. */
export interface ChartSpec {
  kind: ChartKind;
  x: string;
  /**
   * Empty to count rows; with a column, a histogram sums it in each bin. What is drawn of rows that were counted names
   * the column of their number.
   */
  y: string;
  /** The column that separates lines, bar colours or kinds of points. */
  series?: string | undefined;
  /** The spans of time that rows are counted or averaged in; chosen to fit where it is absent. */
  step?: BucketName | undefined;
  /** Whether the y axis of lines and points is logarithmic. */
  log?: true | undefined;
  /** Of a scatter plot or map whose points were counted in cells: the column of their number. */
  size?: string | undefined;
  /** Of a histogram whose rows are bins (`bin-edges.ts`). */
  binned?: true | undefined;
}

/** A column of the result as charts see it. */
export interface ChartColumn {
  name: string;
  type: string;
  unit?: string | null | undefined;
  /** What its values are the starts of. */
  span?: BucketName | undefined;
  /** The width of the ranges that its values are the lower ends of. */
  width?: number | undefined;
}

export type ChartRow = Readonly<Record<string, unknown>>;
