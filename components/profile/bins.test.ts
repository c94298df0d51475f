import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Column } from "@/lib/schemas/column";
import { filterOn } from "@/lib/view/filter-values";
import {
  binFilters,
  binPosition,
  binText,
  brushFilters,
  countIn,
  filteredBins,
  isBins,
  joinedBins,
  spanTexts,
} from "./bins";

const column = (type: string, edges: unknown[], counts = edges.slice(1).map(() => 1)): Column => ({
  name: "n",
  type,
  nullable: true,
  description: null,
  unit: null,
  json: "number",
  operators: [],
  functions: [],
  profile: { null_count: 0, histogram: { edges, counts } },
});

const whole = column("int32", [0, 10, 20, 30]);
const real = column("float64", [0, 0.5, 1, 1.5]);
const days = column("date", ["2001-01-01", "2001-02-01", "2001-03-01"]);
const instants = column("timestamp", ["2001-01-01T00:00:00Z", "2001-01-01T12:00:00Z", "2001-01-02T00:00:00Z"]);

describe("a bar's filters match exactly its rows", () => {
  test.each([
    ["whole numbers end before the next edge", whole, 0, [filterOn(whole, "between", ["0", "9"])]],
    ["a bin of one number is that number", column("int64", [5, 6, 7]), 0, [filterOn(whole, "eq", ["5"])]],
    ["the last bin of whole numbers too", whole, 2, [filterOn(whole, "between", ["20", "29"])]],
    ["numbers between are open above", real, 0, [filterOn(whole, "gte", ["0"]), filterOn(real, "lt", ["0.5"])]],
    ["but for the last", real, 2, [filterOn(real, "between", ["1", "1.5"])]],
    ["days end the day before", days, 0, [filterOn(days, "between", ["2001-01-01", "2001-01-31"])]],
    [
      "instants are open above",
      instants,
      0,
      [filterOn(instants, "gte", ["2001-01-01T00:00:00Z"]), filterOn(instants, "lt", ["2001-01-01T12:00:00Z"])],
    ],
  ])("%s", (_name, of, bin, filters) => expect(binFilters(of, { first: bin, last: bin })).toEqual(filters));
});

test("a drawn range is one between filter, both ends included", () => {
  expect(brushFilters(real, { first: 0, last: 1 })).toEqual([filterOn(whole, "between", ["0", "1"])]);
  expect(brushFilters(whole, { first: 1, last: 1 })).toEqual([filterOn(whole, "between", ["10", "19"])]);
});

test("integers of 64 bits keep all their digits", () => {
  const wide = column("int64", [9007199254740993n, 9007199254740995n]);
  expect(binFilters(wide, { first: 0, last: 0 })).toEqual([
    filterOn(wide, "between", ["9007199254740993", "9007199254740994"]),
  ]);
});

test("the selected range is restored from the filters of a bar or a brush", () => {
  const range = fc.tuple(fc.nat(7), fc.nat(7)).map(([a, b]) => ({ first: Math.min(a, b), last: Math.max(a, b) }));
  const columns = [
    column("int32", [0, 5, 10, 15, 20, 25, 30, 35, 40]),
    column("float64", [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]),
    column("date", [
      "2001-01-01",
      "2001-02-01",
      "2001-03-01",
      "2001-04-01",
      "2001-05-01",
      "2001-06-01",
      "2001-07-01",
      "2001-08-01",
      "2001-09-01",
    ]),
    column(
      "timestamp",
      Array.from({ length: 9 }, (_, at) => `2001-01-01T0${at}:00:00Z`),
    ),
  ];
  fc.assert(
    fc.property(range, fc.constantFrom(...columns), fc.constantFrom(binFilters, brushFilters), (wanted, of, make) => {
      expect(filteredBins(of, make(of, wanted))).toEqual(wanted);
    }),
  );
});

test("filters without bounds, and values outside, are not errors", () => {
  expect(filteredBins(whole, [filterOn(whole, "neq", ["5"])])).toBeUndefined();
  expect(filteredBins(whole, [{ column: "other", operator: "eq", value: "5" }])).toBeUndefined();
  expect(filteredBins(whole, [filterOn(whole, "gte", ["1000"])])).toEqual({ first: 2, last: 2 });
  expect(filteredBins(whole, [filterOn(whole, "lt", ["-5"])])).toEqual({ first: 0, last: 0 });
  expect(binPosition(whole, "no number")).toBeUndefined();
});

test("merged bins keep every row, in at most as many bins as requested", () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(1000), { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 1, max: 40 }),
      (counts, most) => {
        const of = column(
          "int32",
          Array.from({ length: counts.length + 1 }, (_, at) => at),
          counts,
        );
        const joined = joinedBins(of, most);
        expect(joined.length).toBeLessThanOrEqual(most);
        expect(joined.reduce((sum, range) => sum + countIn(of, range), 0)).toBe(
          counts.reduce((sum, count) => sum + count, 0),
        );
      },
    ),
  );
});

test("bins are described in plain words", () => {
  expect(binText(whole, { first: 1, last: 1 })).toBe("10 to 19");
  expect(binText(real, { first: 0, last: 0 })).toBe("0 to under 0.5");
  expect(binText(days, { first: 0, last: 0 })).toBe("2001-01-01 to 2001-01-31");
});

describe("bins of outliers", () => {
  const of = column("int32", [-1120, -20, 0, 20, 40, 1690]);
  const delays: Column = {
    ...of,
    profile: {
      null_count: 0,
      histogram: { ...(of.profile.histogram ?? { edges: [], counts: [] }), overflow: { first: true, last: true } },
    },
  };

  test("are named by the edge that they begin at", () => {
    expect([0, 1, 4].map((bin) => binText(delays, { first: bin, last: bin }))).toEqual([
      "below -20",
      "-20 to -1",
      "40 and above",
    ]);
    expect(spanTexts(delays)).toEqual(["< -20", "≥ 40"]);
    expect(spanTexts(whole)).toEqual(["0", "30"]);
  });

  test("are never merged with other bins, and are filtered by all their values", () => {
    expect(joinedBins(delays, 3)).toEqual([
      { first: 0, last: 0 },
      { first: 1, last: 3 },
      { first: 4, last: 4 },
    ]);
    expect(binFilters(delays, { first: 4, last: 4 })).toEqual([filterOn(whole, "between", ["40", "1689"])]);
  });
});

describe("a filter matches whole bins if a bar or a drawn range set it", () => {
  const range = { first: 1, last: 2 };
  test.each([
    ["no filter", [], true],
    ["a bar's", binFilters(real, range), true],
    ["a drawn range's", brushFilters(real, range), true],
    ["one typed with an end inside a bar", [filterOn(real, "between", ["0.6", "1.5"])], false],
    ["another filter beside the range's", [...brushFilters(real, range), filterOn(whole, "is_not_null")], false],
    ["another column's does not count", [{ column: "m", operator: "eq", value: "1" }], true],
  ] as const)("%s", (_, filters, exact) => expect(isBins(real, range, filters)).toBe(exact));
});
