import { isLosslessNumber } from "lossless-json";
import { sqlName, sqlText } from "@/lib/describe/snippet-text";
import { LIMIT_DEFAULT } from "@/lib/engine/grammar/bounds";
import { aggregateCall, agreeingSql } from "@/lib/engine/types/aggregates";
import { isNear } from "@/lib/engine/types/bands";
import { BUCKETS, type BucketName, bucketSql, itemsSql } from "@/lib/engine/types/buckets";
import { beforeLower, foldedSql } from "@/lib/engine/types/case-fold";
import type { ColumnType } from "@/lib/engine/types/column-type";
import { columnTypeOf } from "@/lib/engine/types/column-types";
import { DERIVATIONS } from "@/lib/engine/types/derivations";
import { distanceSql } from "@/lib/engine/types/distances";
import { readFilterValue } from "@/lib/engine/types/filter-value";
import { OPERATORS } from "@/lib/engine/types/operators";
import { isOfBands, type SeriesGroup, seriesSql } from "@/lib/engine/types/series";
import { widthSql } from "@/lib/engine/types/widths";
import { valueAsText, valuesOf } from "@/lib/view/filter-values";
import {
  distancesIn,
  groupNames,
  isGroupedView,
  namedGroup,
  nearestOnly,
  resultColumns,
  type View,
  type ViewColumn,
  type ViewFilter,
  type ViewGroup,
  type ViewLookup,
  type ViewNear,
  type ViewSearch,
} from "@/lib/view/view";

/** A column, and the profile over a whole version if it is known. */
export type SqlColumn = ViewColumn & { profile?: { min?: unknown; max?: unknown } | undefined };

/** The view as a DuckDB statement over the table's Parquet file. */
export function viewSql({
  table: { currentUrl },
  view,
  columns,
}: {
  table: { currentUrl: string };
  view: View;
  columns: readonly SqlColumn[];
}): string {
  const search = view.version ? `?${new URLSearchParams({ version_id: view.version })}` : "";
  const own = `read_parquet(${sqlText(currentUrl + search)})`;
  const preface = [
    "INSTALL httpfs; LOAD httpfs;",
    "CREATE SECRET parquetry (",
    `  TYPE http, SCOPE ${sqlText(new URL(currentUrl).origin)},`,
    "  EXTRA_HTTP_HEADERS MAP {'x-api-key': getenv('PARQUETRY_KEY')}",
    ");",
  ];
  return `${[...preface, statementSql(view, columns, relationSql(view, own, currentUrl))].join("\n")};`;
}

/** The view as a DuckDB statement over a table; undefined if it needs other tables, or DuckDB's time zones. */
export function viewSqlOver(view: View, columns: readonly SqlColumn[], table: string): string | undefined {
  const isZoned = view.group_by.some((group) => namedGroup(group).zone !== undefined);
  if (isZoned || (view.lookups ?? []).length > 0) return undefined;
  return statementSql(view, columns, relationSql(view, sqlName(table), ""));
}

function statementSql(view: View, columns: readonly SqlColumn[], from: string): string {
  const where = [
    ...view.filters.map((filter) => filterSql(filter, columns)),
    ...(view.search ? [searchSql(view.search, columns)] : []),
    ...withinSql(view),
  ];
  const having = (view.having ?? []).map((filter) => filterSql(filter, resultColumns(view, columns)));
  const order = orderSql(view);
  return [
    ...derivedSql(view, columns, [
      `SELECT ${selectSql(view, columns)}`,
      ...fromSql(view, from, where),
      ...(view.group_by.length > 0 ? [`GROUP BY ${view.group_by.map(groupRef).join(", ")}`] : []),
    ]),
    ...(having.length > 0 ? [`${view.derive ? "WHERE" : "HAVING"} ${having.join("\n  AND ")}`] : []),
    ...topSql(view, order),
    ...(order ? [`ORDER BY ${order}`] : []),
    ...(isGroupedView(view) && view.group_by.length === 0 ? [] : [limitSql(view)]),
  ].join("\n");
}

/** The rows, or groups, that come first among those with the same values. */
function topSql({ top }: View, order: string): string[] {
  if (!top) return [];
  const among = `PARTITION BY ${top.by.map(sqlName).join(", ")} ORDER BY ${order}`;
  return [`QUALIFY row_number() OVER (${among}) <= ${valueAsText(top.count)}`];
}

