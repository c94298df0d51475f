import { describe, expect, test } from "vitest";
import type { Column } from "@/lib/schemas/column";
import { tableChart } from "./table-chart";

const ROWS = 1000;

interface Kind {
  distinct?: number;
  /** Rows of the most frequent value. */
  top?: number;
  nulls?: number;
  unit?: string;
  profile?: object;
}

const column = (name: string, type: string, { distinct = ROWS, top = 1, nulls = 0, unit, profile }: Kind = {}) =>
  ({
    ...{ name, type, unit: unit ?? null },
    profile: {
      null_count: nulls,
      distinct_count: { value: distinct, exact: true },
      top_values: [{ value: "x", count: top }],
      ...profile,
    },
  }) as unknown as Column;

const number = (name: string, type: string, ends: readonly number[], more: Kind = {}) => {
  const [min, p25, p75, max] = ends;
  return column(name, type, { ...more, profile: { min, max, quantiles: { p25, p75 } } });
};
const time = (name: string, counts: readonly number[], more: Kind = {}) =>
  column(name, "date", {
    ...more,
    profile: { min: "2001-01-01", max: "2010-12-31", histogram: { edges: [], counts } },
  });

const EVEN = [10, 10, 10, 10];
const UNEVEN = [1, 90, 2, 30];
const temperature = number("temperature", "float64", [-10, 5, 20, 35], { unit: "Cel" });
const wind = number("wind", "float64", [0, 2, 4, 30], { unit: "m/s" });
const minor = number("minor", "int32", [0, 3, 12, 24], { distinct: 25 });
const zone = number("zone", "int32", [-600, -480, -480, 0], { unit: "min" });
const url = column("url", "string");
const city = column("city", "string", { distinct: 2, top: 500 });

describe("the first chart of a table, by the kinds of its columns", () => {
  test.each<[string, Column[], object | undefined]>([
    [
      "one row at each time is a line of a measurement",
      [time("day", EVEN), temperature],
      { kind: "line", x: "day", y: "temperature" },
    ],
    [
      "one row at each time and place is a line for each place",
      [city, time("day", EVEN, { distinct: 500 }), temperature],
      { kind: "line", x: "day", y: "temperature", series: "city" },
    ],
    [
      "events are counted over time, not drawn by a number that they happen to have",
      [time("day", UNEVEN), zone, minor],
      { kind: "bar", step: "quarter", x: "day", y: "" },
    ],
    [
      "places are coloured by what varies most",
      [
        number("longitude", "float64", [-180, 0, 10, 180]),
        number("latitude", "float64", [-90, 0, 10, 90]),
        zone,
        wind,
        temperature,
      ],
      { kind: "map", x: "longitude", y: "latitude", series: "temperature" },
    ],
    [
      "measurements are drawn against each other, by kind",
      [city, wind, temperature],
      { kind: "scatter", x: "wind", y: "temperature", series: "city" },
    ],
    ["a single measurement is a histogram", [url, temperature], { kind: "histogram", x: "temperature", y: "" }],
    ["rows are counted by kind rather than by parts of numbers", [url, minor, city], { kind: "bar", x: "city", y: "" }],
    [
      "a time at which most rows are is no axis",
      [time("added", UNEVEN, { top: 800 }), city],
      { kind: "bar", x: "city", y: "" },
    ],
    [
      "yes and no are kinds",
      [url, column("approved", "boolean", { profile: { true_count: 200 } })],
      { kind: "bar", x: "approved", y: "" },
    ],
    ["what is mostly missing is not drawn", [column("prefix", "string", { distinct: 3, nulls: 900 }), url], undefined],
    ["names alone are no chart", [url], undefined],
  ])("%s", (_name, columns, chart) => expect(tableChart(columns, ROWS)).toEqual(chart));

  test("a single row has none", () => expect(tableChart([temperature, wind], 1)).toBeUndefined());
});
