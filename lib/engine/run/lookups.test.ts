import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Engine, openEngine } from "@/lib/engine/duckdb/engine";
import { parseJsonBody } from "@/lib/engine/grammar/body";
import { ask, column, type EngineFixture, openFixture, rejection, seal } from "@/lib/testing/engine-fixture";
import { evaluate, type Query, readTable, type Table } from "@/lib/testing/evaluator";
import { propertyParameters } from "@/lib/testing/property";
import type { SealedVersion } from "./sealed-version";

type Sealed = SealedVersion & { parquetPath: string };

let fixture: EngineFixture;
let onCopies: Engine;
let visits: Sealed;
let places: Sealed;
let days: Sealed;
let stored: Table[];

/** A version of another table, with its own ids. */
const another = (version: Sealed, number: number, primaryKey: string[]): Sealed => ({
  ...version,
  tableId: `00000000-0000-4000-8000-00000000010${number}`,
  versionId: `00000000-0000-4000-8000-00000000020${number}`,
  primaryKey,
});

beforeAll(async () => {
  fixture = await openFixture("lookups");
  onCopies = await openEngine({ ...fixture.options, copiesMb: 256 });
  visits = await seal(
    fixture,
    "visits",
    // keys with no partner, nulls, and values that only one of two integer types can hold
    `SELECT CASE WHEN i % 11 = 0 THEN NULL WHEN i % 13 = 0 THEN -1 ELSE (i * 7) % 50 END::BIGINT AS place,
      CASE WHEN i % 17 = 0 THEN NULL ELSE chr((65 + i % 5)::INTEGER) END AS area,
      DATE '2024-01-01' + ((i * 3) % 40)::INTEGER AS day, (i % 9)::INTEGER AS people,
      TIMESTAMPTZ '2024-01-01 00:00:00+00' + to_hours((i % 30)::INTEGER) AS at FROM range(20000) r(i)`,
    [
      column("place", "int64", "BIGINT"),
      column("area", "string", "VARCHAR"),
      column("day", "date", "DATE"),
      column("people", "int32", "INTEGER"),
      column("at", "timestamp", "TIMESTAMP WITH TIME ZONE"),
    ],
    "snappy",
  );
  const sealedPlaces = await seal(
    fixture,
    "places",
    `SELECT (i % 45)::UTINYINT AS id, chr((65 + i // 45)::INTEGER) AS area,
      CASE WHEN i % 6 = 0 THEN NULL ELSE 'place ' || (i % 8) END AS name, (i % 80)::DOUBLE AS lat,
      (i * 3 % 170)::DOUBLE AS lon FROM range(225) r(i)`,
    [
      column("id", "uint8", "UTINYINT"),
      column("area", "string", "VARCHAR"),
      column("name", "string", "VARCHAR"),
      column("lat", "float64", "DOUBLE"),
      column("lon", "float64", "DOUBLE"),
    ],
    "snappy",
  );
  const sealedDays = await seal(
    fixture,
    "days",
    "SELECT TIMESTAMPTZ '2024-01-01 00:00:00+00' + to_hours(i::INTEGER) AS at, 'hour ' || i AS label FROM range(24) r(i)",
    [column("at", "timestamp", "TIMESTAMP WITH TIME ZONE"), column("label", "string", "VARCHAR")],
    "snappy",
  );
  places = another(sealedPlaces, 1, ["id", "area"]);
  days = another(sealedDays, 2, ["at"]);
  stored = await Promise.all([visits, places, days].map((each) => readTable(each.parquetPath, each.columns)));
  // the first query of each builds its read copy
  await ask(onCopies, { ...visits, lookups: [places, days] }, { columns: ["place"], lookups: [OF_PLACES, OF_DAYS] });
  await onCopies.copies.settled();
});

afterAll(async () => {
  await onCopies.close();
  await fixture.close();
});

const OF_PLACES = {
  table_id: "00000000-0000-4000-8000-000000000101",
  on: { id: "place", area: "area" },
  columns: ["name", "lat", "lon"],
  as: "p",
};
const OF_DAYS = {
  table_id: "00000000-0000-4000-8000-000000000102",
  on: { at: "at" },
  columns: ["label", "at"],
  as: "d",
};
const both = { lookups: [OF_PLACES, OF_DAYS] };

interface Reply {
  rows: Record<string, unknown>[];
  next_cursor: string | null;
  execution: { lookups: { as: string; missing: number }[]; total_rows?: number; scanned_bytes: number };
}

