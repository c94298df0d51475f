import { type ChartColumn, type ChartRow, type ChartSpec, isChartKind } from "@/components/chart/chart-spec";
import { suggestChart } from "@/components/chart/suggest-chart";
import { tableChart } from "@/components/chart/table-chart";
import type { Column } from "@/lib/schemas/column";
import { distancesIn, groupNames, isGroupedView, type View, withoutWords } from "@/lib/view/view";
import { viewSearch } from "@/lib/view/view-address";
import type { ChartSubject } from "./chart-question";

/** Number of rows that a chart is suggested from: as many as every visitor can read. */
const SAMPLE_ROWS = 100;

/** The table that is charted, and the first rows of the view's result. */
interface Known {
  table: Pick<ChartSubject, "columns" | "rows">;
  /** The columns of the result. */
  columns: readonly ChartColumn[];
  sample: () => readonly ChartRow[];
}

/** The chart that a URL specifies; else the one that suits best the whole table, or the first rows of its result. */
export function wantedChart(view: View, { table, columns, sample }: Known): ChartSpec | undefined {
  const { chart } = view;
  if (!chart) return undefined;
  if (isChartKind(chart.kind)) return { ...chart, kind: chart.kind };
  if (coversTable(view)) return tableChart(shownColumns(view, table.columns), table.rows);
  const shape = { groups: groupNames(view), orders: view.order_by.map((key) => key.column) };
  const distances = distancesIn(view).map(({ name }) => name);
  const own = columns.filter(({ name }) => !distances.includes(name));
  return suggestChart(own, shape, sample().slice(0, SAMPLE_ROWS));
}

/** Whether rows can be counted, so that a chart is known from the table's profile alone. */
export const coversTable = (view: View): boolean =>
  !isGroupedView(view) && view.limit === undefined && view.top === undefined;

const shownColumns = ({ columns: names }: View, columns: readonly Column[]): Column[] =>
  columns.filter(({ name }) => names === undefined || names.includes(name));

/** Equal charts of equal data have equal keys, whatever their titles. */
export const chartKey = (view: View, spec: ChartSpec): string =>
  `${viewSearch({ ...withoutWords(view), chart: undefined })} ${JSON.stringify(spec)}`;
