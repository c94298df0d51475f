import { isLosslessNumber } from "lossless-json";
import { sqlName, sqlText } from "@/lib/describe/snippet-text";
import { LIMIT_DEFAULT } from "@/lib/engine/grammar/bounds";
import { AGGREGATES } from "@/lib/engine/types/aggregates";
import { columnTypeOf } from "@/lib/engine/types/column-types";
import { readFilterValue } from "@/lib/engine/types/filter-value";
import { OPERATORS } from "@/lib/engine/types/operators";
import { filterValue } from "./filter-values";
import { isGroupedView, type View, type ViewColumn, type ViewFilter } from "./view";

/** The view as a statement of DuckDB over the table's Parquet file. */
export function viewSql({
  table,
  view,
  columns,
}: {
  table: { currentUrl: string };
  view: View;
  columns: readonly ViewColumn[];
}): string {
  const url = view.version ? `${table.currentUrl}?version_id=${view.version}` : table.currentUrl;
  const where = view.filters.map((filter) => filterSql(filter, columns));
  const order = orderSql(view);
  return `${[
    "INSTALL httpfs; LOAD httpfs;",
    "CREATE SECRET parquetry (",
    `  TYPE http, SCOPE ${sqlText(new URL(table.currentUrl).origin)},`,
    "  EXTRA_HTTP_HEADERS MAP {'x-api-key': getenv('PARQUETRY_KEY')}",
    ");",
    `SELECT ${selectSql(view, columns)}`,
    `FROM read_parquet(${sqlText(url)})`,
    ...(where.length > 0 ? [`WHERE ${where.join("\n  AND ")}`] : []),
    ...(view.group.length > 0 ? [`GROUP BY ${view.group.map(sqlName).join(", ")}`] : []),
    ...(order ? [`ORDER BY ${order}`] : []),
    ...(isGroupedView(view) && view.group.length === 0 ? [] : [`LIMIT ${view.limit ?? LIMIT_DEFAULT}`]),
  ].join("\n")};`;
}

function selectSql(view: View, columns: readonly ViewColumn[]): string {
  if (!isGroupedView(view)) return view.columns ? view.columns.map(sqlName).join(", ") : "*";
  const results = view.aggregates.map(({ function: name, column, alias }) => {
    const type = columns.find((entry) => entry.name === column)?.type ?? "int64";
    return `${AGGREGATES[name].sql(sqlName(column ?? ""), columnTypeOf({ type }))} AS ${alias}`;
  });
  return [...view.group.map(sqlName), ...results].join(", ");
}

function filterSql(filter: ViewFilter, columns: readonly ViewColumn[]): string {
  const type = columns.find((column) => column.name === filter.column)?.type ?? "string";
  const value = filterValue(filter, type);
  const values = value === undefined ? [] : Array.isArray(value) ? value : [value];
  return OPERATORS[filter.operator].sql(
    sqlName(filter.column),
    values.map((item) => literal(item, type)),
  );
}

function literal(value: unknown, type: string): string {
  if (isLosslessNumber(value)) return value.value;
  if (typeof value === "boolean") return String(value);
  const row = columnTypeOf({ type });
  const read = readFilterValue(row, value);
  const quoted = sqlText(String(value));
  return row.view.literal?.(quoted, "text" in read ? read.text : quoted) ?? quoted;
}

/** Nulls last in both directions; groups that no key names follow in their own order. */
function orderSql({ sort, group }: View): string {
  const named = new Set(sort.map((key) => key.column));
  const keys = [
    ...sort,
    ...group.filter((column) => !named.has(column)).map((column) => ({ column, descending: false })),
  ];
  return keys
    .map(({ column, descending }) => `${sqlName(column)} ${descending ? "DESC" : "ASC"} NULLS LAST`)
    .join(", ");
}
