import type { BucketName } from "@/lib/engine/types/buckets";

export const CHART_KINDS = ["line", "bar", "histogram", "scatter", "map"] as const;
export type ChartKind = (typeof CHART_KINDS)[number];

export const isChartKind = (text: string): text is ChartKind => (CHART_KINDS as readonly string[]).includes(text);

/** Which columns of a result are drawn and how; columns by name. */
export interface ChartSpec {
  kind: ChartKind;
  x: string;
  /**
   * Empty to count rows; with a column, a histogram sums it in each bin. If rows were already counted, the column that
   * contains their number.
   */
  y: string;
  /** The column that separates lines, bar colours or kinds of points; a number or time colours points continuously. */
  series?: string | undefined;
  /** For points: the numeric column that their areas show. */
  size?: string | undefined;
  /** The spans of time that rows are counted or averaged in; chosen automatically if absent. */
  step?: BucketName | undefined;
  /** Whether the y axis of line charts and scatter plots is logarithmic. */
  log?: true | undefined;
  /** For a scatter plot or map whose points were counted in cells: the column with their number. */
  count?: string | undefined;
  /** For a histogram whose rows are bins (`bin-edges.ts`). */
  binned?: true | undefined;
}

/** A column of the result as charts see it. */
export interface ChartColumn {
  name: string;
  type: string;
  /** Its name in words, if they say more: `Average of delay`. */
  title?: string | undefined;
  /** The author's own title of its axis. */
  axisTitle?: string | undefined;
  unit?: string | null | undefined;
  /** The spans that its values are the starts of. */
  span?: BucketName | undefined;
  /** The starts of the spans that have rows for a part of them alone, in milliseconds since 1970. */
  partial?: readonly number[] | undefined;
  /** The width of the ranges that its values are the lower ends of. */
  width?: number | undefined;
}

export type ChartRow = Readonly<Record<string, unknown>>;
