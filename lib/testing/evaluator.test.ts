import { expect, test } from "vitest";
import { jsonText } from "./evaluate-cells";
import { evaluate, type Table } from "./evaluator";

const TABLE: Table = {
  columns: [
    { name: "k", type: "string" },
    { name: "x", type: "float64" },
    { name: "d", type: "decimal(6,2)" },
  ],
  rows: [
    ["b", 2, 150n],
    ["a", Number.NaN, null],
    ["b", null, -5n],
    ["\u{1f600}", -1, 0n],
    ["\uffff", 2, 1n],
  ],
};

test("nulls come last and NaN is above all numbers, in both directions; ties keep their order", () => {
  const xs = (direction: string) =>
    evaluate(TABLE, { columns: ["x"], order_by: [{ column: "x", direction }] }).rows.map(([x]) => x);
  expect(xs("asc")).toEqual([-1, 2, 2, Number.NaN, null]);
  expect(xs("desc")).toEqual([Number.NaN, 2, 2, -1, null]);
});

test("text sorts by code points, not by UTF-16 units", () => {
  expect(evaluate(TABLE, { columns: ["k"], order_by: [{ column: "k" }] }).rows.map(([k]) => k)).toEqual([
    "a",
    "b",
    "b",
    "\uffff",
    "\u{1f600}",
  ]);
});

test("groups are counted and summed exactly, with nulls excluded from sums", () => {
  const { columns, rows } = evaluate(TABLE, {
    columns: [],
    group_by: ["k"],
    aggregates: [
      { function: "count", as: "n" },
      { function: "sum", column: "d", as: "s" },
    ],
  });
  expect(columns.map(({ type }) => type)).toEqual(["string", "int64", "decimal(38,2)"]);
  expect(rows.slice(0, 2)).toEqual([
    ["a", 1n, null],
    ["b", 2n, 145n],
  ]);
});

test("cells print in the contract's forms", () => {
  expect([
    jsonText(-5n, "decimal(6,2)"),
    jsonText(1_500_000n, "timestamp"),
    jsonText(-1n, "timestamp"),
    jsonText(-1n, "date"),
    jsonText(Math.fround(0.1), "float32"),
    jsonText(Number.NaN, "float64"),
    jsonText(null, "int8"),
  ]).toEqual([
    "-0.05",
    '"1970-01-01T00:00:01.500000Z"',
    '"1969-12-31T23:59:59.999999Z"',
    '"1969-12-31"',
    "0.1",
    '"NaN"',
    "null",
  ]);
});