/** The groups with what is derived from their results, each entry by a query around those before it. */
function derivedSql(view: View, columns: readonly SqlColumn[], grouped: readonly string[]): readonly string[] {
  const { derive = [] } = view;
  if (derive.length === 0) return grouped;
  const results = resultColumns(view, columns);
  const groups = seriesGroups(view, columns);
  const names = groupNames(view);
  const groupOf = (name: string) => groups[names.indexOf(name)];
  const around = derive.map(({ function: name, of, over, size, by, direction, as }) => {
    const series = over === undefined ? undefined : groupOf(over);
    const type = columnTypeOf(results.find((column) => column.name === of) ?? { type: "int64" });
    const sql = DERIVATIONS[name].sql(sqlName(of), type, {
      series: series && seriesSql(series, groups),
      size: size && Number(valueAsText(size)),
      by: by?.map((group) => groupOf(group)?.key ?? "NULL"),
      isAscending: direction === "asc",
    });
    return `SELECT *, ${sql} AS ${sqlName(as)}\nFROM (`;
  });
  return [...around.reverse(), ...grouped, ...around.map(() => ")")];
}

/** The groups as columns of the statement. A band of floats is known by its edge. */
function seriesGroups(view: View, columns: readonly SqlColumn[]): SeriesGroup[] {
  const results = resultColumns(view, columns);
  return view.group_by.map(namedGroup).map(({ column: from, bucket, width: size, as }, at) => {
    const width = size && valueAsText(size);
    const column = columnTypeOf(columns.find(({ name }) => name === from) ?? { type: "string" });
    const value = sqlName(as);
    const key = isOfBands({ column, width }) ? `round(CAST(${value} AS DOUBLE) / ${width})` : value;
    return { value, key, column, result: columnTypeOf(results[at] ?? { type: "string" }), bucket, width };
  });
}

/** The rows of a file. If they are grouped by the items of a list, each is there once for each distinct item. */
function fromSql({ group_by }: View, file: string, where: readonly string[]): string[] {
  const matching = [`FROM ${file}`, ...(where.length > 0 ? [`WHERE ${where.join("\n  AND ")}`] : [])];
  const list = group_by.map(namedGroup).find(({ bucket }) => bucket !== undefined && BUCKETS[bucket].isOfItems);
  if (!list) return matching;
  return [`FROM (SELECT *, unnest(${itemsSql(sqlName(list.column))}) AS ${sqlName(ITEM)}`, ...matching, ")"];
}

/** The column of a list's items in a statement. */
const ITEM = "item of the list";

const limitSql = ({ limit = LIMIT_DEFAULT, firstRow = 1 }: View): string =>
  `LIMIT ${limit}${firstRow > 1 ? ` OFFSET ${firstRow - 1}` : ""}`;

function selectSql(view: View, columns: readonly SqlColumn[]): string {
  if (!isGroupedView(view)) return view.columns ? view.columns.map(sqlName).join(", ") : "*";
  const typeOf = (name: string | undefined) =>
    columnTypeOf({ type: columns.find((entry) => entry.name === name)?.type ?? "int64" });
  const names = groupNames(view);
  const groups = view.group_by.map((group) => groupValueSql(group, columns));
  const results = view.aggregates.map(({ function: name, column, as, filters, at, with: other, of }) => {
    const use = {
      at: at && valueAsText(at),
      where: filters?.map((filter) => filterSql(filter, columns)).join(" AND "),
      with: other === undefined ? undefined : { column: sqlName(other), type: typeOf(other) },
      of: of && agreeingSql(of.map((group) => groups[names.indexOf(group)] ?? "NULL")),
    };
    return `${aggregateCall(name, sqlName(column ?? ""), typeOf(column), use)} AS ${as}`;
  });
  return [...view.group_by.map((group, at) => namedSql(group, groups[at] ?? "")), ...results].join(", ");
}

/** A group in GROUP BY: spans by position, because their alias may also be a column's name. */
const groupRef = (group: ViewGroup, at: number): string =>
  typeof group === "string" ? sqlName(group) : String(at + 1);

/** A group in the column list, with an alias unless it is a column's own values. */
const namedSql = (group: ViewGroup, value: string): string =>
  typeof group === "string" ? value : `${value} AS ${sqlName(namedGroup(group).as)}`;

function groupValueSql(group: ViewGroup, columns: readonly SqlColumn[]): string {
  const { column, bucket, width: size, zone } = namedGroup(group);
  const ref = sqlName(bucket !== undefined && BUCKETS[bucket].isOfItems ? ITEM : column);
  const { type: name = "string", profile } = columns.find((entry) => entry.name === column) ?? {};
  const type = columnTypeOf({ type: name });
  if (bucket !== undefined && zone !== undefined) return zonedSql(bucket, ref, type, zone);
  if (bucket !== undefined) return bucketSql(bucket, ref, type, "TIMESTAMP").value;
  if (size === undefined) return ref;
  const width = valueAsText(size);
  const most = Math.max(...[profile?.min, profile?.max].map((end) => Math.abs(Number(valueAsText(end)))));
  return widthSql(ref, width, type, isNear(width, most)).value;
}

