export const CHART_KINDS = ["line", "bar", "histogram", "scatter"] as const;
export type ChartKind = (typeof CHART_KINDS)[number];

export const isChartKind = (text: string): text is ChartKind => (CHART_KINDS as readonly string[]).includes(text);

/** What is drawn of a result; columns by name. */
export interface ChartSpec {
  kind: ChartKind;
  x: string;
  /** Empty for a histogram that counts rows; with a column, a histogram sums it in each bin. */
  y: string;
  /** The column that separates lines, bar colours or kinds of points. */
  series?: string | undefined;
}

/** A column of the result as charts see it. */
export interface ChartColumn {
  name: string;
  type: string;
  unit?: string | null | undefined;
}

export type ChartRow = Readonly<Record<string, unknown>>;
