import type { ColumnType, Family } from "./column-type";
import { decimalType } from "./decimals";
import { FLOAT64 } from "./floats";
import { INT64 } from "./integers";

/** What an aggregate takes in addition to its column, as SQL. */
export interface AggregateUse {
  /** The condition that counted rows must meet. */
  where?: string | undefined;
  /** The quantile, a number from 0 to 1. */
  at?: string | undefined;
  /** The column of the second value of each pair, and whether every row is known to have both. */
  with?: { column: string; type: ColumnType; isComplete?: boolean | undefined } | undefined;
  /** SQL of the number of rows that a group's rows are a share of. */
  of?: string | undefined;
}

export interface Aggregate {
  /** `count` and `share` take no column. */
  arity: 0 | 1;
  families: readonly Family[];
  /** SQL whose value has the result type; `type` is the column's, absent for `count`. */
  sql: (column: string, type: ColumnType, use?: AggregateUse) => string;
  /** What it requires in addition to its alias and column: one of these. */
  needs?: readonly AggregateNeed[];
  result: (type: ColumnType) => ColumnType;
  english: string;
  /** Bytes per row that it holds outside DuckDB's memory limit until it is computed; absent if none. */
  reservedBytes?: number;
}

export type AggregateNeed = "filters" | "at" | "with" | "of";

export type AggregateName =
  | "count"
  | "count_distinct"
  | "sum"
  | "avg"
  | "min"
  | "max"
  | "median"
  | "quantile"
  | "stddev"
  | "variance"
  | "share"
  | "corr"
  | "slope";

const NUMERIC: readonly Family[] = ["numeric"];
const ORDERED: readonly Family[] = ["numeric", "text", "boolean", "date", "timestamp", "uuid", "time"];

const int64 = () => INT64;
const float64 = () => FLOAT64;
const own = (type: ColumnType) => type;

/** THE aggregate functions. The grammar, the SQL, the schema's `functions` and the docs are derived from it. */
export const AGGREGATES: Readonly<Record<AggregateName, Aggregate>> = {
  count: { arity: 0, families: [], result: int64, english: "number of rows", sql: (_c, _type, use) => countSql(use) },
  count_distinct: {
    arity: 1,
    families: ORDERED,
    result: int64,
    english: "number of distinct values",
    sql: (c) => `count(DISTINCT ${c})`,
  },
  sum: { arity: 1, families: NUMERIC, result: sumType, english: "sum", sql: sumSql },
  avg: {
    arity: 1,
    families: NUMERIC,
    result: float64,
    english: "average",
    sql: (c, type) => `avg(${asDouble(c, type)})`,
  },
  min: { arity: 1, families: ORDERED, result: own, english: "smallest value", sql: (c) => `min(${c})` },
  max: { arity: 1, families: ORDERED, result: own, english: "largest value", sql: (c) => `max(${c})` },
  median: {
    arity: 1,
    families: NUMERIC,
    result: float64,
    english: "median",
    sql: (c, type) => `median(${asDouble(c, type)})`,
    reservedBytes: 32, // 14 without groups, 22 in thousands of groups, 32 if each row is a group
  },
  quantile: {
    arity: 1,
    families: NUMERIC,
    result: float64,
    english: "quantile",
    needs: ["at"],
    sql: (c, type, use) => `quantile_cont(${asDouble(c, type)}, ${use?.at ?? "0.5"})`,
    reservedBytes: 32, // the same as a median
  },
  stddev: {
    arity: 1,
    families: NUMERIC,
    result: float64,
    english: "sample standard deviation",
    sql: (c, type) => spread("stddev_samp", c, type),
  },
  variance: {
    arity: 1,
    families: NUMERIC,
    result: float64,
    english: "sample variance",
    sql: (c, type) => spread("var_samp", c, type),
  },
  share: {
    arity: 0,
    families: [],
    result: float64,
    english: "share of the rows",
    needs: ["filters", "of"],
    sql: (_c, _type, use) =>
      use?.of
        ? `CASE WHEN count(*) > 0 THEN CAST(count(*) AS DOUBLE) / ${use.of} END`
        : `CASE WHEN count(*) > 0 THEN CAST(${countSql(use)} AS DOUBLE) / count(*) END`,
  },
  corr: {
    arity: 1,
    families: NUMERIC,
    result: float64,
    english: "correlation",
    needs: ["with"],
    sql: (c, type, use) => pairsSql(c, type, use, { constant: "either", of: (y, x) => `corr(${y}, ${x})` }),
  },
  slope: {
    arity: 1,
    families: NUMERIC,
    result: float64,
    english: "slope",
    needs: ["with"],
    sql: (c, type, use) => pairsSql(c, type, use, { constant: "with", of: (y, x) => `regr_slope(${y}, ${x})` }),
  },
};

