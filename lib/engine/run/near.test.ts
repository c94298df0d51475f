import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Engine, openEngine } from "@/lib/engine/duckdb/engine";
import { parseJsonBody } from "@/lib/engine/grammar/body";
import { ask, column, type EngineFixture, openFixture, rejection, seal } from "@/lib/testing/engine-fixture";
import { evaluate, type Query, readTable, type Table } from "@/lib/testing/evaluator";
import { propertyParameters } from "@/lib/testing/property";
import type { SealedVersion } from "./sealed-version";

const PLACES = [
  ["new york", "40.7128", "-74.006"],
  ["new york again", "40.7128", "285.994"],
  ["newark", "40.7357", "-74.1724"],
  ["fiji", "-17.7134", "178.065"],
  ["samoa", "-13.759", "-172.1046"],
  ["north pole", "90", "12"],
  ["south pole", "-90", "360"],
  ["no latitude", "NULL", "1"],
  ["no longitude", "1", "NULL"],
  ["not a number", "'NaN'", "1"],
  ["infinite", "1", "'-Infinity'"],
  ["too far north", "90.00001", "1"],
  ["too far west", "1", "-180.00001"],
  ["too far east", "1", "360.00001"],
];
const COLUMNS = [
  column("name", "string", "VARCHAR"),
  column("lat", "float64", "DOUBLE"),
  column("lon", "float64", "DOUBLE"),
];

let fixture: EngineFixture;
let onCopies: Engine;
let places: SealedVersion;
let tables: { points: SealedVersion; stored: Table }[];

beforeAll(async () => {
  fixture = await openFixture("near");
  onCopies = await openEngine({ ...fixture.options, copiesMb: 256 });
  const rows = PLACES.map(([name, lat, lon]) => `('${name}', ${lat}::DOUBLE, ${lon}::DOUBLE)`);
  places = await seal(fixture, "places", `SELECT * FROM (VALUES ${rows.join(", ")}) v(name, lat, lon)`, COLUMNS);
  // longitudes are counted from -180 to 180, or to 360
  tables = [];
  for (const [name, west] of [
    ["signed", -180],
    ["unsigned", 0],
  ] as const) {
    const drawn = (salt: number) => `(hash(i * 2 + ${salt}) % 1000003) / 1000003.0`;
    const sealed = await seal(
      fixture,
      name,
      `SELECT 'p' || (i % 7) AS name, degrees(asin(2 * ${drawn(0)} - 1))::DOUBLE AS lat, ` +
        `(${drawn(1)} * 360 + ${west})::DOUBLE AS lon FROM range(20000) r(i) ORDER BY lat`,
      COLUMNS,
      "snappy",
    );
    tables.push({ points: sealed, stored: await readTable(sealed.parquetPath, sealed.columns) });
  }
});

afterAll(async () => {
  await onCopies.close();
  await fixture.close();
});

const near = (of: readonly number[], more: object = {}) => ({ latitude: "lat", longitude: "lon", of, ...more });

async function names(body: object): Promise<unknown[]> {
  const { reply } = await ask(fixture.engine, places, { columns: ["name", "distance_km"], ...body });
  return reply.rows.map((row: { name: string; distance_km: number | null }) => [row.name, row.distance_km]);
}

test("rows within a distance, nearest first, with their distances", async () => {
  const order_by = [{ column: "distance_km" }];
  expect(await names({ near: near([40.7128, -74.006], { km: 15 }), order_by })).toEqual([
    ["new york", 0],
    ["new york again", 0],
    ["newark", 14.252],
  ]);
});

test("the greatest distance is included, after rounding to metres", async () => {
  const count = async (km: number) => (await names({ near: near([40.7357, -74.1724], { km }) })).length;
  expect([await count(14.2519), await count(14.252), await count(14.2521)]).toEqual([1, 3, 3]);
});

test("across the antimeridian and round the poles; the farthest place is the antipode", async () => {
  expect(await names({ near: near([-16, 180], { km: 900 }) })).toEqual([
    ["fiji", 280.528],
    ["samoa", 884.22],
  ]);
  expect(await names({ near: near([90, -45], { km: 0.001 }) })).toEqual([["north pole", 0]]);
  expect(
    await names({ near: near([-90, 0], { km: 20_016 }), order_by: [{ column: "distance_km", direction: "desc" }] }),
  ).toEqual(expect.arrayContaining([["north pole", 20_015.114]]));
});

