import { asDouble, sumType } from "./aggregates";
import type { ColumnType, Family } from "./column-type";
import { decimalType } from "./decimals";
import { FLOAT64 } from "./floats";
import { INT64 } from "./integers";

/** The groups that differ in one group only, in its order, as SQL over the result's columns. */
export interface Series {
  /** What the groups of a series have in common. */
  among: readonly string[];
  /** A group's place in the order. */
  place: string;
  /** Whether places are whole numbers, 1 apart for neighbouring spans; otherwise each group follows the one before. */
  isSpaced: boolean;
}

/** What a value is derived from, as SQL. */
export interface DerivationUse {
  /** The groups that it is compared with. Without one, the function is `rank`. */
  series?: Series | undefined;
  size?: number | undefined;
  /** Groups within which a rank is counted. */
  by?: readonly string[] | undefined;
  /** Whether rank 1 is the least value. */
  isAscending?: boolean | undefined;
}

export type DerivationNeed = "over" | "size" | "by" | "direction";

export interface Derivation {
  /** Types of results that it applies to; absent for all. */
  families?: readonly Family[];
  /** What it requires besides its alias and `of`. */
  needs: readonly DerivationNeed[];
  /** What it takes besides. */
  takes: readonly DerivationNeed[];
  result: (type: ColumnType) => ColumnType;
  /** SQL whose value has the result type, from that of the result it is derived from. */
  sql: (value: string, type: ColumnType, use: DerivationUse) => string;
  english: string;
}

export type DerivationName = "previous" | "change" | "change_ratio" | "running_total" | "moving_average" | "rank";

const NUMERIC: readonly Family[] = ["numeric"];

/** THE functions of `derive`: values of a group computed from the results of other groups. */
export const DERIVATIONS: Readonly<Record<DerivationName, Derivation>> = {
  previous: {
    needs: ["over"],
    takes: [],
    result: (type) => type,
    sql: (value, _type, use) => previousSql(value, seriesOf(use)),
    english: "previous value",
  },
  change: {
    families: NUMERIC,
    needs: ["over"],
    takes: [],
    result: differenceType,
    sql: (value, type, use) => differenceSql(value, previousSql(value, seriesOf(use)), type),
    english: "change",
  },
  change_ratio: {
    families: NUMERIC,
    needs: ["over"],
    takes: [],
    result: () => FLOAT64,
    sql: (value, type, use) => {
      const before = previousSql(value, seriesOf(use));
      const change = differenceSql(value, before, type);
      return `CASE WHEN ${before} <> 0 THEN CAST(${change} AS DOUBLE) / CAST(${before} AS DOUBLE) END`;
    },
    english: "relative change",
  },
  running_total: {
    families: NUMERIC,
    needs: ["over"],
    takes: [],
    result: sumType,
    sql: (value, type, use) => {
      const to = sumType(type);
      const sum = `sum(${to === FLOAT64 ? asDouble(value, type) : value})`;
      return `CAST(${sum} OVER ${windowSql(seriesOf(use), " ROWS UNBOUNDED PRECEDING")} AS ${to.duckdb})`;
    },
    english: "running total",
  },
  moving_average: {
    families: NUMERIC,
    needs: ["over", "size"],
    takes: [],
    result: () => FLOAT64,
    sql: (value, type, use) => movingAverageSql(asDouble(value, type), seriesOf(use), use.size ?? 2),
    english: "moving average",
  },
  rank: {
    needs: [],
    takes: ["by", "direction"],
    result: () => INT64,
    sql: (value, _type, { by = [], isAscending }) => {
      const within = by.length > 0 ? `PARTITION BY ${by.join(", ")} ` : "";
      const place = `rank() OVER (${within}ORDER BY ${value} ${isAscending ? "ASC" : "DESC"} NULLS LAST)`;
      return `CASE WHEN ${value} IS NOT NULL THEN ${place} END`;
    },
    english: "rank",
  },
};

export function isDerivationName(name: string): name is DerivationName {
  return Object.hasOwn(DERIVATIONS, name);
}

/** The functions that apply to a type of result, in the table's order. */
export const derivationsFor = ({ family }: ColumnType): string[] =>
  Object.entries(DERIVATIONS).flatMap(([name, { families }]) => (families?.includes(family) === false ? [] : [name]));

function seriesOf({ series }: DerivationUse): Series {
  if (!series) throw new Error("A function of neighbouring groups needs their order");
  return series;
}

const windowSql = ({ among, place }: Series, frame = ""): string =>
  `(PARTITION BY ${among.join(", ")} ORDER BY ${place}${frame})`;

/** Groups of one series are all different, so that the group one span before can only be the one next to it. */
function previousSql(value: string, series: Series): string {
  const window = windowSql(series);
  const before = `lag(${value}) OVER ${window}`;
  const { place } = series;
  return series.isSpaced ? `CASE WHEN lag(${place}) OVER ${window} = ${place} - 1 THEN ${before} END` : before;
}

/** The mean over the last spans, or over the last groups where there are none; null where they begin too early. */
function movingAverageSql(value: string, series: Series, size: number): string {
  const { place, isSpaced } = series;
  const frame = ` ${isSpaced ? "RANGE" : "ROWS"} BETWEEN ${size - 1} PRECEDING AND CURRENT ROW`;
  const window = windowSql(series);
  const isFull = isSpaced
    ? `first_value(${place}) OVER ${window} <= ${place} - ${size - 1}`
    : `row_number() OVER ${window} >= ${size}`;
  return `CASE WHEN ${isFull} THEN avg(${value}) OVER ${windowSql(series, frame)} END`;
}

function differenceType({ number }: ColumnType): ColumnType {
  return !number || number.isFloat ? FLOAT64 : decimalType(38, number.scale);
}

/** Exact, except for binary floats. */
function differenceSql(value: string, before: string, type: ColumnType): string {
  const to = differenceType(type).duckdb;
  return `CAST(CAST(${value} AS ${to}) - CAST(${before} AS ${to}) AS ${to})`;
}
