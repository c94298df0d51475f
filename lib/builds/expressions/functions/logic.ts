import { ANY, BOOLEAN, type ExpressionFunction, ORDERED, STRING, TRUTH } from "@/lib/builds/expressions/function-row";

const comparison = (english: string, sign: string, arg: typeof ORDERED): ExpressionFunction => ({
  group: "logic",
  english,
  args: [arg, arg],
  isCommon: true,
  result: () => BOOLEAN,
  sql: ([a, b]) => `(${a} ${sign} ${b})`,
});

const joined = (english: string, sign: "AND" | "OR"): ExpressionFunction => ({
  group: "logic",
  english,
  args: [TRUTH, TRUTH],
  most: 20,
  result: () => BOOLEAN,
  sql: (args) => `(${args.join(` ${sign} `)})`,
});

/** Conditions have three values: a comparison with null is null, which `filter` does not keep. */
export const LOGIC: Readonly<Record<string, ExpressionFunction>> = {
  coalesce: {
    group: "logic",
    english: "the first argument that is not null",
    args: [ANY, ANY],
    most: 20,
    isCommon: true,
    result: (_, common) => common ?? STRING,
    sql: (args) => `coalesce(${args.join(", ")})`,
  },
  null_if: {
    group: "logic",
    english: "null if both arguments are equal, otherwise the first",
    args: [ORDERED, ORDERED],
    isCommon: true,
    result: (_, common) => common ?? STRING,
    sql: ([a, b]) => `nullif(${a}, ${b})`,
  },
  if: {
    group: "logic",
    english: "the second argument if the first is true, otherwise the third (null if absent)",
    args: [TRUTH, ANY, ANY],
    optional: 1,
    result: () => STRING, // made by checkCall, which casts the branches to one type
    sql: ([condition, then, otherwise = "NULL"]) => `CASE WHEN ${condition} THEN ${then} ELSE ${otherwise} END`,
  },
  is_null: { group: "logic", english: "is null", args: [ANY], result: () => BOOLEAN, sql: ([x]) => `(${x} IS NULL)` },
  eq: comparison("is equal to", "=", ORDERED),
  neq: comparison("is not equal to", "<>", ORDERED),
  gt: comparison("is greater than", ">", ORDERED),
  gte: comparison("is at least", ">=", ORDERED),
  lt: comparison("is less than", "<", ORDERED),
  lte: comparison("is at most", "<=", ORDERED),
  in: {
    group: "logic",
    english: "is equal to one of the other arguments",
    args: [ORDERED, ORDERED],
    most: 50,
    isCommon: true,
    result: () => BOOLEAN,
    sql: ([x, ...others]) => `(${x} IN (${others.join(", ")}))`,
  },
  and: joined("all conditions are true", "AND"),
  or: joined("at least one condition is true", "OR"),
  not: { group: "logic", english: "is not true", args: [TRUTH], result: () => BOOLEAN, sql: ([x]) => `(NOT ${x})` },
};
