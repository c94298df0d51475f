import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseJsonBody } from "@/lib/engine/grammar/body";
import { insideContext } from "@/lib/http/context";
import type { Failure } from "@/lib/kernel/errors";
import { closeReadingEngine } from "@/lib/operations/reading/reading-engine";
import type { Profile } from "@/lib/schemas/column";
import { rowProfileSchema } from "@/lib/schemas/table";
import { useTestState } from "@/lib/testing/database";
import { publishFile, publishText } from "@/lib/testing/publish-text";
import { execute } from "./execute";
import { getSchema } from "./get-schema";
import { profileTableRowsAnonymously } from "./profile-rows";

useTestState();

interface Row {
  place: string | null;
  count: number | null;
  share: number | null;
  day: string;
  at: string | null;
  open: boolean | null;
  note: string;
}

const NAMES = ["place", "count", "share", "day", "at", "open", "note"] as const;
const ROWS: Row[] = Array.from({ length: 900 }, (_, n) => {
  const random = Math.abs(Math.sin(n * 12.9898) * 43758.5453) % 1;
  const second = new Date(Date.UTC(2001, 0, 1) + n * 86_400_000 + Math.floor(random * 86_400) * 1000);
  return {
    place: n % 11 === 0 ? null : `place ${Math.floor(random * 7)}`,
    count: n % 13 === 0 ? null : Math.floor(random ** 3 * 5000),
    share: n % 17 === 0 ? null : Math.round(random * 1e6) / 1e6,
    day: second.toISOString().slice(0, 10),
    at: n % 19 === 0 ? null : second.toISOString().replace(".000", ""),
    open: n % 5 === 0 ? null : random < 0.3,
    note: `note ${n} of them`,
  };
});

const folder = mkdtempSync(join(tmpdir(), "parquetry-profile-rows-"));
let tableId = "";
let whole: Record<string, Profile> = {};

beforeAll(async () => {
  const lines = ROWS.map((row) => NAMES.map((name) => row[name] ?? "").join(","));
  ({ table_id: tableId } = await publishText("visits", `${NAMES.join(",")}\n${lines.join("\n")}\n`));
  whole = await profilesOf(tableId);
});

afterAll(async () => {
  await closeReadingEngine();
  rmSync(folder, { recursive: true, force: true });
});

async function profile(body: object, table_id = tableId) {
  const input = { path: { table_id }, query: {}, body: parseJsonBody(JSON.stringify(body)) as never };
  return rowProfileSchema.parse(await execute(profileTableRowsAnonymously, input, insideContext()));
}

async function profilesOf(table_id: string): Promise<Record<string, Profile>> {
  const { columns } = await execute(getSchema, { path: { table_id }, query: {} }, insideContext());
  return Object.fromEntries(columns.map(({ name, profile: whole }) => [name, whole]));
}

/** The bin of a value, by its place on the scale that the edges are on. */
function binOf(value: string | number, edges: readonly unknown[]): number {
  const scaled = (each: unknown) => (typeof each === "number" ? each : Date.parse(String(each)));
  const after = edges.findIndex((edge) => scaled(edge) > scaled(value));
  return after < 0 ? edges.length - 2 : after - 1;
}

/** The same counts, row by row. */
function counted(rows: readonly Row[]) {
  return NAMES.map((name) => {
    const values = rows.flatMap((row) => row[name] ?? []);
    const { histogram, true_count } = whole[name] ?? {};
    const null_count = rows.length - values.length;
    if (true_count !== undefined) return { null_count, true_count: values.filter((value) => value === true).length };
    if (histogram) {
      const counts = histogram.counts.map(() => 0);
      for (const value of values) {
        const bin = binOf(value as string | number, histogram.edges);
        counts[bin] = (counts[bin] ?? 0) + 1;
      }
      return { null_count, histogram: { ...histogram, counts } };
    }
    const found = [...Map.groupBy(values, (value) => value)].map(([value, same]) => ({ value, count: same.length }));
    const top = found.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1)).slice(0, 20);
    return { null_count, top_values: top };
  });
}

test("over all rows, it is the profile of the schema", async () => {
  const found = await profile({ columns: [...NAMES] });
  expect(found.rows).toBe(ROWS.length);
  for (const { name, profile: counts } of found.columns) expect(whole[name]).toMatchObject(counts);
  expect(found.columns.map(({ profile: counts }) => Object.keys(counts).at(-1))).toEqual([
    "top_values",
    "histogram",
    "histogram",
    "histogram",
    "histogram",
    "true_count",
    "top_values",
  ]);
});