test("rows that are no place are in no distance, last in any order, and a note says how many they are", async () => {
  const all = await names({ near: near([0, 0]), order_by: [{ column: "distance_km", direction: "desc" }] });
  expect(all.filter((row) => (row as unknown[])[1] === null)).toEqual(PLACES.slice(7).map(([name]) => [name, null]));
  expect(all.slice(0, 7).every((row) => (row as unknown[])[1] !== null)).toBe(true);
  const { reply } = await ask(fixture.engine, places, {
    columns: ["name"],
    near: near([0, 0], { km: 20_016 }),
    filters: [{ column: "name", operator: "neq", value: "infinite" }],
    notes: true,
  });
  expect(reply.rows).toHaveLength(7);
  expect(reply.execution.notes).toEqual([
    {
      code: "nulls_left_out",
      pointer: "/near",
      message: "6 rows without a place in the columns lat and lon are left out by near.",
      count: 6,
    },
  ]);
});

test("groups, cells and totals are of the rows within the distance", async () => {
  const within = near([40.7128, -74.006], { km: 15 });
  const grouped = await ask(fixture.engine, places, {
    columns: [],
    near: within,
    aggregates: [{ function: "count", as: "n" }],
  });
  expect(grouped.reply.rows).toEqual([{ n: 3 }]);
  const cell = await ask(fixture.engine, places, {
    columns: [],
    near: near([90, 0], { km: 1 }),
    cell: { column: "name" },
  });
  expect(cell.reply.rows).toEqual([{ name: "north pole" }]);
  const counted = await ask(fixture.engine, places, { columns: ["name"], near: within, limit: 1, total: true });
  expect(counted.reply.execution.total_rows).toBe(3);
});

test("pages continue in the order of distances, and a cursor is of one place and distance", async () => {
  const body = { columns: ["name"], near: near([40.7128, -74.006]), order_by: [{ column: "distance_km" }], limit: 1 };
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const { reply }: { reply: { rows: { name: string }[]; next_cursor: string | null } } = await ask(
      fixture.engine,
      places,
      { ...body, ...(cursor !== null && { cursor }) },
    );
    seen.push(...reply.rows.map(({ name }) => name));
    cursor = reply.next_cursor;
  } while (cursor !== null);
  expect(seen).toHaveLength(PLACES.length);
  expect(new Set(seen).size).toBe(PLACES.length);
  expect(seen.slice(0, 3)).toEqual(["new york", "new york again", "newark"]);
  const { reply } = await ask(fixture.engine, places, body);
  const moved = { ...body, near: near([40.7128, -74.0061]), cursor: reply.next_cursor };
  expect((await rejection(ask(fixture.engine, places, moved))).faults[0]?.code).toBe("cursor_mismatch");
});

test("row groups outside the box are not read, and no row within is lost", async () => {
  const [{ points } = { points: places }] = tables;
  const scanned = async (km: number) => {
    const { reply } = await ask(fixture.engine, points, { columns: ["name"], near: near([60, 20], { km }) });
    return reply.execution.scanned_bytes;
  };
  expect(await scanned(100)).toBeLessThan((await scanned(20_000)) * 0.6);
  const place = fc.tuple(
    fc.oneof(fc.double({ min: -90, max: 90, noNaN: true }), fc.constantFrom(-90, 90, 0, 70, 89.999)),
    fc.oneof(fc.double({ min: -180, max: 360, noNaN: true }), fc.constantFrom(-180, 180, 360, 179.999, 0)),
  );
  const radius = fc.oneof(
    fc.double({ min: 1, max: 20_016, noNaN: true }),
    fc.double({ min: 500, max: 2500, noNaN: true }),
    fc.constantFrom(50, 500, 2000, 10_008, 20_015),
  );
  await fc.assert(
    fc.asyncProperty(place, radius, fc.nat(1), async (of, km, at) => {
      const { points, stored } = tables[at] as (typeof tables)[number];
      const body = JSON.stringify({
        columns: ["lat", "lon", "distance_km"],
        near: near(of, { km }),
        order_by: [{ column: "distance_km" }],
        limit: 10_000,
        total: true,
      });
      const expected = evaluate(stored, parseJsonBody(body) as Query).rows;
      for (const engine of [fixture.engine, onCopies]) {
        const { reply } = await ask(engine, points, body);
        expect(reply.execution.total_rows).toBe(expected.length);
        const rows = reply.rows.map(({ lat, lon, distance_km }: Record<string, number>) => [lat, lon, distance_km]);
        expect(rows).toEqual(expected.slice(0, 10_000));
      }
    }),
    propertyParameters(25),
  );
});
