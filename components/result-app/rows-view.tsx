import { Chart } from "@/components/chart/chart";
import type { ChartColumn, ChartRow, ChartSpec } from "@/components/chart/chart-spec";
import { drawnParts } from "@/components/chart/drawn-part";
import { suggestChart } from "@/components/chart/suggest-chart";
import { RowsTable } from "@/components/embed/rows-table";
import { viewSentence } from "@/components/explorer/view/english";
import { groupNames, isGroupedView, namedGroup, type View } from "@/lib/view/view";
import type { RowsResult } from "./app-result";
import { type Query, queryView, viewLink } from "./query-view";
import { ResultFrame } from "./result-frame";

/** Ungrouped rows say more as a line over time or a map than as a table. Other charts of them say less. */
const OF_ROWS: ReadonlySet<string> = new Set(["line", "map"]);

/** The result of a query: a chart if one says more, with all of its values in a table. */
export function RowsView({ result, open }: { result: RowsResult; open(url: string): void }) {
  const { structured, table, query, versionId } = result;
  const view = queryView(query as Query, versionId);
  const columns = resultColumns(result, view);
  const rows = structured.rows.map((values) => Object.fromEntries(columns.map(({ name }, at) => [name, values[at]])));
  const chart = chartOf(view, columns, rows, structured.status);
  const isAllDrawn = chart && columns.every(({ name }) => [chart.x, chart.y, chart.series].includes(name));
  const grid = <RowsTable label={`Rows of ${table.name}`} columns={columns} rows={rows} />;
  return (
    <ResultFrame
      title={`${table.dataset}, ${table.name}`}
      status={structured.status}
      sentence={sentenceOf(result, view)}
      citation={structured.citation}
      link={{ url: viewLink(table.page, { ...view, chart }), text: "Open this query in the explorer" }}
      open={open}
    >
      {chart && (
        <Chart
          spec={chart}
          columns={columns}
          rows={rows}
          notes={drawnParts(chart, columns, rows).map((part) => `Shown: ${part}.`)}
          isBroad
        />
      )}
      {!chart && grid}
      {chart && !isAllDrawn && (
        <details className="chart-table">
          <summary>All columns</summary>
          {grid}
        </details>
      )}
      {rows.length === 0 && structured.advice && <p className="embed-note">{structured.advice}</p>}
    </ResultFrame>
  );
}

/** The query as a sentence, with the maximum number of groups only if there are more. */
function sentenceOf({ structured: { status }, columns, table }: RowsResult, view: View): string {
  const isWhole = isGroupedView(view) && status.startsWith("COMPLETE");
  return viewSentence(view, columns, table.name, isWhole ? "" : undefined);
}

/** The columns with units, and the spans that groups are the starts of. */
function resultColumns({ structured, columns }: RowsResult, { group_by }: View): ChartColumn[] {
  return structured.columns.map(({ name, type }) => {
    const { bucket, width } = group_by.map(namedGroup).find(({ as }) => as === name) ?? {};
    const unit = bucket === undefined ? columns.find((column) => column.name === name)?.unit : undefined;
    return { name, type, unit, span: bucket, width: width && Number(width) };
  });
}

/** Partial results have no chart, because it would be mistaken for the complete one. */
function chartOf(
  view: View,
  columns: readonly ChartColumn[],
  rows: readonly ChartRow[],
  status: string,
): ChartSpec | undefined {
  if (status.startsWith("PARTIAL")) return undefined;
  const shape = { groups: groupNames(view), orders: view.order_by.map(({ column }) => column) };
  const chart = suggestChart(columns, shape, rows);
  return chart && (isGroupedView(view) || OF_ROWS.has(chart.kind)) ? chart : undefined;
}
