import type { Family } from "./column-type";
import type { Quantised } from "./exact-number";

/** A comparison rewritten for a column that stores whole coefficients; `never` and `present` compare nothing. */
export type Rewritten = { operator: OperatorName; values: bigint[] } | "never" | "present";

export interface Operator {
  /** Number of values; `many` is 1 to 20. */
  arity: "none" | "one" | "two" | "many";
  families: readonly Family[];
  sql: (column: string, values: readonly string[]) => string;
  english: string;
  /** The equivalent comparison for a number that the column's type may not hold exactly. Absent if not for numbers. */
  exact?: (values: readonly Quantised[]) => Rewritten;
  /** Whether no value from `min` to `max` matches; absent if bounds do not decide. */
  excludes?: (values: readonly string[], bounds: Bounds) => boolean;
  /** Whether it matches only equal values, which Parquet's Bloom filters answer. */
  isEquality?: true;
  /** Whether it searches for a substring, which cannot be empty. */
  isPart?: true;
  /** Whether it can compare strings ignoring case on request. */
  ignoresCase?: true;
  /** For an operator that searches the items of a list: the families that they may belong to. */
  ofItems?: readonly Family[];
  /** Whether it matches null and nothing else. */
  isNull?: true;
  /** Whether it matches the values that are not its own; nulls are not among them. */
  isNegative?: true;
  /** What it matches is not less than the least of its values, or is greater than it. */
  from?: "least" | "above";
  /** What it matches is not greater than the greatest of its values, or is less than it. */
  to?: "greatest" | "below";
}

/** Bounds of a column's values in one row group. `compare` orders two strings; undefined if they cannot be ordered. */
export interface Bounds {
  min: string;
  max: string;
  compare(a: string, b: string): number | undefined;
}

export type OperatorName =
  | "eq"
  | "neq"
  | "in"
  | "not_in"
  | "gt"
  | "gte"
  | "lt"
  | "lte"
  | "between"
  | "contains"
  | "not_contains"
  | "starts_with"
  | "ends_with"
  | "has"
  | "is_null"
  | "is_not_null";

const EVERY: readonly Family[] = ["numeric", "text", "boolean", "date", "timestamp", "uuid", "time", "opaque"];
const ORDERED: readonly Family[] = ["numeric", "text", "boolean", "date", "timestamp"];
const RANGED: readonly Family[] = ["numeric", "text", "date", "timestamp"];
const EQUATED: readonly Family[] = [...ORDERED, "uuid"];
const TEXT: readonly Family[] = ["text"];

