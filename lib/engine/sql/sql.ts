import type { OrderKey, Plan, PlannedTop, RowsPlan } from "@/lib/engine/plan/planned";
import { columnAt } from "@/lib/engine/plan/result-columns";
import type { Segment } from "@/lib/engine/plan/segments";
import type { ColumnType } from "@/lib/engine/types/column-type";
import { columnTypeOf, type EngineColumn } from "@/lib/engine/types/column-types";
import { distanceSql } from "@/lib/engine/types/distances";
import { copiedStorage } from "@/lib/engine/types/timestamps";
import { type EncodedColumn, type Encoding, type RowForm, rowJson } from "./encode";
import { quoteLiteral } from "./identifier";
import { bind, castOf, filterSql, whereSql } from "./where-sql";

/** Rows as the objects of one array. */
export const ROWS_AS_JSON: RowForm = { row: rowJson, separator: ",\n" };

/** A statement and the strings bound to $1, $2 …, each of which SQL casts. */
export interface Statement {
  sql: string;
  params: string[];
  /** Set if few rows are sorted: one scan that carries complete rows costs less than reading their rest afterwards. */
  inOneScan?: boolean;
}

/**
 * Where a version is read from: its read copy, attached as `alias`, or its Parquet file. Both have columns c0, c1 …,
 * followed by those that are computed from them.
 */
export type Source = ({ kind: "copy"; alias: string } | { kind: "parquet"; path: string; columns: number }) & {
  computed?: readonly Computed[];
  joined?: readonly Joined[];
};

/** Columns of another source, found by its key; the nth one's flag `m` and n says whether a row has no partner there. */
interface Joined {
  source: Source;
  /** Columns of its key, and of this source. */
  on: readonly (readonly [key: number, own: number])[];
  /** Columns of the other source, and their indexes in this one. */
  columns: readonly (readonly [column: number, index: number])[];
}

/** The flags of a source, in the order of its lookups. */
export const flagsOf = ({ joined = [] }: Source): string[] => joined.map((_, at) => `m${at}`);

/** A column that is computed from those of a source. */
interface Computed {
  index: number;
  sql: string;
}

/** The source with the columns that a plan adds to the table's. `others` are those of its lookups. */
export function plannedSource(
  plan: Pick<Plan, "near" | "lookups">,
  columns: readonly EngineColumn[],
  source: Source,
  others: readonly Source[] = [],
): Source {
  const { near, lookups = [] } = plan;
  let next = columns.length;
  const joined = lookups.flatMap(({ on, columns: found }, at): Joined[] => {
    const other = others[at];
    return other ? [{ source: other, on, columns: found.map(({ column }) => [column, next++] as const) }] : [];
  });
  const computed = near && {
    index: next,
    sql: distanceSql(`c${near.latitude}`, `c${near.longitude}`, [Number(near.of[0]), Number(near.of[1])]),
  };
  return { ...source, ...(joined.length > 0 && { joined }), ...(computed && { computed: [computed] }) };
}

export interface PageRange {
  take: number;
  skip: number;
  /** Maximum size of the rows' JSON and the separators between them, in bytes. */
  bytesMax: number;
  /** Bytes of each row's JSON that are not sent, and therefore not counted. */
  unsentBytes?: number | undefined;
  /** Whether rows are small enough for the sort, which holds 10,000 of them, to carry them completely. */
  mayCarry?: boolean;
}

/**
 * One segment as JSON, cut at `take` rows or `bytesMax`. One additional row is read to find out whether there are more.
 * Returns one row: json, rows taken, rows seen, last position.
 */
export function pageSql(
  plan: RowsPlan,
  columns: readonly EngineColumn[],
  source: Source,
  segment: Segment,
  range: PageRange,
  encoding: Encoding,
): Statement {
  const params: string[] = [];
  const position = positionOf(source);
  const bound = segment.isBounded ? boundSql(segment, source, range) : [];
  const where = [...matchingSql(plan, source, params), ...segmentSql(segment, columns, position, params), ...bound];
  const order = pageOrderSql(segment, source, position);
  const flags = flagsOf(source);
  const read = plan.columns.map((column) => readSql(column, columns, segment.order));
  const inner =
    `SELECT ${[...read, ...flags, `${position} AS p`].join(", ")} FROM ` +
    `${fromSql(source)}${whereSql(where)}${order}${limitSql(range)}`;
  const stored = columnsIn(source, columns);
  const encoded = plan.columns.map((column) => encodedColumn(stored[column], `c${column}`));
  const { row, separator } = encoding.form ?? ROWS_AS_JSON;
  const encodedRows = `SELECT ${[`${row(encoded, encoding)} AS j`, "p", ...flags].join(", ")} FROM (${inner})`;
  const sql = cutSql(encodedRows, range, separator, flags);
  return { sql, params, ...(isFewSorted(source, segment, range) && { inOneScan: true }) };
}