/** SQL of the rows of all groups that agree in some keys, from that of the rows of one group. */
export const agreeingSql = (keys: readonly string[], rows = "count(*)"): string =>
  `sum(${rows}) OVER (${keys.length > 0 ? `PARTITION BY ${keys.join(", ")}` : ""})`;

interface PairFunction {
  /** Which constant leaves the result undefined. */
  constant: "either" | "with";
  of: (y: string, x: string) => string;
}

/**
 * A function of the rows that have both values. Null below two of them and where it is undefined, NaN over NaN and
 * infinities. DuckDB returns NaN for all of these, and ignores rows without both; a result beyond float64 is a
 * conversion error. Values of other rows are null, which costs less than FILTER on each aggregate.
 */
function pairsSql(column: string, type: ColumnType, use: AggregateUse = {}, { constant, of }: PairFunction): string {
  if (!use.with) throw new Error("A function of pairs needs two columns");
  const columns = [{ column, type }, use.with];
  const present = use.with.isComplete ? [] : columns.map((each) => `${each.column} IS NOT NULL`);
  const finite = columns.flatMap((each) =>
    each.type.number?.isFloat ? [`isfinite(${asDouble(each.column, each.type)})`] : [],
  );
  const among = (value: string, conditions: readonly string[]) =>
    conditions.length === 0 ? value : `CASE WHEN ${conditions.join(" AND ")} THEN ${value} END`;
  const [y = "", x = ""] = columns.map((each) => among(asDouble(each.column, each.type), finite));
  const counted = present.length === 0 ? "count(*)" : `count(${among(use.with.column, present)})`;
  const countedFinite = `count(${among(use.with.column, [...present, ...finite])})`;
  // the cast keeps the order, so it can follow: values beyond 2^53 may be equal as doubles
  const isConstant = (each: { column: string; type: ColumnType }) => {
    const value = among(each.column, present);
    return `${asDouble(`min(${value})`, each.type)} = ${asDouble(`max(${value})`, each.type)}`;
  };
  const constants = constant === "either" ? columns : [use.with];
  const result = of(y, x);
  return [
    `CASE WHEN ${counted} < 2 THEN NULL`,
    ...(finite.length > 0 ? [`WHEN ${counted} > ${countedFinite} THEN CAST('NaN' AS DOUBLE)`] : []),
    `WHEN ${constants.map(isConstant).join(" OR ")} THEN NULL`,
    `WHEN NOT isfinite(${result}) THEN CAST('beyond float64' AS DOUBLE) ELSE ${result} END`,
  ].join(" ");
}

export function isAggregateName(name: string): name is AggregateName {
  return Object.hasOwn(AGGREGATES, name);
}

/** SQL of an aggregate over a column. For rows that do not meet `where` it sees null, which no aggregate counts. */
export function aggregateCall(name: AggregateName, column: string, type: ColumnType, use: AggregateUse): string {
  const { arity, sql } = AGGREGATES[name];
  const isFiltered = use.where !== undefined && arity === 1;
  return sql(isFiltered ? `CASE WHEN ${use.where} THEN ${column} END` : column, type, use);
}

const countSql = (use: AggregateUse = {}): string =>
  use.where === undefined ? "count(*)" : `count(*) FILTER (WHERE ${use.where})`;

/** The type of sums: exact, except for binary floats. */
export function sumType({ number }: ColumnType): ColumnType {
  return !number || number.isFloat ? FLOAT64 : decimalType(38, number.scale);
}

function sumSql(column: string, type: ColumnType): string {
  const to = sumType(type);
  return to === FLOAT64 ? `sum(${asDouble(column, type)})` : `CAST(sum(${column}) AS ${to.duckdb})`;
}

/** SQL of a number as float64. */
export function asDouble(column: string, { number }: ColumnType): string {
  return number?.isFloat && number.bits === 64 ? column : `CAST(${column} AS DOUBLE)`;
}

/** DuckDB raises an error for a spread over NaN or infinity; mathematically it is NaN. */
function spread(name: string, column: string, type: ColumnType): string {
  const value = asDouble(column, type);
  if (!type.number?.isFloat) return `${name}(${value})`;
  return (
    `CASE WHEN bool_or(NOT isfinite(${value})) AND count(${value}) > 1 THEN CAST('NaN' AS DOUBLE) ELSE ` +
    `${name}(${value}) FILTER (WHERE isfinite(${value})) END`
  );
}