/** THE filter operators. The grammar, the SQL, the schema's `operators` and the docs are derived from it. */
export const OPERATORS: Readonly<Record<OperatorName, Operator>> = {
  eq: {
    arity: "one",
    families: EQUATED,
    english: "is",
    sql: (c, [a]) => `${c} = ${a}`,
    exact: ([a]) => (isExact(a) ? rewritten("eq", a.floor) : "never"),
    excludes: isOutside,
    isEquality: true,
    ignoresCase: true,
    from: "least",
    to: "greatest",
  },
  neq: {
    arity: "one",
    families: EQUATED,
    english: "is not",
    sql: (c, [a]) => `${c} <> ${a}`,
    exact: ([a]) => (isExact(a) ? rewritten("neq", a.floor) : "present"),
    ignoresCase: true,
    isNegative: true,
  },
  in: {
    arity: "many",
    families: EQUATED,
    english: "is one of",
    sql: (c, all) => `${c} IN (${all.join(", ")})`,
    exact: exactIn,
    excludes: isOutside,
    isEquality: true,
    ignoresCase: true,
    from: "least",
    to: "greatest",
  },
  not_in: {
    arity: "many",
    families: EQUATED,
    english: "is none of",
    sql: (c, all) => `${c} NOT IN (${all.join(", ")})`,
    exact: exactNotIn,
    ignoresCase: true,
    isNegative: true,
  },
  gt: {
    arity: "one",
    families: ORDERED,
    english: "is greater than",
    sql: (c, [a]) => `${c} > ${a}`,
    exact: ([a]) => rewritten("gt", a?.floor),
    excludes: ([a = ""], { max, compare }) => (compare(max, a) ?? 1) <= 0,
    from: "above",
  },
  gte: {
    arity: "one",
    families: ORDERED,
    english: "is at least",
    sql: (c, [a]) => `${c} >= ${a}`,
    exact: ([a]) => rewritten("gte", a?.ceil),
    excludes: ([a = ""], { max, compare }) => (compare(max, a) ?? 0) < 0,
    from: "least",
  },
  lt: {
    arity: "one",
    families: ORDERED,
    english: "is less than",
    sql: (c, [a]) => `${c} < ${a}`,
    exact: ([a]) => rewritten("lt", a?.ceil),
    excludes: ([a = ""], { min, compare }) => (compare(a, min) ?? 1) <= 0,
    to: "below",
  },
  lte: {
    arity: "one",
    families: ORDERED,
    english: "is at most",
    sql: (c, [a]) => `${c} <= ${a}`,
    exact: ([a]) => rewritten("lte", a?.floor),
    excludes: ([a = ""], { min, compare }) => (compare(a, min) ?? 0) < 0,
    to: "greatest",
  },
  between: {
    arity: "two",
    families: RANGED,
    english: "is between (inclusive)",
    sql: (c, [a, b]) => `${c} >= ${a} AND ${c} <= ${b}`,
    exact: exactBetween,
    excludes: ([a = "", b = ""], { min, max, compare }) => (compare(max, a) ?? 0) < 0 || (compare(b, min) ?? 0) < 0,
    from: "least",
    to: "greatest",
  },
  contains: {
    arity: "one",
    families: TEXT,
    english: "contains",
    sql: (c, [a]) => `contains(${c}, ${a})`,
    isPart: true,
    ignoresCase: true,
  },
  not_contains: {
    arity: "one",
    families: TEXT,
    english: "does not contain",
    sql: (c, [a]) => `NOT contains(${c}, ${a})`,
    isPart: true,
    ignoresCase: true,
    isNegative: true,
  },
  starts_with: {
    arity: "one",
    families: TEXT,
    english: "starts with",
    sql: (c, [a]) => `starts_with(${c}, ${a})`,
    isPart: true,
    ignoresCase: true,
  },
  ends_with: {
    arity: "one",
    families: TEXT,
    english: "ends with",
    sql: (c, [a]) => `ends_with(${c}, ${a})`,
    isPart: true,
    ignoresCase: true,
  },
  has: {
    arity: "one",
    families: [],
    ofItems: EQUATED,
    english: "has",
    sql: (c, [a]) => `list_contains(${c}, ${a})`,
    exact: ([a]) => (isExact(a) ? rewritten("has", a.floor) : "never"),
  },
  is_null: { arity: "none", families: EVERY, english: "is missing", sql: (c) => `${c} IS NULL`, isNull: true },
  is_not_null: { arity: "none", families: EVERY, english: "is present", sql: (c) => `${c} IS NOT NULL` },
};

export function isOperatorName(name: string): name is OperatorName {
  return Object.hasOwn(OPERATORS, name);
}

/** Each value is below the minimum or above the maximum. */
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
  const exact = values.filter(isExact).map((value) => value.floor);
  return exact.length > 0 ? rewritten("in", ...exact) : "never";
}

function exactNotIn(values: readonly Quantised[]): Rewritten {
  const exact = values.filter(isExact).map((value) => value.floor);
  return exact.length > 0 ? rewritten("not_in", ...exact) : "present";
}

function exactBetween([low, high]: readonly Quantised[]): Rewritten {
  return low && high && low.ceil <= high.floor ? rewritten("between", low.ceil, high.floor) : "never";
}
