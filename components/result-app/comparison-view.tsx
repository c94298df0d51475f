import { Chart } from "@/components/chart/chart";
import type { ChartColumn, ChartRow } from "@/components/chart/chart-spec";
import { RowsTable } from "@/components/embed/rows-table";
import { stringifyExactJson } from "@/lib/formats/exact-json";
import type { ComparisonResult } from "./app-result";
import { ResultFrame, ResultPart } from "./result-frame";

const text = (name: string): ChartColumn => ({ name, type: "string" });
const ROWS: ChartColumn = { name: "rows", type: "int64" };

/** What changed between two versions: rows and columns, with examples. */
export function ComparisonView({ result, open }: { result: ComparisonResult; open(url: string): void }) {
  const { structured, table } = result;
  const { rows, examples } = structured;
  const columns = columnChanges(result);
  const changed = (rows?.changed_columns ?? []) as ChartRow[];
  return (
    <ResultFrame
      title={`${table.dataset}, ${table.name}: two versions`}
      status={structured.status}
      citation={structured.citation}
      link={{ url: table.page, text: "Open the comparison" }}
      open={open}
    >
      {rows && <RowsTable label="Rows by kind of change" columns={[text("change"), ROWS]} rows={countsOf(rows)} />}
      {changed.length > 1 && (
        <ResultPart title="Changed rows by column">
          <Chart spec={{ kind: "bar", x: "name", y: "rows" }} columns={[text("name"), ROWS]} rows={changed} />
        </ResultPart>
      )}
      {columns.length > 0 && (
        <ResultPart title="Columns">
          <RowsTable label="Changed columns" columns={[text("column"), text("change")]} rows={columns} />
        </ResultPart>
      )}
      {examples.changed.length > 0 && (
        <ResultPart title="Examples of changed rows">
          <RowsTable
            label="Changed cells"
            columns={["row", "column", "before", "after"].map(text)}
            rows={examples.changed.flatMap(cellsOf)}
          />
        </ResultPart>
      )}
      <Examples title="Examples of added rows" rows={examples.added} />
      <Examples title="Examples of removed rows" rows={examples.removed} />
    </ResultFrame>
  );
}

function Examples({ title, rows }: { title: string; rows: readonly ChartRow[] }) {
  const [first] = rows;
  return first ? (
    <ResultPart title={title}>
      <RowsTable label={title} columns={Object.keys(first).map(text)} rows={rows} />
    </ResultPart>
  ) : null;
}

const countsOf = (rows: NonNullable<ComparisonResult["structured"]["rows"]>): ChartRow[] =>
  (["added", "removed", "changed", "unchanged"] as const).flatMap((change) =>
    rows[change] === null ? [] : [{ change, rows: rows[change] }],
  );

function columnChanges({ structured: { columns } }: ComparisonResult): ChartRow[] {
  return [
    ...columns.added.map(({ name, type }) => ({ column: name, change: `added (${type})` })),
    ...columns.removed.map(({ name }) => ({ column: name, change: "removed" })),
    ...columns.retyped.map(({ name, from, to }) => ({ column: name, change: `${from} to ${to}` })),
    ...columns.perhaps_renamed.map(({ from, to }) => ({ column: from, change: `perhaps renamed to ${to}` })),
    ...columns.described.map((column) => ({ column, change: "redescribed" })),
  ];
}

/** A line for each cell: its row is named by its key. */
function cellsOf({ key, before, after }: ComparisonResult["structured"]["examples"]["changed"][number]): ChartRow[] {
  const row = Object.values(key).map(written).join(" · ");
  return Object.keys(after).map((column) => ({
    row,
    column,
    before: written(before[column]),
    after: written(after[column]),
  }));
}

const written = (value: unknown): string | null =>
  value === null || typeof value === "string" ? value : stringifyExactJson(value);
