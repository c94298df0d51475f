import type { ColumnType, Family } from "./column-types";

export interface Aggregate {
  /** `count` alone takes no column. */
  arity: 0 | 1;
  families: readonly Family[];
  /** SQL whose value has the result type; `type` is the column's, absent for `count`. */
  sql: (column: string, type: ColumnType) => string;
  result: (type: ColumnType) => ColumnType;
  english: string;
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
const INT64: ColumnType = { kind: "integer", bits: 64, signed: true };
const FLOAT64: ColumnType = { kind: "float", bits: 64 };

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
    english: "number of different values",
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

function sumType(type: ColumnType): ColumnType {
  if (type.kind === "float") return FLOAT64;
  return { kind: "decimal", precision: 38, scale: type.kind === "decimal" ? type.scale : 0 };
}

function sumSql(column: string, type: ColumnType): string {
  if (type.kind === "float") return `sum(${asDouble(column, type)})`;
  return `CAST(sum(${column}) AS DECIMAL(38,${type.kind === "decimal" ? type.scale : 0}))`;
}

function asDouble(column: string, type: ColumnType): string {
  return type.kind === "float" && type.bits === 64 ? column : `CAST(${column} AS DOUBLE)`;
}

/** DuckDB raises an error for a spread over NaN or infinity; mathematically it is NaN. */
function spread(name: string, column: string, type: ColumnType): string {
  const value = asDouble(column, type);
  if (type.kind !== "float") return `${name}(${value})`;
  return (
    `CASE WHEN bool_or(NOT isfinite(${value})) AND count(${value}) > 1 THEN CAST('NaN' AS DOUBLE) ELSE ` +
    `${name}(${value}) FILTER (WHERE isfinite(${value})) END`
  );
}
