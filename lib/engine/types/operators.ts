import type { Family } from "./column-type";
import type { Quantised } from "./exact-number";

/** A comparison rewritten for a column that stores whole coefficients; `never` and `present` compare nothing. */
export type Rewritten = { operator: OperatorName; values: bigint[] } | "never" | "present";

export interface Operator {
  /** How many values it takes; `many` is 1 to 20. */
  arity: "none" | "one" | "two" | "many";
  families: readonly Family[];
  sql: (column: string, values: readonly string[]) => string;
  english: string;
  /**
   * The same comparison with a number that the column's type may not hold exactly. Absent where numbers do not apply.
   */
  exact?: (values: readonly Quantised[]) => Rewritten;
  /** Whether no value from `min` to `max` meets it; absent where bounds do not tell. */
  excludes?: (values: readonly string[], bounds: Bounds) => boolean;
  /** Whether it asks for equal values alone, which Parquet's Bloom filters answer. */
  isEquality?: true;
  /** Whether it looks for a part of a text, which cannot be empty. */
  isPart?: true;
  /** Whether it meets null, and nothing else. */
  isNull?: true;
}

/** Of a column's values in one row group. `compare` orders two texts; undefined where they cannot tell. */
export interface Bounds {
  min: string;
  max: string;
  compare(a: string, b: string): number | undefined;
}

export type OperatorName =
  | "eq"
  | "neq"
  | "in"
  | "gt"
  | "gte"
  | "lt"
  | "lte"
  | "between"
  | "contains"
  | "starts_with"
  | "ends_with"
  | "is_null"
  | "is_not_null";

const EVERY: readonly Family[] = ["numeric", "text", "boolean", "date", "timestamp", "uuid", "time", "opaque"];
const ORDERED: readonly Family[] = ["numeric", "text", "boolean", "date", "timestamp"];
const RANGED: readonly Family[] = ["numeric", "text", "date", "timestamp"];
const EQUATED: readonly Family[] = [...ORDERED, "uuid"];
const TEXT: readonly Family[] = ["text"];

/** THE filter operators. The grammar, the SQL, the schema's `operators` and the docs are made from it. */
export const OPERATORS: Readonly<Record<OperatorName, Operator>> = {
  eq: {
    arity: "one",
    families: EQUATED,
    english: "is",
    sql: (c, [a]) => `${c} = ${a}`,
    exact: ([a]) => (isExact(a) ? rewritten("eq", a.floor) : "never"),
    excludes: isOutside,
    isEquality: true,
  },
  neq: {
    arity: "one",
    families: EQUATED,
    english: "is not",
    sql: (c, [a]) => `${c} <> ${a}`,
    exact: ([a]) => (isExact(a) ? rewritten("neq", a.floor) : "present"),
  },
  in: {
    arity: "many",
    families: EQUATED,
    english: "is one of",
    sql: (c, all) => `${c} IN (${all.join(", ")})`,
    exact: exactIn,
    excludes: isOutside,
    isEquality: true,
  },
  gt: {
    arity: "one",
    families: ORDERED,
    english: "is greater than",
    sql: (c, [a]) => `${c} > ${a}`,
    exact: ([a]) => rewritten("gt", a?.floor),
    excludes: ([a = ""], { max, compare }) => (compare(max, a) ?? 1) <= 0,
  },
  gte: {
    arity: "one",
    families: ORDERED,
    english: "is at least",
    sql: (c, [a]) => `${c} >= ${a}`,
    exact: ([a]) => rewritten("gte", a?.ceil),
    excludes: ([a = ""], { max, compare }) => (compare(max, a) ?? 0) < 0,
  },
  lt: {
    arity: "one",
    families: ORDERED,
    english: "is less than",
    sql: (c, [a]) => `${c} < ${a}`,
    exact: ([a]) => rewritten("lt", a?.ceil),
    excludes: ([a = ""], { min, compare }) => (compare(a, min) ?? 1) <= 0,
  },
  lte: {
    arity: "one",
    families: ORDERED,
    english: "is at most",
    sql: (c, [a]) => `${c} <= ${a}`,
    exact: ([a]) => rewritten("lte", a?.floor),
    excludes: ([a = ""], { min, compare }) => (compare(a, min) ?? 0) < 0,
  },
  between: {
    arity: "two",
    families: RANGED,
    english: "is between (inclusive)",
    sql: (c, [a, b]) => `${c} >= ${a} AND ${c} <= ${b}`,
    exact: exactBetween,
    excludes: ([a = "", b = ""], { min, max, compare }) => (compare(max, a) ?? 0) < 0 || (compare(b, min) ?? 0) < 0,
  },
  contains: {
    arity: "one",
    families: TEXT,
    english: "contains",
    sql: (c, [a]) => `contains(${c}, ${a})`,
    isPart: true,
  },
  starts_with: {
    arity: "one",
    families: TEXT,
    english: "starts with",
    sql: (c, [a]) => `starts_with(${c}, ${a})`,
    isPart: true,
  },
  ends_with: {
    arity: "one",
    families: TEXT,
    english: "ends with",
    sql: (c, [a]) => `ends_with(${c}, ${a})`,
    isPart: true,
  },
  is_null: { arity: "none", families: EVERY, english: "is missing", sql: (c) => `${c} IS NULL`, isNull: true },
  is_not_null: { arity: "none", families: EVERY, english: "is present", sql: (c) => `${c} IS NOT NULL` },
};

export function isOperatorName(name: string): name is OperatorName {
  return Object.hasOwn(OPERATORS, name);
}

/** Each value is below the least or above the greatest. */
function isOutside(values: readonly string[], { min, max, compare }: Bounds): boolean {
  return values.every((value) => (compare(value, min) ?? 0) < 0 || (compare(max, value) ?? 0) < 0);
}

function isExact(value: Quantised | undefined): value is Quantised {
  return value !== undefined && value.floor === value.ceil;
}

function rewritten(operator: OperatorName, ...values: (bigint | undefined)[]): Rewritten {
  return { operator, values: values.filter((value) => value !== undefined) };
}

function exactIn(values: readonly Quantised[]): Rewritten {
  const held = values.filter(isExact).map((value) => value.floor);
  return held.length > 0 ? rewritten("in", ...held) : "never";
}

function exactBetween([low, high]: readonly Quantised[]): Rewritten {
  return low && high && low.ceil <= high.floor ? rewritten("between", low.ceil, high.floor) : "never";
}