/** A scan keeps the stored order by itself; a join does not. */
function pageOrderSql({ order }: Segment, { joined }: Source, position: string): string {
  if (order.length > 0) return ` ORDER BY ${orderSql(order, "t.c")}, ${position}`;
  return joined ? ` ORDER BY ${position}` : "";
}

/** What decides which rows a plan reads. `top` is of rows in a plan of rows alone. */
export type MatchedPlan = Pick<Plan, "conditions" | "search"> &
  Partial<Pick<RowsPlan, "top">> & { kind?: Plan["kind"] };

/** The conditions of a plan over a source, to be joined by AND: its filters, and what it returns of each combination. */
export function matchingSql(plan: MatchedPlan, source: Source, params: string[]): string[] {
  const filters = filterSql(plan, params);
  if (plan.kind !== "rows" || !plan.top) return filters;
  const position = positionOf(source);
  const among = `SELECT ${position} FROM ${fromSql(source)}${whereSql(filterSql(plan, params))}`;
  const place = placeSql(plan.top, "t.c", [position]);
  return [...filters, `${position} IN (${among} QUALIFY ${place} <= ${plan.top.count})`];
}

/** The place of a row among those of its combination, from 1. */
export function placeSql({ by, order }: PlannedTop, prefix: "t.c" | "o", ties: readonly string[] = []): string {
  const keys = [...(order.length > 0 ? [orderSql(order, prefix)] : []), ...ties];
  return `row_number() OVER (PARTITION BY ${by.map((at) => `${prefix}${at}`).join(", ")} ORDER BY ${keys.join(", ")})`;
}

/** Measured with 100, 1,000 and 10,000 rows of 3,000,000 × 5 and 2,000,000 × 12. */
const FEW_ROWS = 2_000;

function isFewSorted(source: Source, { order, isBounded }: Segment, { skip, take, mayCarry }: PageRange): boolean {
  return mayCarry === true && source.kind === "copy" && order.length > 0 && !isBounded && skip + take <= FEW_ROWS;
}

/** The order keys of the row at a position, as strings that cast back exactly. */
export function keysSql(order: readonly OrderKey[], source: Source, position: bigint): Statement {
  const keys = order.map(({ column }) => `CAST(c${column} AS VARCHAR)`);
  return {
    sql: `SELECT ${keys.join(", ")} FROM ${fromSql(source)} WHERE ${positionOf(source)} = CAST($1 AS BIGINT)`,
    params: [String(position)],
  };
}

/** The version's columns as this source stores them. */
export function columnsIn(source: Source, columns: readonly EngineColumn[]): readonly EngineColumn[] {
  if (source.kind === "parquet") return columns;
  return columns.map((column) => ({ ...column, storage: copiedStorage(column.storage) }));
}

export function fromSql(source: Source): string {
  const { computed = [], joined = [] } = source;
  const found = joined.length === 0 ? storedSql(source) : joinedSql(source, joined);
  if (computed.length === 0) return found;
  const added = computed.map(({ index, sql }) => `${sql} AS c${index}`);
  const own = joined.length === 0 ? [positionOf(source)] : [];
  return `(SELECT *, ${[...own, ...added].join(", ")} FROM ${found}) AS t`;
}

/** The rows of a source with what is found by the keys of others. Keys are unique, so no row is there twice. */
function joinedSql(source: Source, joined: readonly Joined[]): string {
  const added = joined.flatMap(({ columns, on: [[key] = [0]] }, at) => [
    ...columns.map(([column, index]) => `l${at}.c${column} AS c${index}`),
    `l${at}.c${key} IS NULL AS m${at}`,
  ]);
  const joins = joined.map(({ source: other, on, columns }, at) => {
    const read = [...new Set([...on.map(([key]) => key), ...columns.map(([column]) => column)])];
    const equal = on.map(([key, own]) => `l${at}.c${key} = t.c${own}`).join(" AND ");
    const rows = `SELECT ${read.map((column) => `c${column}`).join(", ")} FROM ${storedSql(other)}`;
    return `LEFT JOIN (${rows}) AS l${at} ON ${equal}`;
  });
  const stored = source.kind === "copy" ? `${storedSql(source)} AS t` : storedSql(source);
  return `(SELECT t.*, t.${[positionOf(source), ...added].join(", ")} FROM ${stored} ${joins.join(" ")}) AS t`;
}

