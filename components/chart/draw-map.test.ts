import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ChartColumn, ChartRow } from "./chart-spec";
import { drawChart } from "./draw-chart";
import type { Drawing } from "./drawing";
import { loadLand } from "./land";
import { detailFor } from "./land-detail";
import { mapFrame } from "./map-frame";
import { placesOf } from "./places";

const SPEC = { kind: "map", x: "longitude", y: "latitude" } as const;
const COLUMNS: ChartColumn[] = [
  { name: "longitude", type: "float64" },
  { name: "latitude", type: "float64" },
  { name: "n", type: "int64" },
];
const CALIFORNIA = [
  { longitude: -122.4, latitude: 37.8, n: 3 },
  { longitude: -117.1, latitude: 32.7, n: 5 },
];

function drawn(rows: readonly ChartRow[], width: number, ...more: Parameters<typeof drawChart>[4][]): Drawing {
  const drawing = drawChart(SPEC, COLUMNS, rows, width, ...more);
  if ("problem" in drawing) throw new Error(drawing.problem);
  return drawing;
}

const place = fc.record({
  longitude: fc.oneof(fc.double({ min: -180, max: 180, noNaN: true }), fc.constantFrom(-180, 180, null, "NaN", 720)),
  latitude: fc.oneof(fc.double({ min: -90, max: 90, noNaN: true }), fc.constantFrom(-90, 90, null, 1e9)),
});

test("whatever the places, a map draws them inside its frame or says why not", () => {
  fc.assert(
    fc.property(fc.array(place, { maxLength: 40 }), fc.integer({ min: 220, max: 1400 }), (rows, width) => {
      const result = drawChart(SPEC, COLUMNS, rows as ChartRow[], width);
      if ("problem" in result) {
        expect(result.problem).toMatch(/^(No rows|None of these rows)/);
        return;
      }
      const { plot } = result;
      for (const { x, y } of result.marks) {
        expect(x).toBeGreaterThanOrEqual(plot.left - 1);
        expect(x).toBeLessThanOrEqual(plot.left + plot.width + 1);
        expect(y).toBeGreaterThanOrEqual(plot.top - 1);
        expect(y).toBeLessThanOrEqual(plot.top + plot.height + 1);
      }
      expect(result.height).toBeLessThan(640);
    }),
    { numRuns: 150 },
  );
});

describe("a rectangle of a map is a range of both axes", () => {
  test.each([
    ["a region", [-124, -114], [32, 42]],
    ["the world", [-179, 179], [-85, 85]],
    ["one place", [7, 7], [47, 47]],
  ] as const)("%s: positions lead back to their degrees", (_name, longitudes, latitudes) => {
    const { x, y } = mapFrame({ width: 700, height: 0 }, longitudes, latitudes);
    for (const value of longitudes) expect(x.value(x.at(value))).toBeCloseTo(value, 6);
    for (const value of latitudes) expect(y.value(y.at(value))).toBeCloseTo(value, 6);
    expect(y.at(latitudes[1])).toBeLessThanOrEqual(y.at(latitudes[0]));
  });
});

test("land is drawn inside the map, coarse for the world and fine for a region", async () => {
  expect(detailFor(SPEC, CALIFORNIA)).toBe("region");
  expect(detailFor(SPEC, [{ longitude: -120 }, { longitude: 100 }])).toBe("world");
  const drawing = drawn(CALIFORNIA, 600, await loadLand("region"));
  const numbers = (drawing.map?.land.match(/-?\d+(\.\d+)?/g) ?? []).map(Number);
  expect(numbers.length).toBeGreaterThan(100);
  expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...numbers)).toBeLessThanOrEqual(600);
  expect(drawing.map?.borders).toContain("M");
  expect(drawing.map?.land).not.toMatch(/NaN|Infinity/);
  expect(drawn(CALIFORNIA, 600).map).toBeUndefined();
});

test("a place is named by both of its coordinates, and has the values of its row", () => {
  const [mark] = drawn(CALIFORNIA, 600).marks;
  expect(mark?.facts[0]).toEqual({ name: "latitude, longitude", value: "37.8, -122.4" });
  expect(drawn([{ longitude: 500, latitude: 3 }, ...CALIFORNIA], 600).notes).toEqual([
    "Not shown: 1 place beyond 180° longitude or 90° latitude.",
  ]);
});

test("columns of places are recognised by their names", () => {
  const named = (...names: string[]) => placesOf(names.map((name) => ({ name, type: "float64" })));
  expect(named("id", "Latitude", "Longitude")).toEqual({ kind: "map", x: "Longitude", y: "Latitude" });
  expect(named("stop_lat", "stop_lon")).toEqual({ kind: "map", x: "stop_lon", y: "stop_lat" });
  expect(named("flat", "long")).toBeUndefined();
  expect(
    placesOf([
      { name: "lat", type: "string" },
      { name: "lon", type: "float64" },
    ]),
  ).toBeUndefined();
});