test("it counts the rows that match alone, whatever they are matched by", async () => {
  const filters = fc.array(
    fc.oneof(
      fc.integer({ min: 0, max: 5000 }).map((value) => ["count", "lte", value] as const),
      fc.integer({ min: 0, max: 6 }).map((n) => ["place", "eq", `place ${n}`] as const),
      fc.constant(["open", "is_null", null] as const),
      fc.integer({ min: 0, max: 899 }).map((n) => ["day", "gte", ROWS[n]?.day ?? ""] as const),
    ),
    { maxLength: 3 },
  );
  const holds = (row: Row, [name, operator, value]: readonly [keyof Row, string, unknown]) => {
    const cell = row[name];
    if (operator === "is_null") return cell === null;
    if (cell === null) return false;
    if (operator === "lte") return (cell as number) <= (value as number);
    return operator === "gte" ? (cell as string) >= (value as string) : cell === value;
  };
  await fc.assert(
    fc.asyncProperty(filters, fc.option(fc.integer({ min: 0, max: 9 })), async (wanted, digit) => {
      const matching = ROWS.filter(
        (row) => wanted.every((each) => holds(row, each)) && (digit === null || row.note.includes(`${digit} of`)),
      );
      const found = await profile({
        columns: [...NAMES],
        filters: wanted.map(([column, operator, value]) => ({ column, operator, ...(value !== null && { value }) })),
        ...(digit !== null && { search: { text: `${digit} OF`, columns: ["note"] } }),
      });
      expect(found.rows).toBe(matching.length);
      expect(found.columns.map(({ profile: counts }) => counts)).toEqual(counted(matching));
    }),
    { numRuns: 40 },
  );
});

test("over all rows of every other type, it is the profile of the schema too", async () => {
  const path = join(folder, "types.parquet");
  const types = {
    wide: "(9007199254740993 + i * 1000003)::BIGINT",
    unsigned: "(18446744073709551615 - i)::UBIGINT",
    money: "((i * 7919) % 100000 / 100)::DECIMAL(12,2)",
    fine: "((i * 7919) % 100000 / 1e9)::DECIMAL(30,12)",
    real: "CASE i % 50 WHEN 0 THEN 'nan' WHEN 1 THEN 'inf' WHEN 2 THEN '-inf' ELSE sin(i) * exp(i % 30) END::DOUBLE",
    zero: "CASE i % 3 WHEN 0 THEN '-0.0' WHEN 1 THEN '0.0' ELSE 'nan' END::DOUBLE",
    single: "(i % 64)::FLOAT",
    clock: "make_time((i % 24)::BIGINT, 0, 0)",
    instant: "TIMESTAMPTZ '1969-01-01 00:00:00+00' + INTERVAL (i * 37) MINUTE",
    id: "md5(i::VARCHAR)::UUID",
    words: "[(i % 3)::VARCHAR]",
    bytes: "(i % 5)::VARCHAR::BLOB",
    long: "repeat('x', (i % 4 * 100)::INT)",
    same: "7",
    none: "NULL::INTEGER",
  };
  const duckdb = await DuckDBInstance.create(":memory:");
  const connection = await duckdb.connect();
  const columns = Object.entries(types).map(([name, sql]) => `${sql} AS ${name}`);
  await connection.run(`COPY (SELECT ${columns.join(", ")} FROM range(1000) AS r(i)) TO '${path}' (FORMAT parquet)`);
  connection.closeSync();
  const { table_id } = await publishFile("types", path);
  const profiles = await profilesOf(table_id);
  const found = await profile({ columns: Object.keys(types) }, table_id);
  expect(found.rows).toBe(1000);
  for (const { name, profile: counts } of found.columns) expect.soft(profiles[name], name).toMatchObject(counts);
  expect(
    found.columns.filter(({ profile: counts }) => Object.keys(counts).length === 1).map(({ name }) => name),
  ).toEqual(["words", "bytes", "none"]);
});

test("what would change which rows match, or is about pages, is rejected by name", async () => {
  const failure = async (body: object): Promise<Failure> => await profile(body).then(Promise.reject, (error) => error);
  const { faults } = await failure({ columns: ["place"], group_by: ["place"], limit: 3, top: { by: [], count: 1 } });
  expect(faults.map(({ pointer }) => pointer)).toEqual(["/limit", "/group_by", "/top"]);
  expect((await failure({ columns: [] })).faults).toMatchObject([{ pointer: "/columns" }]);
  expect((await failure({ columns: ["plaice"] })).faults).toMatchObject([{ didYouMean: "place" }]);
});
