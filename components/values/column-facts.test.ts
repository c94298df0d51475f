import { expect, test } from "vitest";
import type { Column } from "@/lib/schemas/column";
import { columnFacts } from "./column-facts";

const column = (type: string, profile: Column["profile"]): Column => ({
  name: "x",
  type,
  nullable: true,
  description: null,
  unit: null,
  json: "any",
  operators: [],
  functions: [],
  profile,
});

test.each([
  [
    "nulls, range and middle of a number",
    column("int32", {
      null_count: 25,
      distinct_count: { value: 40, exact: false },
      min: -1116,
      max: 1688,
      mean: 7.123456,
      quantiles: { p05: 1, p25: 1, p50: -1, p75: 1, p95: 1 },
    }),
    ["25% null", "about 40 distinct", "-1,116 to 1,688", "median -1", "mean 7.1235"],
  ],
  [
    "a key differs in every row",
    column("string", {
      null_count: 0,
      distinct_count: { value: 100, exact: true },
      length: { min: 3, max: 3, mean: 3 },
    }),
    ["no nulls", "all values distinct", "3 characters"],
  ],
  [
    "one character is singular",
    column("string", { null_count: 0, length: { min: 1, max: 1, mean: 1 } }),
    ["no nulls", "1 character"],
  ],
  [
    "a column without values says no more",
    column("date", { null_count: 100, distinct_count: { value: 0, exact: true }, min: null, max: null }),
    ["always null"],
  ],
  [
    "NaN is told from null",
    column("float64", { null_count: 0, nan_count: 2, min: 0, max: 1 }),
    ["no nulls", "0 to 1", "2 NaN"],
  ],
  ["an empty table has no shares", column("int32", { null_count: 0 }), ["no nulls"]],
] as const)("%s", (_name, given, facts) => expect(columnFacts(given, 100)).toEqual(facts));
