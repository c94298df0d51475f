import { type ChartColumn, type ChartRow, type ChartSpec, isChartKind } from "@/components/chart/chart-spec";
import { suggestChart } from "@/components/chart/suggest-chart";
import { groupAliases, type View } from "@/components/explorer/view/view";
import { viewSearch } from "@/components/explorer/view/view-address";

/** Number of rows that a chart is suggested from: as many as every visitor can read. */
const SAMPLE_ROWS = 100;

/** The chart that a URL specifies, or the one that suits the first rows of its result best. */
export function wantedChart(
  view: View,
  columns: readonly ChartColumn[],
  rows: () => readonly ChartRow[],
): ChartSpec | undefined {
  const { chart } = view;
  if (!chart) return undefined;
  if (isChartKind(chart.kind)) return { ...chart, kind: chart.kind };
  const shape = { groups: groupAliases(view), orders: view.sort.map((key) => key.column) };
  return suggestChart(columns, shape, rows().slice(0, SAMPLE_ROWS));
}

/** Equal charts of equal data have equal keys, whatever their titles. */
export const chartKey = (view: View, spec: ChartSpec): string =>
  `${viewSearch({ ...view, chart: undefined, title: undefined, note: undefined })} ${JSON.stringify(spec)}`;