/** A bucket of local time, by DuckDB's own time zones. Hours are named by the instant at which they begin. */
function zonedSql(bucket: BucketName, ref: string, type: ColumnType, zone: string): string {
  const local = `timezone(${sqlText(zone)}, ${ref})`;
  if (BUCKETS[bucket].microseconds === undefined) return bucketSql(bucket, local, type, "TIMESTAMP").value;
  return `${ref} - (${local} - date_trunc(${sqlText(bucket)}, ${local}))`;
}

function filterSql(filter: ViewFilter, columns: readonly ViewColumn[]): string {
  const type = columns.find((column) => column.name === filter.column)?.type ?? "string";
  const values = valuesOf(filter);
  const { sql } = OPERATORS[filter.operator];
  const ref = sqlName(filter.column);
  if (!filter.ignore_case)
    return sql(
      ref,
      values.map((item) => literal(item, type)),
    );
  const texts = values.map(String);
  return sql(foldedSql(ref, texts), texts.map(foldedLiteral));
}

const foldedLiteral = (text: string): string => `lower(${sqlText(beforeLower(text))})`;

/** The table, with a column of distances if the view's rows have one, and those of other tables at their URLs. */
function relationSql({ near, lookups = [], ...view }: View, own: string, url: string): string {
  const file = lookups.length > 0 ? joinedSql(own, lookups, url) : own;
  const [distance] = distancesIn({ ...view, near });
  return near && distance ? `(SELECT *, ${nearSql(near)} AS ${sqlName(distance.name)} FROM ${file})` : file;
}

/** The rows of a file with columns of others, found by their primary keys. */
function joinedSql(own: string, lookups: readonly ViewLookup[], url: string): string {
  const added = lookups.flatMap(({ as, columns }) =>
    columns.map((name) => `${sqlName(as)}.${sqlName(name)} AS ${sqlName(`${as}.${name}`)}`),
  );
  const joins = lookups.map(({ as, on, ...other }) => {
    const equal = Object.entries(on).map(([key, name]) => `${sqlName(as)}.${sqlName(key)} = own.${sqlName(name)}`);
    return `LEFT JOIN read_parquet(${sqlText(urlOf(other, url))}) AS ${sqlName(as)} ON ${equal.join(" AND ")}`;
  });
  return `(SELECT own.*, ${added.join(", ")} FROM ${own} AS own ${joins.join(" ")})`;
}

/** The URL of another table's file, beside that of the table's own. */
function urlOf({ table_id, version_id, as_of }: Omit<ViewLookup, "as" | "on">, url: string): string {
  const other = new URL(url);
  other.pathname = other.pathname.replace(/\/tables\/[^/]+\//, `/tables/${encodeURIComponent(table_id)}/`);
  other.search = "";
  if (version_id !== undefined) other.searchParams.set("version_id", version_id);
  if (as_of !== undefined) other.searchParams.set("as_of", as_of);
  return other.href;
}

/** The condition that no row is too far away. Groups have no column of distances. */
function withinSql(view: View): string[] {
  const near = nearestOnly(view);
  const [distance] = distancesIn(view);
  return near ? [`${distance ? sqlName(distance.name) : nearSql(near)} <= ${valueAsText(near.km)}`] : [];
}

function nearSql({ latitude, longitude, of }: ViewNear): string {
  const [north = "", east = ""] = of.map(valueAsText);
  return distanceSql(sqlName(latitude), sqlName(longitude), [Number(north), Number(east)]);
}

function searchSql({ text, columns: named }: ViewSearch, columns: readonly ViewColumn[]): string {
  const searched = columns.filter(
    (column) => columnTypeOf(column).family === "text" && (named?.includes(column.name) ?? true),
  );
  const tests = searched.map(({ name }) => `contains(${foldedSql(sqlName(name), [text])}, ${foldedLiteral(text)})`);
  return `(${tests.join(" OR ")})`;
}

function literal(value: unknown, type: string): string {
  if (isLosslessNumber(value)) return value.value;
  if (typeof value === "boolean") return String(value);
  const row = columnTypeOf({ type });
  const read = readFilterValue(row, value);
  const quoted = sqlText(String(value));
  return row.view.literal?.(quoted, "text" in read ? read.text : quoted) ?? quoted;
}

/** Nulls last in both directions; groups without a sort key follow in their own order. */
function orderSql({ order_by, group_by }: View): string {
  const named = new Set(order_by.map((key) => key.column));
  const others = groupNames({ group_by }).filter((name) => !named.has(name));
  return [...order_by, ...others.map((column) => ({ column, direction: "asc" }))]
    .map(({ column, direction }) => `${sqlName(column)} ${direction.toUpperCase()} NULLS LAST`)
    .join(", ");
}