async function pages(body: object, limit: number, engines: readonly Engine[]) {
  const rows: unknown[][] = [];
  const missing = [0, 0];
  let cursor: string | null = null;
  for (let at = 0; at === 0 || cursor !== null; at += 1) {
    const { reply }: { reply: Reply } = await ask(
      engines[at % engines.length] as Engine,
      { ...visits, lookups: [places, days] },
      { ...both, ...body, limit, ...(cursor !== null && { cursor }) },
    );
    rows.push(...reply.rows.map((row) => Object.values(row)));
    for (const [nth, entry] of reply.execution.lookups.entries()) missing[nth] = (missing[nth] ?? 0) + entry.missing;
    cursor = reply.next_cursor;
  }
  return { rows, missing };
}

const expected = (body: object): unknown[][] =>
  evaluate(stored[0] as Table, parseJsonBody(JSON.stringify({ ...both, ...body })) as Query, stored.slice(1)).rows.map(
    (row) => row.map((cell) => (typeof cell === "bigint" ? Number(cell) : cell)),
  );

const QUERIES: readonly (readonly [name: string, body: { columns: string[]; [key: string]: unknown }])[] = [
  ["in the stored order", { columns: ["place", "p.name", "d.label"] }],
  [
    "filtered by a column that is looked up",
    { columns: ["p.lat"], filters: [{ column: "p.name", operator: "eq", value: "place 3" }] },
  ],
  [
    "rows without a partner",
    { columns: ["place"], filters: [{ column: "p.lat", operator: "is_null" }], order_by: [{ column: "place" }] },
  ],
  [
    "in an order by both tables",
    { columns: ["place", "p.name"], order_by: [{ column: "p.name", direction: "desc" }, { column: "people" }] },
  ],
  ["searched", { columns: ["d.label"], search: { text: "HOUR 7", columns: ["d.label"] } }],
  [
    "the first of each",
    { columns: ["p.name", "people"], order_by: [{ column: "people" }], top: { by: ["p.name", "d.label"], count: 2 } },
  ],
  [
    "near a place that is looked up",
    {
      columns: ["place", "distance_km"],
      near: { latitude: "p.lat", longitude: "p.lon", of: [30, 40], km: 3000 },
      order_by: [{ column: "distance_km" }],
    },
  ],
];

test.each(QUERIES)("columns of other tables: %s", async (_, body) => {
  const wanted = expected(body);
  expect(wanted.length).toBeGreaterThan(10);
  for (const engine of [fixture.engine, onCopies]) {
    const { rows } = await pages(body, 10_000, [engine]);
    expect(rows.length).toBe(wanted.length);
    expect(rows).toEqual(wanted);
  }
  const some = body.columns.includes("d.label") || "near" in body ? 7000 : 3000;
  expect((await pages(body, some, [onCopies, fixture.engine])).rows).toEqual(wanted);
});

test("groups, aggregates and having may name them; missing counts all rows that match", async () => {
  const body = {
    columns: [],
    group_by: ["p.name"],
    aggregates: [
      { function: "count", as: "n" },
      { function: "max", column: "p.lat", as: "north" },
      { function: "count", as: "known", filters: [{ column: "d.label", operator: "is_not_null" }] },
    ],
    having: [{ column: "n", operator: "gt", value: 100 }],
    order_by: [{ column: "n", direction: "desc" }],
  };
  const { reply } = await ask(onCopies, { ...visits, lookups: [places, days] }, { ...both, ...body });
  expect(reply.rows.map((row: object) => Object.values(row))).toEqual(expected(body));
  expect(reply.columns.map(({ name, type }: { name: string; type: string }) => [name, type])).toEqual([
    ["p.name", "string"],
    ["n", "int64"],
    ["north", "float64"],
    ["known", "int64"],
  ]);
  const missing = [{ column: "p.lat", operator: "is_null" }];
  const counted = expected({ columns: [], filters: missing, aggregates: [{ function: "count", as: "n" }] });
  expect(reply.execution.lookups).toEqual([
    { as: "p", missing: counted[0]?.[0] },
    { as: "d", missing: expected({ columns: ["at"], filters: [{ column: "d.label", operator: "is_null" }] }).length },
  ]);
});