function storedSql(source: Source): string {
  if (source.kind === "copy") return `${source.alias}.t`;
  const names = Array.from({ length: source.columns }, (_, index) => `c${index}`);
  return `read_parquet(${quoteLiteral(source.path)}) AS t(${names.join(", ")})`;
}

/** A row's position in the version: the same in the read copy and in the Parquet file. */
export function positionOf(source: Source): string {
  return source.kind === "copy" ? "rowid" : "file_row_number";
}

/**
 * Counts rows and bytes in order and keeps the first ones. A running sum always ends between two rows. For each flag,
 * the number of rows kept that have it is returned too.
 */
export function cutSql(
  rows: string,
  { take, bytesMax, unsentBytes = 0 }: PageRange,
  separator = ROWS_AS_JSON.separator,
  flags: readonly string[] = [],
): string {
  const flagged = flags.map((flag) => `, ${flag}`).join("");
  const counts = flags.map((flag) => `, count(*) FILTER (WHERE keep AND ${flag})`).join("");
  const escaped = separator.replace("\r", "\\r").replace("\n", "\\n");
  const counted =
    `SELECT j, p${flagged}, row_number() OVER () AS n, sum(strlen(j) + ${2 - unsentBytes}) OVER (ROWS BETWEEN ` +
    `UNBOUNDED PRECEDING AND CURRENT ROW) AS upto FROM (${rows})`;
  const limited = `SELECT j, p, n${flagged}, n <= ${take} AND upto <= ${bytesMax + 2} AS keep FROM (${counted})`;
  return (
    `SELECT encode(string_agg(j, E'${escaped}') FILTER (WHERE keep)), count(*) FILTER (WHERE keep), count(*), ` +
    `max_by(p, n) FILTER (WHERE keep)${counts} FROM (${limited})`
  );
}

/**
 * A column for output. A sort rebuilds its keys from a form without the sign of zero, so a float key is also read
 * separately.
 */
function readSql(column: number, columns: readonly EngineColumn[], order: readonly OrderKey[]): string {
  const isFloat = columnTypeOf(columnAt(columns, column)).number?.isFloat === true;
  const isFloatKey = isFloat && order.some((key) => key.column === column);
  return isFloatKey ? `-(-t.c${column}) AS c${column}` : `c${column}`;
}

function segmentSql(segment: Segment, columns: readonly EngineColumn[], position: string, params: string[]): string[] {
  const typeAt = (column: number) => columnTypeOf(columnAt(columns, column));
  const equal = segment.equal.map(({ column, value }) => equalSql(`c${column}`, value, typeAt(column), params));
  const { after, afterPosition } = segment;
  const beyond = after
    ? [`c${after.column} ${after.descending ? "<" : ">"} ${bind(after.value, castOf(typeAt(after.column)), params)}`]
    : [];
  return [
    ...equal,
    ...beyond,
    ...(afterPosition === undefined ? [] : [`${position} > ${bind(String(afterPosition), "BIGINT", params)}`]),
  ];
}

/** Sorting a single column takes a fraction of the time. Its last value leaves few complete rows to sort. */
function boundSql({ order: [first] }: Segment, source: Source, range: PageRange): string[] {
  if (!first) return [];
  const [sign, farthest, direction] = first.descending ? [">=", "min", "DESC"] : ["<=", "max", "ASC"];
  const count = range.skip + range.take + 1;
  const nearest = `SELECT c${first.column} AS b FROM ${fromSql(source)} ORDER BY b ${direction} LIMIT ${count}`;
  return [`c${first.column} ${sign} (SELECT ${farthest}(b) FROM (${nearest}))`];
}

/** A zero is matched by a range, as in conditions.ts: Bloom filters treat 0.0 and -0.0 as different. */
function equalSql(column: string, value: string | null, type: ColumnType, params: string[]): string {
  if (value === null) return `${column} IS NULL`;
  const cast = castOf(type);
  const isFloatZero = type.number?.isFloat === true && Number(value) === 0;
  if (!isFloatZero) return `${column} = ${bind(value, cast, params)}`;
  return `${column} >= ${bind("0", cast, params)} AND ${column} <= ${bind("0", cast, params)}`;
}

export function orderSql(order: readonly OrderKey[], prefix: "t.c" | "o"): string {
  return order
    .map(({ column, descending }) => `${prefix}${column} ${descending ? "DESC" : "ASC"} NULLS LAST`)
    .join(", ");
}

export function limitSql({ take, skip }: PageRange): string {
  return ` LIMIT ${take + 1}${skip > 0 ? ` OFFSET ${skip}` : ""}`;
}

function encodedColumn(column: EngineColumn | undefined, ref: string): EncodedColumn {
  if (!column) throw new Error(`No column ${ref}`);
  return { ...column, ref };
}
