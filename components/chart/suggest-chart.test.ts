import { describe, expect, test } from "vitest";
import type { ChartColumn, ChartRow } from "./chart-spec";
import { suggestChart } from "./suggest-chart";

const column = (name: string, type: string): ChartColumn => ({ name, type });
const NONE = { groups: [], orders: [] };
const rowsOf = (count: number, make: (at: number) => ChartRow): ChartRow[] =>
  Array.from({ length: count }, (_, at) => make(at));

describe("a grouped result", () => {
  const count = column("flights", "int64");
  test.each<[string, ChartColumn[], string[], (at: number) => ChartRow, object]>([
    [
      "text and a number are bars",
      [column("origin", "string"), count],
      ["origin"],
      (at) => ({ origin: `o${at}`, flights: at }),
      { kind: "bar", x: "origin", y: "flights" },
    ],
    [
      "time and a number are a line",
      [column("day", "date"), count],
      ["day"],
      (at) => ({ day: `2001-01-0${at + 1}`, flights: at }),
      { kind: "line", x: "day", y: "flights" },
    ],
    [
      "years and a number are a line",
      [column("year", "int32"), count],
      ["year"],
      (at) => ({ year: 1990 + at, flights: at }),
      { kind: "line", x: "year", y: "flights" },
    ],
    [
      "months are bars in their order",
      [column("month", "int32"), count],
      ["month"],
      (at) => ({ month: at, flights: at }),
      { kind: "bar", x: "month", y: "flights" },
    ],
    [
      "a second group is the series, time before it",
      [column("location", "string"), column("day", "date"), count],
      ["location", "day"],
      (at) => ({ location: `l${at % 2}`, day: `2001-01-0${at + 1}`, flights: at }),
      { kind: "line", x: "day", y: "flights", series: "location" },
    ],
  ])("%s", (_name, columns, groups, make, chart) =>
    expect(suggestChart(columns, { groups, orders: [] }, rowsOf(5, make))).toEqual(chart),
  );

  test("without a number nothing is drawn", () => {
    expect(
      suggestChart(
        [column("origin", "string")],
        { groups: ["origin"], orders: [] },
        rowsOf(3, (at) => ({ origin: at })),
      ),
    ).toBeUndefined();
  });
});

describe("rows", () => {
  const [delay, distance] = [column("delay", "int32"), column("distance", "int32")];
  test.each<[string, ChartColumn[], (at: number) => ChartRow, object | undefined]>([
    ["one number is a histogram", [delay], (at) => ({ delay: at % 3 }), { kind: "histogram", x: "delay", y: "" }],
    [
      "two numbers are points",
      [delay, distance],
      (at) => ({ delay: at, distance: at * 2 }),
      { kind: "scatter", x: "delay", y: "distance" },
    ],
    [
      "places are a map",
      [column("latitude", "float64"), column("longitude", "float64")],
      (at) => ({ latitude: at, longitude: -at }),
      { kind: "map", x: "longitude", y: "latitude" },
    ],
    [
      "time in order is a line",
      [column("at", "timestamp"), delay],
      (at) => ({ at: `2001-01-0${at + 1}T00:00:00Z`, delay: at }),
      { kind: "line", x: "at", y: "delay" },
    ],
    [
      "several rows at a time are points",
      [column("at", "date"), delay],
      (at) => ({ at: at < 5 ? "2001-01-01" : "2001-01-02", delay: at }),
      { kind: "scatter", x: "at", y: "delay" },
    ],
    [
      "names and numbers are bars",
      [column("name", "string"), delay],
      (at) => ({ name: `n${at}`, delay: at }),
      { kind: "bar", x: "name", y: "delay" },
    ],
    [
      "codes are no quantities",
      [column("zip_code", "int32"), column("id", "int64")],
      (at) => ({ zip_code: at, id: at }),
      undefined,
    ],
  ])("%s", (_name, columns, make, chart) => expect(suggestChart(columns, NONE, rowsOf(9, make))).toEqual(chart));

  test("one row gives no chart", () => expect(suggestChart([delay], NONE, [{ delay: 1 }])).toBeUndefined());
});