test("buckets, widths, quantiles, totals and notes of columns that are looked up", async () => {
  const version = { ...visits, lookups: [places, days] };
  for (const group of [
    { column: "p.lat", width: 7, as: "lat" },
    { column: "d.at", bucket: "hour", zone: "Australia/Lord_Howe" },
    { column: "d.at", bucket: "day", as: "day" },
    { column: "p.name", bucket: "length", as: "letters" },
  ]) {
    const aggregates = [
      { function: "count", as: "n" },
      { function: "median", column: "p.lon", as: "m" },
    ];
    const body = { columns: [], group_by: [group], aggregates, order_by: [{ column: "n", direction: "desc" }] };
    const more = { total: true, notes: true, filters: [{ column: "p.name", operator: "neq", value: "Place 1" }] };
    const wanted = expected({ ...body, ...more });
    for (const engine of [fixture.engine, onCopies]) {
      const { reply } = await ask(engine, version, { ...both, ...body, ...more });
      expect(reply.rows.map((row: object) => Object.values(row).slice(-2))).toEqual(wanted.map((row) => row.slice(-2)));
      expect(reply.execution.total_rows).toBe(wanted.length);
      const left = expected({ columns: ["at"], filters: [{ column: "p.name", operator: "is_null" }] }).length;
      expect(reply.execution.notes).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ code: "nulls_left_out", pointer: "/filters/0", count: left }),
        ]),
      );
    }
  }
  const absent = {
    columns: ["place"],
    filters: [{ column: "p.name", operator: "eq", value: "place 99" }],
    notes: true,
  };
  const { reply } = await ask(onCopies, version, { ...both, ...absent });
  expect(reply.execution.notes[0].message).toBe(
    "No row has “place 99” in the column p.name. Group by it to see its values.",
  );
});

test("missing counts the rows of each page, and rows never multiply", async () => {
  const { rows, missing } = await pages({ columns: ["place"], total: true }, 999, [onCopies, fixture.engine]);
  expect(rows).toHaveLength(20_000);
  const without = (name: string) =>
    expected({ columns: ["at"], filters: [{ column: name, operator: "is_null" }] }).length;
  expect(missing).toEqual([without("p.lat"), without("d.label")]);
});

test("the reply names each version, and their bytes count as scanned", async () => {
  const body = { columns: ["place"] };
  const { reply } = await ask(fixture.engine, { ...visits, lookups: [places, days] }, { ...both, ...body });
  expect(Object.keys(reply)).toEqual([
    "schema_version",
    "query_id",
    "table",
    "lookups",
    "columns",
    "rows",
    "execution",
    "next_cursor",
  ]);
  expect(reply.lookups).toEqual(
    [places, days].map(({ tableId, versionId, digest, publishedAt }, at) => ({
      as: at === 0 ? "p" : "d",
      id: tableId,
      version_id: versionId,
      content_digest: `sha256:${digest}`,
      published_at: publishedAt,
    })),
  );
  const alone = await ask(fixture.engine, visits, body);
  expect(reply.execution.scanned_bytes).toBeGreaterThan(alone.reply.execution.scanned_bytes);
});

test("a cursor is bound to the versions, the tables and the columns of the lookups", async () => {
  const body = { columns: ["p.name"], limit: 5 };
  const version = { ...visits, lookups: [places] };
  const { reply } = await ask(fixture.engine, version, { ...body, lookups: [OF_PLACES] });
  const next = (lookup: object, of: SealedVersion = version) =>
    ask(fixture.engine, of, { ...body, lookups: [{ ...OF_PLACES, ...lookup }], cursor: reply.next_cursor });
  expect((await next({})).reply.rows).toHaveLength(5);
  const newer = { ...visits, lookups: [{ ...places, versionId: "00000000-0000-4000-8000-000000000999" }] };
  for (const other of [next({ columns: ["name"] }), next({ version_id: "3" }), next({}, newer)])
    expect((await rejection(other)).faults.map(({ code }) => code)).toEqual(["cursor_mismatch"]);
});

