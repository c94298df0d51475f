import type { ColumnType, Family } from "./column-type";
import { decimalType } from "./decimals";
import { FLOAT64 } from "./floats";
import { INT64 } from "./integers";

export interface Aggregate {
  /** `count` alone takes no column. */
  arity: 0 | 1;
  families: readonly Family[];
  /** SQL whose value has the result type; `type` is the column's, absent for `count`. */
  sql: (column: string, type: ColumnType) => string;
  result: (type: ColumnType) => ColumnType;
  english: string;
  /** Bytes that it holds for each row, outside of DuckDB's memory limit, until it is computed; absent for none. */
  heldBytes?: number;
}

export type AggregateName =
  | "count"
  | "count_distinct"
  | "sum"
  | "avg"
  | "min"
  | "max"
  | "median"
  | "stddev"
  | "variance";

const NUMERIC: readonly Family[] = ["numeric"];
const ORDERED: readonly Family[] = ["numeric", "text", "boolean", "date", "timestamp", "uuid", "time"];

const int64 = () => INT64;
const float64 = () => FLOAT64;
const own = (type: ColumnType) => type;

/** THE aggregate functions. The grammar, the SQL, the schema's `functions` and the docs are made from it. */
export const AGGREGATES: Readonly<Record<AggregateName, Aggregate>> = {
  count: { arity: 0, families: [], result: int64, english: "number of rows", sql: () => "count(*)" },
  count_distinct: {
    arity: 1,
    families: ORDERED,
    result: int64,
    english: "number of distinct values",
    sql: (c) => `count(DISTINCT ${c})`,
  },
  sum: { arity: 1, families: NUMERIC, result: sumType, english: "sum", sql: sumSql },
  avg: { arity: 1, families: NUMERIC, result: float64, english: "mean", sql: (c, type) => `avg(${asDouble(c, type)})` },
  min: { arity: 1, families: ORDERED, result: own, english: "smallest value", sql: (c) => `min(${c})` },
  max: { arity: 1, families: ORDERED, result: own, english: "largest value", sql: (c) => `max(${c})` },
  median: {
    arity: 1,
    families: NUMERIC,
    result: float64,
    english: "median",
    sql: (c, type) => `median(${asDouble(c, type)})`,
    heldBytes: 32, // 14 without groups, 22 in thousands of groups, 32 where each row is a group
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
};

export function isAggregateName(name: string): name is AggregateName {
  return Object.hasOwn(AGGREGATES, name);
}

/** Exact, but for binary floats. */
function sumType({ number }: ColumnType): ColumnType {
  return !number || number.isFloat ? FLOAT64 : decimalType(38, number.scale);
}

function sumSql(column: string, type: ColumnType): string {
  const to = sumType(type);
  return to === FLOAT64 ? `sum(${asDouble(column, type)})` : `CAST(sum(${column}) AS ${to.duckdb})`;
}

function asDouble(column: string, { number }: ColumnType): string {
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
