import { describe, expect, test } from "vitest";
import { parseExactJson } from "@/lib/formats/exact-json";
import type { ResultRow, ViewResult } from "@/lib/schemas/view-result";
import { resultChange, shownResult, thresholdChange } from "./result-change";

/** A result of rows as JSON, as a query replies with them. */
function resultOf(json: string, places: Partial<Pick<ViewResult, "keys" | "order">> = {}): ViewResult {
  const rows = parseExactJson(json) as ResultRow[];
  const columns = Object.keys(rows[0] ?? { a: null }).map((name) => ({ name, type: "float64" }));
  return { columns, keys: null, order: null, ...places, rows };
}

const differs = (before: string, after: string, places = {}) =>
  resultChange(resultOf(before, places), resultOf(after, places)) !== undefined;

describe("values are equal", () => {
  const SAME: Readonly<Record<string, [before: string, after: string]>> = {
    "as numbers, however they are written": ['[{"a":1.0}]', '[{"a":1}]'],
    "as decimals with more zeros": ['[{"a":12.30}]', '[{"a":12.3000}]'],
    "with another exponent": ['[{"a":1e3}]', '[{"a":1000}]'],
    "as the two zeros": ['[{"a":-0.0}]', '[{"a":0.0}]'],
    "as NaN": ['[{"a":"NaN"}]', '[{"a":"NaN"}]'],
    "as null": ['[{"a":null}]', '[{"a":null}]'],
    "as items of lists and fields of structs": ['[{"a":[1.0,{"b":2}]}]', '[{"a":[1,{"b":2.00}]}]'],
  };
  for (const [name, [before, after]] of Object.entries(SAME))
    test(name, () => expect(differs(before, after)).toBe(false));
});

describe("values differ", () => {
  const OTHER: Readonly<Record<string, [before: string, after: string]>> = {
    "in the last digit of a 64-bit integer": ['[{"a":9007199254740993}]', '[{"a":9007199254740992}]'],
    "in the 38th digit of a decimal": [
      '[{"a":1234567890123456789012345678.1234567891}]',
      '[{"a":1234567890123456789012345678.1234567892}]',
    ],
    "in the last digit of a double": ['[{"a":0.1}]', '[{"a":0.10000000000000002}]'],
    "as null and zero": ['[{"a":null}]', '[{"a":0}]'],
    "as null and an empty string": ['[{"a":null}]', '[{"a":""}]'],
    "as a number and its text": ['[{"a":1}]', '[{"a":"1"}]'],
    "as NaN and null": ['[{"a":"NaN"}]', '[{"a":null}]'],
    "as infinities": ['[{"a":"Infinity"}]', '[{"a":"-Infinity"}]'],
    "as days": ['[{"a":"2026-02-28"}]', '[{"a":"2026-03-01"}]'],
    "as lists of other lengths": ['[{"a":[1]}]', '[{"a":[1,1]}]'],
    "as a list and what looks like it": ['[{"a":[1]}]', '[{"a":"[1]"}]'],
  };
  for (const [name, [before, after]] of Object.entries(OTHER))
    test(name, () => {
      expect(differs(before, after)).toBe(true);
      expect(differs(after, before)).toBe(true);
    });
});