test("a lookup names the whole key, columns of one type that are no floats, and at most 5,000,000 rows", async () => {
  const faultsOf = async (lookup: object, other: SealedVersion = places) =>
    (
      await rejection(
        ask(
          fixture.engine,
          { ...visits, lookups: [other] },
          { columns: ["place"], lookups: [{ ...OF_PLACES, ...lookup }] },
        ),
      )
    ).faults.map(({ pointer, code }) => `${pointer} ${code}`);
  expect(await faultsOf({ on: { id: "place" } })).toEqual(["/lookups/0/on invalid_request"]);
  expect(await faultsOf({ on: { id: "area", area: "day" } })).toEqual([
    "/lookups/0/on/id operator_not_applicable",
    "/lookups/0/on/area operator_not_applicable",
  ]);
  expect(await faultsOf({ on: { id: "plaice", area: "area" } })).toEqual(["/lookups/0/on/id unknown_column"]);
  expect(await faultsOf({ columns: ["nam", "lat", "lat"] })).toEqual([
    "/lookups/0/columns/0 unknown_column",
    "/lookups/0/columns/2 duplicate_column",
  ]);
  expect(await faultsOf({ columns: [] })).toEqual(["/lookups/0/columns invalid_value"]);
  expect(await faultsOf({ as: "p.q" })).toEqual(["/lookups/0/as invalid_alias"]);
  expect(await faultsOf({}, { ...places, primaryKey: [] })).toEqual(["/lookups/0/on invalid_request"]);
  const floats = { ...places, primaryKey: ["lat"] };
  expect(await faultsOf({ on: { lat: "people" } }, floats)).toEqual(["/lookups/0/on/lat operator_not_applicable"]);
  const large = { ...places, rows: 5_000_001 };
  const tooLarge = ask(fixture.engine, { ...visits, lookups: [large] }, { columns: ["place"], lookups: [OF_PLACES] });
  expect((await rejection(tooLarge)).code).toBe("result_too_large");
  const dotted = { ...visits, columns: visits.columns.map((own, at) => (at === 3 ? { ...own, name: "P.name" } : own)) };
  const conflict = ask(fixture.engine, { ...dotted, lookups: [places] }, { columns: ["place"], lookups: [OF_PLACES] });
  expect((await rejection(conflict)).faults.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([
    "/lookups/0/as alias_conflict",
  ]);
  const twice = ask(
    fixture.engine,
    { ...visits, lookups: [places, places] },
    { columns: ["place"], lookups: [OF_PLACES, { ...OF_PLACES, as: "P" }] },
  );
  expect((await rejection(twice)).faults.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([
    "/lookups/1/as alias_conflict",
  ]);
});

test("random tables and keys: every row has the columns of its only partner, or nulls", async () => {
  const kind = fc.constantFrom(
    ["int16", "SMALLINT", "(x - 20)"],
    ["uint64", "UBIGINT", "(x + 18446744073709551574)"],
    ["decimal(9,2)", "DECIMAL(9,2)", "(x / 4.0)"],
    ["string", "VARCHAR", "('k' || x)"],
    ["date", "DATE", "(DATE '1999-12-20' + x::INTEGER)"],
    ["uuid", "UUID", "('00000000-0000-4000-8000-' || lpad(x::VARCHAR, 12, '0'))"],
    ["boolean", "BOOLEAN", "(x % 2 = 0)"],
  );
  let made = 0;
  await fc.assert(
    fc.asyncProperty(kind, fc.nat(60), fc.nat(300), fc.nat(9), async ([type, storage, sql], keys, rows, salt) => {
      made += 1;
      const unique = type === "boolean" ? Math.min(keys, 2) : keys;
      const cell = (x: string) => `CAST(${sql.replaceAll("x", `(${x})`)} AS ${storage})`;
      const own = await seal(
        fixture,
        `own ${made}`,
        `SELECT CASE WHEN hash(i) % 7 = ${salt % 7} THEN NULL ELSE ${cell(`(hash(i + ${salt}) % 41)::BIGINT`)} END AS k, ` +
          `i::INTEGER AS n FROM range(${rows}) r(i)`,
        [column("k", type, storage), column("n", "int32", "INTEGER")],
        "snappy",
      );
      const keyed = await seal(
        fixture,
        `keyed ${made}`,
        `SELECT ${cell("i")} AS k, CASE WHEN i % 5 = 0 THEN NULL ELSE 'v' || i END AS v FROM range(${unique}) r(i) ` +
          "ORDER BY hash(i)",
        [column("k", type, storage), column("v", "string", "VARCHAR")],
        "snappy",
      );
      const other = another(keyed, 3, ["k"]);
      const body = {
        columns: ["n", "f.v"],
        lookups: [{ table_id: other.tableId, on: { k: "k" }, columns: ["v"], as: "f" }],
        limit: 10_000,
      };
      const tables = await Promise.all([own, other].map((each) => readTable(each.parquetPath, each.columns)));
      const wanted = evaluate(tables[0] as Table, parseJsonBody(JSON.stringify(body)) as Query, tables.slice(1));
      const { reply } = await ask(fixture.engine, { ...own, lookups: [other] }, body);
      expect(reply.rows.map(({ n, ...found }: Record<string, unknown>) => [n, found["f.v"]])).toEqual(
        wanted.rows.map(([n, v]) => [Number(n), v]),
      );
    }),
    propertyParameters(20),
  );
});
