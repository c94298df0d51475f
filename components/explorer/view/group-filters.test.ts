import { LosslessNumber } from "lossless-json";
import { expect, test } from "vitest";
import type { BucketName } from "@/lib/engine/types/buckets";
import { textsOf } from "@/lib/view/filter-values";
import type { ViewGroup } from "@/lib/view/view";
import { groupFilters, leadsToRows } from "./group-filters";

const spans = (bucket: BucketName): ViewGroup => ({ column: "at", bucket, as: "a" });

test.each([
  ["year", "2001-01-01", "timestamp", "2001-01-01T00:00:00Z", "2002-01-01T00:00:00Z"],
  ["quarter", "1969-10-01", "date", "1969-10-01", "1970-01-01"],
  ["month", "2000-02-01", "date", "2000-02-01", "2000-03-01"],
  ["month", "0099-12-01", "date", "0099-12-01", "0100-01-01"],
  ["week", "2020-12-28", "timestamp", "2020-12-28T00:00:00Z", "2021-01-04T00:00:00Z"],
  ["day", "2001-06-29", "timestamp", "2001-06-29T00:00:00Z", "2001-06-30T00:00:00Z"],
  ["hour", "2001-06-29T23:00:00.000000Z", "timestamp", "2001-06-29T23:00:00Z", "2001-06-30T00:00:00Z"],
  ["minute", "2001-12-31T23:59:00.000000Z", "timestamp", "2001-12-31T23:59:00Z", "2002-01-01T00:00:00Z"],
] as const)("the %s of %s of a %s is from %s until before %s", (bucket, value, type, low, high) => {
  expect(groupFilters(spans(bucket), value, type)).toEqual([
    { column: "at", operator: "gte", value: low },
    { column: "at", operator: "lt", value: high },
  ]);
});

test("a range includes its lower edge and excludes the next one, with every digit", () => {
  const group: ViewGroup = { column: "x", width: new LosslessNumber("0.1"), as: "x_from" };
  const filters = groupFilters(group, new LosslessNumber("-9007199254740993.3"), "decimal(38,1)");
  expect(filters.flatMap(textsOf)).toEqual(["-9007199254740993.3", "-9007199254740993.2"]);
});

test.each([
  ["float64", "0.1", 0.3, "0.4"],
  ["float64", "0.1", -0.1, "0"],
  ["float32", "0.1", 0.6, "0.7"],
  ["float64", "2.5e-7", 0, "2.5e-7"],
  ["float32", "0.1", 16777216, "16777217.1"], // the first decimal that a float32 tells from the label
  ["float64", "1e3", -1000, "0"],
])(
  "a band of a %s of width %s from %s ends before %s, which a filter reads as the next edge",
  (type, width, low, to) => {
    const filters = groupFilters({ column: "x", width: new LosslessNumber(width), as: "x_from" }, low, type);
    expect(filters.map((filter) => [filter.operator, ...textsOf(filter)])).toEqual([
      ["gte", String(low)],
      ["lt", to],
    ]);
  },
);

test("null, NaN and infinities are groups of their own", () => {
  const group: ViewGroup = { column: "x", width: new LosslessNumber("0.1"), as: "x_from" };
  for (const value of ["NaN", "Infinity", "-Infinity"])
    expect(groupFilters(group, value, "float64")).toEqual([{ column: "x", operator: "eq", value }]);
});

test("nulls form a separate group, and the last span of time has no end", () => {
  expect(groupFilters(spans("month"), null, "date")).toEqual([{ column: "at", operator: "is_null" }]);
  expect(groupFilters(spans("year"), "9999-01-01", "date")).toHaveLength(1);
});

test("parts of the calendar lead to no rows: no filter selects an hour of all days", () => {
  expect(leadsToRows({ group_by: [spans("month")] })).toBe(true);
  expect(leadsToRows({ group_by: [spans("month"), spans("hour_of_day")] })).toBe(false);
  expect(leadsToRows({ group_by: [] })).toBe(false);
});

test("the group of a list's item leads to the rows that have it; that of a null item, and of a length, to none", () => {
  const items: ViewGroup = { column: "tags", bucket: "element", as: "tag" };
  expect(groupFilters(items, "us", "list<string>")).toEqual([{ column: "tags", operator: "has", value: "us" }]);
  expect(leadsToRows({ group_by: [items] }, { tag: "us" })).toBe(true);
  expect(leadsToRows({ group_by: [items] }, { tag: null })).toBe(false);
  expect(leadsToRows({ group_by: [{ column: "tags", bucket: "length" }] })).toBe(false);
});