describe("rows", () => {
  test("without keys are compared as often as they occur, in whatever order", () => {
    const before = resultOf('[{"a":1},{"a":2},{"a":2}]');
    expect(resultChange(before, resultOf('[{"a":2},{"a":1},{"a":2}]'))).toBeUndefined();
    expect(resultChange(before, resultOf('[{"a":2},{"a":1},{"a":3},{"a":1}]'))).toMatchObject({
      ...{ added: 2, removed: 1, changed: 0, reordered: false },
      rows: [
        { before: null, after: { a: 3 } },
        { before: null, after: { a: 1 } },
        { before: { a: 2 }, after: null },
      ],
    });
  });

  test("with keys are matched by them, null and NaN included", () => {
    const keys = { keys: ["a"] };
    const before = resultOf('[{"a":null,"n":1},{"a":"NaN","n":1},{"a":1,"n":1}]', keys);
    const after = resultOf('[{"a":1.0,"n":2},{"a":null,"n":1},{"a":"NaN","n":3}]', keys);
    expect(resultChange(before, after)).toMatchObject({ added: 0, removed: 0, changed: 2 });
  });

  test("whose keys turn out not to be unique are compared without them", () => {
    const keys = { keys: ["a"] };
    const change = resultChange(resultOf('[{"a":1,"n":1},{"a":1,"n":2}]', keys), resultOf('[{"a":1,"n":1}]', keys));
    expect(change).toMatchObject({ keys: null, removed: 1, rows: [{ before: { a: 1, n: 2 }, after: null }] });
  });

  test("in another order differ only if the view orders them", () => {
    const [one, other] = ['[{"a":1,"b":1},{"a":2,"b":1}]', '[{"a":2,"b":1},{"a":1,"b":1}]'];
    expect(differs(one, other)).toBe(false);
    expect(resultChange(resultOf(one, { order: ["a"] }), resultOf(other, { order: ["a"] }))).toMatchObject({
      reordered: true,
      rows: [],
    });
    expect(differs(one, other, { order: ["b"] })).toBe(false); // which does not order these two
  });

  test("beyond the first ten are counted", () => {
    const many = JSON.stringify(Array.from({ length: 25 }, (_, a) => ({ a })));
    expect(resultChange(resultOf("[]"), resultOf(many))).toMatchObject({ added: 25 });
    expect(resultChange(resultOf("[]"), resultOf(many))?.rows).toHaveLength(10);
  });

  test("of columns that were added or removed are compared in the others", () => {
    const change = resultChange(resultOf('[{"a":1,"b":1}]'), resultOf('[{"a":1,"c":1}]'));
    expect(change).toMatchObject({ columns_added: ["c"], columns_removed: ["b"], added: 0, removed: 0, rows: [] });
  });
});

describe("a threshold", () => {
  const crosses = (before: string, after: string, value: string, is: "above" | "below" = "above") =>
    thresholdChange(resultOf(before), resultOf(after), { column: "a", is, value })?.isMet;

  test("is compared to the last digit", () => {
    expect(crosses('[{"a":9007199254740992}]', '[{"a":9007199254740993}]', "9007199254740992")).toBe(true);
    expect(crosses('[{"a":1}]', '[{"a":9007199254740993}]', "9007199254740993")).toBeUndefined();
    expect(crosses('[{"a":0.30}]', '[{"a":0.3000000000000000000000000000000000001}]', "0.3")).toBe(true);
    expect(crosses('[{"a":0}]', '[{"a":-0.0}]', "0", "below")).toBeUndefined();
    expect(crosses('[{"a":1}]', '[{"a":-1e-30}]', "-0", "below")).toBe(true);
  });

  test("is met by an infinity, and never by null or NaN", () => {
    expect(crosses('[{"a":1}]', '[{"a":"Infinity"}]', "5")).toBe(true);
    expect(crosses('[{"a":1}]', '[{"a":"-Infinity"}]', "5")).toBeUndefined();
    for (const value of ["null", '"NaN"'])
      for (const is of ["above", "below"] as const)
        expect(crosses('[{"a":5}]', `[{"a":${value}}]`, "5", is)).toBeUndefined();
    expect(crosses('[{"a":6}]', '[{"a":null}]', "5")).toBe(false);
    expect(crosses('[{"a":6}]', "[]", "5")).toBe(false);
  });
});

test("what a list shows of a result is short", () => {
  const rows = [...Array.from({ length: 6 }, () => ({ a: "x".repeat(200), b: null }))];
  const shown = shownResult({
    ...resultOf("[]"),
    columns: [
      { name: "a", type: "string" },
      { name: "b", type: "string" },
    ],
    rows,
  });
  expect(shown.total_rows).toBe(6);
  expect(shown.rows).toHaveLength(5);
  expect(shown.rows[0]).toEqual([`${"x".repeat(80)}…`, null]);
  expect(shownResult(resultOf('[{"a":35.666666666666664},{"a":1234567890123}]')).rows).toEqual([
    ["35.6667"],
    ["1234567890123"],
  ]);
});
