import type { ChartColumn, ChartRow, ChartSpec } from "@/components/chart/chart-spec";
import type { Column } from "@/lib/schemas/column";
import { nearestOnly, type View, type ViewColumn, type ViewGroup } from "@/lib/view/view";

/** The most rows or groups that a chart is drawn from; more rows than this are aggregated. */
export const MARKS_MAX = 3000;

/** What a chart is drawn from: a view of a version with this many rows. */
export interface ChartSubject {
  view: View;
  columns: readonly Column[];
  rows: number;
}

/** A query that a chart asks. */
export interface ChartQuestion {
  view: View;
  limit?: number | undefined;
  /** Whether all groups are counted. */
  total?: true;
}

export interface ChartReply {
  columns: readonly ViewColumn[];
  rows: readonly ChartRow[];
  total?: number | undefined;
  truncated: boolean;
}

/** The rows behind a mark: those of its groups, those with its own values, or those of its bin. */
export type MarkRows =
  | { by: "groups"; groups: readonly ViewGroup[] }
  | { by: "values"; columns: readonly string[] }
  | { by: "bins"; column: string };

/** A chart's data, computed over the entire result of its view. */
export interface ChartData {
  spec: ChartSpec;
  columns: readonly ChartColumn[];
  rows: readonly ChartRow[];
  /** How much is drawn, and how it was aggregated: `All 3,000,000 rows, counted per month`. */
  extent: string;
  notes: readonly string[];
  marks: MarkRows;
}

/** Asks one query after another until the chart is complete. */
export type ChartPlan<T> = Generator<ChartQuestion, T, ChartReply>;

/** Runs a plan; `ask` answers its queries. */
export async function runPlan<T>(plan: ChartPlan<T>, ask: (question: ChartQuestion) => Promise<ChartReply>) {
  let step = plan.next();
  while (!step.done) step = plan.next(await ask(step.value));
  return step.value;
}

/** Only a view's selection of rows, without its columns, groups and order. */
export const rowsOf = ({ filters, search, near, lookups, version }: View): View => ({
  filters,
  search,
  lookups,
  near: nearestOnly({ near }),
  version,
  order_by: [],
  group_by: [],
  aggregates: [],
});

export const columnNamed = (columns: readonly Column[], name: string | undefined): Column | undefined =>
  columns.find((column) => column.name === name);
