import { Chart } from "@/components/chart/chart";
import { type ChartSpec, isChartKind } from "@/components/chart/chart-spec";
import { suggestChart } from "@/components/chart/suggest-chart";
import type { AnswerState } from "@/components/explorer/answer/answer-state";
import { type Extent, extentTitle } from "@/components/explorer/answer/extent-text";
import { readRow } from "@/components/explorer/answer/reply-text";
import { groupAliases, isGroupedView, type View } from "@/components/explorer/view/view";
import type { Column } from "@/lib/schemas/column";

interface Props {
  view: View;
  columns: readonly Column[];
  first: AnswerState;
  /** Of the version that is explored. */
  tableRows: number;
}

/** The chart of a view for browsers without script, drawn from the first answer; nothing if there is none. */
export function StillChart({ view, columns, first: { answered }, tableRows }: Props) {
  if (!view.chart || !answered) return null;
  const rows = answered.rows.map(readRow);
  const shown = answered.columns.map((column) => ({
    ...column,
    unit: columns.find(({ name }) => name === column.name)?.unit,
  }));
  const shape = { groups: groupAliases(view), orders: view.sort.map((key) => key.column) };
  const spec = isChartKind(view.chart.kind) ? (view.chart as ChartSpec) : suggestChart(shown, shape, rows);
  if (!spec) return null;
  const isGrouped = isGroupedView(view);
  const extent: Extent = {
    shown: rows.length,
    total: isGrouped || view.filters.length > 0 ? undefined : tableRows,
    isPartial: answered.next !== null || answered.facts.truncated,
    noun: isGrouped ? "group" : "row",
  };
  return (
    <>
      <p className="chart-heading">{extentTitle(extent)}</p>
      <Chart spec={spec} columns={shown} rows={rows} />
    </>
  );
}
