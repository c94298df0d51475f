import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { withWriter } from "@/lib/engine/duckdb/duckdb";
import { type Engine, openEngine } from "@/lib/engine/duckdb/engine";
import { parseJsonBody } from "@/lib/engine/grammar/body";
import type { Note } from "@/lib/engine/plan/noted";
import { quoteLiteral } from "@/lib/engine/sql/identifier";
import { parseQuery, runQuery, type Tier } from "./query";
import type { SealedVersion } from "./sealed-version";

const TIER: Tier = { rowsMax: 100, bytesMax: 64 * 1024 };

let folder: string;
let engine: Engine;
let version: SealedVersion;
let times: SealedVersion;

/** Cities in capitals, one in small letters; every fourth name, every fifth list and all of `nothing` are null. */
const ROWS = `SELECT i AS id, CASE WHEN i = 7 THEN 'houston' ELSE ['HOUSTON', 'DALLAS', 'São Paulo'][i % 3 + 1] END AS city,
  CASE WHEN i % 4 > 0 THEN 'name ' || (i % 4) END AS name, (i / 4)::DECIMAL(6,2) AS price, i::DOUBLE AS ratio,
  DATE '2026-01-01' + i::INT AS day, (TIMESTAMP '2026-01-01 00:00:00' + INTERVAL (i) HOUR)::TIMESTAMPTZ AS at,
  CASE WHEN i % 5 = 0 THEN NULL WHEN i % 5 = 1 THEN [] ELSE ['.doc', '.txt'] END AS tags, [i, i + 1] AS numbers,
  i % 2 = 0 AS even, NULL::DOUBLE AS nothing FROM range(20) r(i)`;

const COLUMNS = [
  { name: "id", type: "int64", storage: "BIGINT" },
  { name: "city", type: "string", storage: "VARCHAR" },
  { name: "name", type: "string", storage: "VARCHAR" },
  { name: "price", type: "decimal(6,2)", storage: "DECIMAL(6,2)" },
  { name: "ratio", type: "float64", storage: "DOUBLE" },
  { name: "day", type: "date", storage: "DATE" },
  { name: "at", type: "timestamp", storage: "TIMESTAMP WITH TIME ZONE" },
  { name: "tags", type: "list<string>", storage: "VARCHAR[]" },
  { name: "numbers", type: "list<int64>", storage: "BIGINT[]" },
  { name: "even", type: "boolean", storage: "BOOLEAN" },
  { name: "nothing", type: "float64", storage: "DOUBLE" },
];

/**
 * Every day from 10 February 2020 to 29 November 2022 but for April 2021; `late` from 2021 on alone. `monthly` and
 * `weekly` have the starts of the days' months and weeks, `hourly` has 05:30 of each day.
 */
const TIMES = `SELECT d::DATE AS day, date_trunc('month', d)::DATE AS monthly, date_trunc('week', d)::DATE AS weekly,
  (d + INTERVAL 330 MINUTE)::TIMESTAMPTZ AS at, year(d) >= 2021 AS late, (dayofyear(d) // 100)::DOUBLE AS hundred
  FROM range(TIMESTAMP '2020-02-10', TIMESTAMP '2022-11-30', INTERVAL 1 DAY) r(d)
  WHERE date_trunc('month', d) <> DATE '2021-04-01'`;

const TIME_COLUMNS = [
  { name: "day", type: "date", storage: "DATE" },
  { name: "monthly", type: "date", storage: "DATE" },
  { name: "weekly", type: "date", storage: "DATE" },
  { name: "at", type: "timestamp", storage: "TIMESTAMP WITH TIME ZONE" },
  { name: "late", type: "boolean", storage: "BOOLEAN" },
  { name: "hundred", type: "float64", storage: "DOUBLE" },
];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parquetry-notes-"));
  engine = await openEngine({
    parquetDir: folder,
    copiesDir: join(folder, "copies"),
    tempDir: join(folder, "tmp"),
    threads: 1,
    memoryMb: 512,
    tempMb: 0,
    queriesAtOnce: 2,
    queueMs: 60_000,
    timeoutMs: 60_000,
    copiesMb: 0,
    readCacheMb: 8,
  });
  version = { ...(await written("401", ROWS, COLUMNS)), distinctCounts: async () => ({ city: 4, name: 3 }) };
  times = await written("501", TIMES, TIME_COLUMNS);
});

/** A version with these rows; the end of its id tells it from others. */
async function written(id: string, rows: string, columns: SealedVersion["columns"]): Promise<SealedVersion> {
  const path = join(folder, `${id}.parquet`);
  await withWriter({ tempDir: folder, memoryMb: 512, threads: 1 }, async (connection) => {
    await connection.run(`COPY (${rows}) TO ${quoteLiteral(path)} (FORMAT parquet)`);
  });
  return {
    tableId: "00000000-0000-4000-8000-000000000001",
    versionId: `f47ac10b-58cc-4372-a567-0e02b2c3d${id}`,
    digest: id.repeat(21),
    publishedAt: "2026-01-01T00:00:00.000Z",
    rows: 20,
    columns,
    withParquet: (read) => read(path),
    copyPath: join(folder, "copies", `${id}.duckdb`),
  };
}

afterAll(async () => {
  await engine.close();
  await rm(folder, { recursive: true, force: true });
});

async function ask(body: object, of: SealedVersion = version, tier = TIER) {
  const query = parseQuery(parseJsonBody(JSON.stringify(body)), tier, of.columns);
  const context = { secret: Buffer.from("a secret of the tests, of 32 bytes"), queryId: "qry_t", elapsedMs: () => 7 };
  const page = await runQuery(engine, of, query, tier, context);
  return JSON.parse(Buffer.from(page.body).toString());
}

/** The notes of a query, which has the same reply otherwise without them, and the same notes again. */
async function notesOf(body: object, of: SealedVersion = version): Promise<Note[]> {
  const without = await ask(body, of);
  const { notes, ...execution } = (await ask({ ...body, notes: true }, of)).execution;
  const again = await ask({ ...body, notes: true }, of);
  expect(again).toEqual({ ...without, execution: { ...without.execution, notes } });
  expect(execution).toEqual(without.execution);
  return notes;
}

/** The statements that a query runs. */
async function statementsOf(body: object, of: SealedVersion = version): Promise<string[]> {
  const statements: string[] = [];
  const run = engine.run.bind(engine);
  engine.run = (work, caller, timeoutMs) =>
    run(
      (session) =>
        work({
          ...session,
          all: (statement, recurs) => {
            statements.push(statement.sql);
            return session.all(statement, recurs);
          },
        }),
      caller,
      timeoutMs,
    );
  try {
    await ask(body, of);
    return statements;
  } finally {
    engine.run = run;
  }
}

const filtered = (...filters: object[]) => notesOf({ columns: ["id"], filters });
const filter = (column: string, operator: string, value?: unknown, more: object = {}) => ({
  column,
  operator,
  ...(value !== undefined && { value }),
  ...more,
});
const codes = (notes: readonly Note[]) => notes.map(({ code }) => code);
const count = { function: "count", as: "n" };

describe("value_not_found", () => {
  test.each([
    ["a string, in other case", "city", "eq", "Houston", ["HOUSTON", "houston"]],
    ["one edit per four letters, neither accents nor case", "city", "eq", "Sao Pablo", ["São Paulo"]],
    ["no near one", "city", "eq", "Oslo", undefined],
    ["an integer", "id", "eq", 99, undefined],
    ["a fraction in a column of integers", "id", "eq", 1.5, undefined],
    ["a decimal", "price", "eq", 0.3, undefined],
    ["a float", "ratio", "eq", 0.5, undefined],
    ["a date", "day", "eq", "2030-01-01", undefined],
    ["a timestamp", "at", "eq", "2026-01-01T00:30:00Z", undefined],
    ["an item of strings", "tags", "has", ".docx", undefined],
    ["an item of integers", "numbers", "has", 99, undefined],
  ])("%s", async (_, column, operator, value, near) => {
    const [note] = await filtered(filter(column, operator, value));
    expect(note).toMatchObject({ code: "value_not_found", pointer: "/filters/0/value" });
    expect(note?.values).toEqual(near);
    const shown = typeof value === "string" ? `“${value}”` : value;
    expect(note?.message.startsWith(`No row has ${shown} in the column ${column}. `)).toBe(true);
    expect(note?.message.endsWith(near ? "?" : " Group by it to see its values.")).toBe(true);
  });

  test.each([
    ["strings", filter("city", "eq", "DALLAS")],
    ["any case", filter("city", "eq", "dallas", { ignore_case: true })],
    ["integers", filter("id", "in", [1, 2])],
    ["decimals", filter("price", "eq", 0.25)],
    ["zeros", filter("ratio", "eq", 0)],
    ["dates", filter("day", "eq", "2026-01-02")],
    ["timestamps", filter("at", "eq", "2026-01-01T01:00:00Z")],
    ["items", filter("tags", "has", ".doc")],
    ["booleans", filter("even", "eq", true)],
  ])("none of values that some row has: %s", async (_, one) => {
    expect(await filtered(one)).toEqual([]);
  });

  test("it is of the version, whatever the other filters are", async () => {
    expect(codes(await filtered(filter("city", "eq", "DALLAS"), filter("id", "eq", 0)))).toEqual([]);
  });

  test("one value of several is pointed to; several are named together", async () => {
    expect((await filtered(filter("id", "in", [1, 99, 2])))[0]).toMatchObject({ pointer: "/filters/0/value/1" });
    const [note] = await filtered(filter("id", "in", [90, 91, 92, 93, 94]));
    expect(note?.message).toContain("No row has 90, 91, 92 or 2 others in the column id.");
  });

  test("filters of aggregates count too", async () => {
    const aggregates = [{ ...count, filters: [filter("city", "eq", "Dalas")] }];
    const notes = await notesOf({ columns: [], aggregates });
    expect(codes(notes)).toEqual(["value_not_found", "empty_aggregate"]);
    expect(notes[0]).toMatchObject({ pointer: "/aggregates/0/filters/0/value", values: ["DALLAS"] });
  });

  test("near values are not sought where there are too many, or it is not known how many", async () => {
    const query = { columns: ["id"], filters: [filter("city", "eq", "Dalas")] };
    for (const distinctCounts of [async () => ({ city: 50_001 }), undefined]) {
      const { distinctCounts: _, ...rest } = version;
      const of = { ...rest, versionId: rest.versionId.replace("401", distinctCounts ? "402" : "403") };
      expect((await notesOf(query, { ...of, ...(distinctCounts && { distinctCounts }) }))[0]?.values).toBeUndefined();
    }
  });

  test("of several values, those near the first three that no row has, in their order", async () => {
    const several = ["DALLAS", "Dalas", "x", "São Pablo", "Houstan"];
    expect((await filtered(filter("city", "in", several)))[0]?.values).toEqual(["DALLAS", "São Paulo"]);
    const nearThird = ["DALLAS", "x", "Dalas", "São Pablo", "Houstan"];
    expect((await filtered(filter("city", "in", nearThird)))[0]?.values).toEqual(["DALLAS", "São Paulo"]);
    const many = Array.from({ length: 19 }, (_, at) => `none ${at}`);
    expect((await filtered(filter("city", "in", ["Houstan", ...many])))[0]?.values).toEqual(["HOUSTON", "houston"]);
  });

  test("texts of any length and form are only text", async () => {
    const hostile = ["x".repeat(4096), "%_'\"; DROP TABLE t --", "𝕏".repeat(40), "", "\u0000", "é".repeat(2000)];
    for (const text of hostile) expect(codes(await filtered(filter("city", "eq", text)))).toEqual(["value_not_found"]);
  });
});

test("a value with a comma is quoted as it is", async () => {
  const [note] = await filtered(filter("city", "in", ["Paris, France", "Lyon"]));
  expect(note?.message).toContain("No row has “Paris, France” or “Lyon” in the column city.");
  expect((await filtered(filter("city", "eq", "Paris, France")))[0]?.message).toContain(
    "No row has “Paris, France” in",
  );
});

test("the edits of long texts are not counted", async () => {
  const statements = await statementsOf({
    columns: ["id"],
    filters: [filter("city", "eq", "x".repeat(65))],
    notes: true,
  });
  const sought = statements.filter((sql) => sql.includes("DISTINCT"));
  expect([sought.length, sought.join().includes("levenshtein")]).toEqual([1, false]);
});

describe("other_case", () => {
  test.each([
    ["contains", "houst", 7],
    ["starts_with", "HOUST", 1],
    ["ends_with", "STON", 1],
    ["eq", "HOUSTON", 1],
    ["in", ["HOUSTON", "DALLAS"], 1],
  ])("%s", async (operator, value, rows) => {
    expect(await filtered(filter("city", operator, value))).toEqual([
      {
        code: "other_case",
        pointer: "/filters/0",
        message: expect.stringContaining(`${rows} more row${rows === 1 ? " matches" : "s match"} in the column city`),
        count: rows,
      },
    ]);
  });

  test("only rows that meet the other filters are counted", async () => {
    const [note] = await filtered(filter("city", "contains", "houst"), filter("id", "lt", 4));
    expect(note?.count).toBe(2);
  });

  test.each([
    ["case is ignored", filter("city", "contains", "houst", { ignore_case: true })],
    ["no other case exists", filter("name", "contains", "name")],
    ["the text has no letters with case", filter("name", "ends_with", " 1")],
    ["it leaves out", filter("city", "not_contains", "houst")],
  ])("none if %s", async (_, one) => {
    expect(codes(await filtered(one))).toEqual([]);
  });
});

describe("nulls_left_out", () => {
  test.each([
    ["neq", "name 1", 5],
    ["not_in", ["name 1"], 5],
    ["not_contains", "1", 5],
  ])("%s", async (operator, value, rows) => {
    const [note, ...others] = await filtered(filter("name", operator, value));
    expect(others).toEqual([]);
    expect(note).toMatchObject({ code: "nulls_left_out", pointer: "/filters/0", count: rows });
    expect(note?.message).toContain(`5 rows without a value in the column name are left out by ${operator}.`);
  });

  test("only rows that meet the other filters and the search are counted", async () => {
    expect((await filtered(filter("name", "neq", "name 1"), filter("id", "lt", 4)))[0]?.count).toBe(1);
    const search = { text: "dallas" };
    const [note] = await notesOf({ columns: ["id"], filters: [filter("name", "neq", "name 1")], search });
    expect(note?.count).toBe(2); // 4 and 16
    expect(await filtered(filter("name", "neq", "name 1"), filter("name", "is_not_null"))).toEqual([]);
  });

  test("columns without nulls leave none out", async () => {
    expect(await filtered(filter("id", "neq", 1), filter("day", "not_in", ["2026-01-01"]))).toEqual([]);
  });

  test("rows without items are in no group", async () => {
    const notes = await notesOf({
      columns: [],
      group_by: [{ column: "tags", bucket: "element" }],
      aggregates: [count],
    });
    expect(notes).toMatchObject([{ code: "nulls_left_out", pointer: "/group_by/0", count: 8 }]);
    const group_by = [{ column: "numbers", bucket: "element" }];
    expect(await notesOf({ columns: [], group_by, aggregates: [count] })).toEqual([]);
  });
});

test("hours of a time zone are not said to be in UTC", async () => {
  const group_by = [{ column: "at", bucket: "hour", zone: "Europe/Paris" }];
  expect(await notesOf({ columns: [], group_by, aggregates: [count] })).toEqual([]);
});

test.each([
  ["hour", ["utc_hours"]],
  ["hour_of_day", ["utc_hours"]],
  ["week", ["partial_span", "week_starts_monday"]],
  ["day_of_week", ["week_starts_monday"]],
  ["month_of_year", []],
])("what the bucket %s means", async (bucket, expected) => {
  const notes = await notesOf({ columns: [], group_by: [{ column: "at", bucket }], aggregates: [count] });
  expect(codes(notes)).toEqual(expected);
});

describe("partial_span", () => {
  /** The part of the message that says which spans are incomplete, and how; undefined without such a note. */
  const partial = async (group: object, ...filters: object[]) => {
    const notes = await notesOf({ columns: [], group_by: [group], aggregates: [count], filters }, times);
    const note = notes.find(({ code }) => code === "partial_span");
    expect(note === undefined || note.pointer === "/group_by/0").toBe(true);
    return note?.message.replace(/^.* of \w+ (?:is|are) incomplete: (.*)\.$/, "$1");
  };
  const first = (start: string, from: string) => `the first (${start}) has values from ${from} on`;
  const last = (start: string, to: string) => `the last (${start}) has values up to ${to}`;
  const both = (...sides: string[]) => sides.join("; ");

  test("a span lacks its first or its last unit", async () => {
    const group_by = [{ column: "day", bucket: "year" }];
    const [note] = await notesOf({ columns: [], group_by, aggregates: [count] }, times);
    expect(note?.message).toBe(
      "The first and the last year of day are incomplete: the first (2020-01-01) has values from 2020-02-10 on; the last (2022-01-01) has values up to 2022-11-29.",
    );
  });

  test.each([
    ["quarter", both(first("2020-01-01", "2020-02-10"), last("2022-10-01", "2022-11-29"))],
    ["month", both(first("2020-02-01", "2020-02-10"), last("2022-11-01", "2022-11-29"))],
    ["week", last("2022-11-28", "2022-11-29")], // 10 February 2020 was a Monday
    ["day", undefined],
    ["month_of_year", undefined],
  ])("of dates, the bucket %s", async (bucket, sides) => {
    expect(await partial({ column: "day", bucket })).toBe(sides);
  });

  test.each([
    ["monthly", "year", both(first("2020-01-01", "2020-02-01"), last("2022-01-01", "2022-11-01"))],
    ["monthly", "quarter", both(first("2020-01-01", "2020-02-01"), last("2022-10-01", "2022-11-01"))],
    ["monthly", "month", undefined],
    ["monthly", "week", undefined], // 1 February 2020 was a Saturday
    ["weekly", "month", first("2020-02-01", "2020-02-10")], // 28 November 2022 is its month's last Monday
    ["weekly", "week", undefined],
    ["weekly", "year", both(first("2020-01-01", "2020-02-10"), last("2022-01-01", "2022-11-28"))],
  ])("the unit of %s values in a %s is no shorter than their step", async (column, bucket, sides) => {
    expect(await partial({ column, bucket })).toBe(sides);
  });

  test.each([
    ["day", "day", both(first("2020-02-10", "2020-02-10 05:30 UTC"), last("2022-11-29", "2022-11-29 05:30 UTC"))],
    ["month", "month", both(first("2020-02-01", "2020-02-10"), last("2022-11-01", "2022-11-29"))],
    [
      "hour",
      "hour",
      both(first("2020-02-10 05:00 UTC", "2020-02-10 05:30 UTC"), last("2022-11-29 05:00 UTC", "2022-11-29 05:30 UTC")),
    ],
  ])("of timestamps, the bucket %s", async (bucket, _, sides) => {
    expect(await partial({ column: "at", bucket })).toBe(sides);
  });

  test("a zone's spans begin and end by its clocks", async () => {
    // 05:30 UTC is 21:30 of the day before in Los Angeles, in winter
    expect(await partial({ column: "at", bucket: "day", zone: "America/Los_Angeles" })).toBe(
      both(
        first("2020-02-09", "2020-02-09 21:30 America/Los_Angeles"),
        last("2022-11-28", "2022-11-28 21:30 America/Los_Angeles"),
      ),
    );
    expect(await partial({ column: "at", bucket: "month", zone: "Asia/Tokyo" })).toBe(
      both(first("2020-02-01", "2020-02-10"), last("2022-11-01", "2022-11-29")),
    );
  });

  test.each([
    ["gte, at a start", filter("day", "gte", "2021-01-01"), last("2022-11-01", "2022-11-29")],
    [
      "gte",
      filter("day", "gte", "2021-03-05"),
      both(first("2021-03-01", "2021-03-05"), last("2022-11-01", "2022-11-29")),
    ],
    ["gt, of the day before a start", filter("day", "gt", "2021-02-28"), last("2022-11-01", "2022-11-29")],
    ["lt, at an end", filter("day", "lt", "2021-06-01"), first("2020-02-01", "2020-02-10")],
    [
      "lte, before an end",
      filter("day", "lte", "2021-05-30"),
      both(first("2020-02-01", "2020-02-10"), last("2021-05-01", "2021-05-30")),
    ],
    ["between", filter("day", "between", ["2021-03-01", "2021-05-30"]), last("2021-05-01", "2021-05-30")],
    [
      "eq",
      filter("day", "eq", "2021-03-15"),
      both(first("2021-03-01", "2021-03-15"), last("2021-03-01", "2021-03-15")),
    ],
    ["in", filter("day", "in", ["2021-05-31", "2021-03-01"]), undefined],
    [
      "neq",
      filter("day", "neq", "2020-02-10"),
      both(first("2020-02-01", "2020-02-10"), last("2022-11-01", "2022-11-29")),
    ],
    ["one beyond all rows", filter("day", "gte", "2030-01-01"), undefined],
    [
      "one that lets all through",
      filter("day", "gte", "2000-01-15"),
      both(first("2020-02-01", "2020-02-10"), last("2022-11-01", "2022-11-29")),
    ],
  ])("a filter of the column ends spans: %s", async (_, one, sides) => {
    expect(await partial({ column: "day", bucket: "month" }, one)).toBe(sides);
  });

  test.each([
    ["lt", "2021-06-01T00:00:00Z", first("2020-02-01", "2020-02-10")],
    ["lt", "2021-05-31T00:00:00Z", both(first("2020-02-01", "2020-02-10"), last("2021-05-01", "2021-05-30"))],
    ["lte", "2021-05-31T00:00:00Z", both(first("2020-02-01", "2020-02-10"))],
  ])("a filter of a timestamp, %s %s", async (operator, value, sides) => {
    expect(await partial({ column: "at", bucket: "month" }, filter("at", operator, value))).toBe(sides);
  });

  test("a span whose rows have no items, and so no group, is not spoken of", async () => {
    const columns = [
      { name: "tags", type: "list<string>", storage: "VARCHAR[]" },
      { name: "day", type: "date", storage: "DATE" },
    ];
    const rows = `SELECT CASE WHEN i < 20 THEN ['a'] END AS tags, DATE '2026-01-05' + i::INTEGER AS day
      FROM range(40) r(i)`;
    const tagged = await written("603", rows, columns);
    const month = { column: "day", bucket: "month" };
    const notes = async (...groups: object[]) =>
      (await notesOf({ columns: [], group_by: [...groups, month], aggregates: [count] }, tagged))[0]?.message;
    expect(await notes()).toContain(both(first("2026-01-01", "2026-01-05"), last("2026-02-01", "2026-02-13")));
    const items = { column: "tags", bucket: "element" };
    expect(await notes(items)).toBe(`One month of day is incomplete: ${first("2026-01-01", "2026-01-05")}.`);
  });

  test.each([
    ["at", "month", 0], // its first value is at 05:30
    ["monthly", "year", 0], // on 1 February, no quarter begins
    ["weekly", "month", 1],
  ])("only steps at which the first value of %s starts are tested in a %s", async (column, bucket, steps) => {
    const body = {
      columns: [],
      group_by: [{ column, bucket, as: `steps_${column}` }],
      aggregates: [count],
      notes: true,
    };
    const statement = (await statementsOf(body, times)).find((sql) => sql.includes("AS p0"));
    expect(statement?.match(/bool_and/g) ?? []).toHaveLength(steps);
  });

  test("a span that no matching row is in is not spoken of", async () => {
    expect(await partial({ column: "day", bucket: "year" }, filter("late", "eq", true))).toBe(
      last("2022-01-01", "2022-11-29"),
    );
  });
});

describe("gaps", () => {
  const gapsOf = async (group_by: (object | string)[], more: object = {}) => {
    const notes = await notesOf({ columns: [], group_by, aggregates: [count], ...more }, times);
    return notes.filter(({ code }) => code === "gaps");
  };
  const previous = { derive: [{ as: "before", function: "previous", of: "n", over: "day" }] };
  const day = (bucket: string) => ({ column: "day", bucket, as: "day" });

  test.each([
    ["day", 30, "30 days of day between others have no rows and are no group."],
    ["month", 1, "1 month of day between others has no rows and is no group."],
    ["week", 3, "3 weeks"], // 29 March to 4 April and 26 April to 2 May have days of March and May
    ["quarter", undefined, ""],
  ])("spans without rows: %s", async (bucket, rows, message) => {
    const [note] = await gapsOf([day(bucket)]);
    expect(note?.count).toBe(rows);
    expect(note?.message ?? "").toContain(message);
    expect(note?.message ?? "").not.toContain("derived");
  });

  test("of the rows that match", async () => {
    expect(await gapsOf([day("month")], { filters: [filter("day", "gte", "2021-05-01")] })).toEqual([]);
    expect(await gapsOf([day("month")], { filters: [filter("day", "gte", "2030-01-01")] })).toEqual([]);
    const some = [filter("day", "in", ["2020-03-01", "2020-06-01", "2020-06-02"])];
    expect(await gapsOf([day("month")], { filters: some })).toMatchObject([{ count: 2 }]);
  });

  test("in each series, where results are derived from neighbours", async () => {
    // both series: April 2021 for `late`, none for the others; as one, none but April 2021 either
    expect(await gapsOf([day("month"), "late"], previous)).toMatchObject([
      { count: 1, pointer: "/group_by/0", message: expect.stringContaining("derived") },
    ]);
    // the hundreds of days of a year: 0 from January to 9 April, 3 from 27 October on
    const [one, each] = [await gapsOf([day("month"), "hundred"]), await gapsOf([day("month"), "hundred"], previous)];
    // counted by a program of its own: 17 + 17 + 16 + 18
    expect([one[0]?.count, each[0]?.count]).toEqual([1, 68]);
  });

  test("parts of the calendar and bands only where results are derived from neighbours", async () => {
    const filters = [filter("day", "in", ["2020-03-01", "2020-06-01"])];
    const part = [{ column: "day", bucket: "month_of_year", as: "day" }];
    expect(await gapsOf(part, { filters })).toEqual([]);
    expect(await gapsOf(part, { filters, ...previous })).toMatchObject([
      { count: 2, message: expect.stringContaining("2 values") },
    ]);
    const band = [{ column: "hundred", width: 1, as: "day" }];
    const ends = [filter("hundred", "in", [0, 3])];
    expect(await gapsOf(band, { filters: ends })).toEqual([]);
    expect(await gapsOf(band, { filters: ends, ...previous })).toMatchObject([
      { count: 2, message: expect.stringContaining("2 bands") },
    ]);
    expect(
      await gapsOf(["hundred"], { filters: ends, ...previous, derive: [{ ...previous.derive[0], over: "hundred" }] }),
    ).toEqual([]);
  });
});

test("instants without a local time are left out of what a zone's spans have", async () => {
  const columns = [
    { name: "id", type: "int32", storage: "INTEGER" },
    { name: "at", type: "timestamp", storage: "TIMESTAMP WITH TIME ZONE" },
  ];
  const rows = `SELECT i::INTEGER AS id, ['0001-01-01 00:00:00+00', '2020-01-02 00:00:00+00', '2020-03-02 00:30:00+00',
    '9999-12-31 23:59:59+00'][i]::TIMESTAMPTZ AS "at" FROM range(1, 5) r(i)`;
  const ends = await written("601", rows, columns);
  const of = (zone: string, filter: object) => {
    const group_by = [{ column: "at", bucket: "day", zone }];
    return notesOf({ columns: [], group_by, aggregates: [count], filters: [filter] }, ends);
  };
  // the first instant is in the year 0 in New York, the last one in the year 10000 in Paris
  expect(codes(await of("America/New_York", filter("id", "between", [2, 3])))).toEqual(["gaps"]);
  const within = filter("at", "between", ["2020-01-02T00:00:00Z", "2020-03-02T00:30:00Z"]);
  expect(codes(await of("Europe/Paris", within))).toEqual(["partial_span", "gaps"]);
});

test("the bands that are missing between the greatest numbers are counted, if not to the last one", async () => {
  const columns = [{ name: "v", type: "decimal(38,0)", storage: "DECIMAL(38,0)" }];
  const greatest = "9".repeat(38);
  const rows = `SELECT unnest([${greatest}::DECIMAL(38,0), -${greatest}::DECIMAL(38,0), 0::DECIMAL(38,0)]) AS v`;
  const numbers = await written("602", rows, columns);
  const query = {
    columns: [],
    group_by: [{ column: "v", width: 1, as: "band" }],
    aggregates: [count],
    derive: [{ as: "before", function: "previous", of: "n", over: "band" }],
  };
  const [note, ...others] = await notesOf(query, numbers);
  expect([note?.code, note?.count, others]).toEqual(["gaps", undefined, []]);
  expect(note?.message).toContain("200,000,000,000,000,000,000,000,000,000,000,000,000 bands of v");
});

describe("empty_aggregate", () => {
  const aggregated = (aggregate: object, more: object = {}) =>
    notesOf({ columns: [], aggregates: [{ as: "a", ...aggregate }], ...more });
  test.each([
    ["a column without values", { function: "avg", column: "nothing" }, {}],
    ["in each group too", { function: "avg", column: "nothing" }, { group_by: ["even"] }],
    ["no rows", { function: "max", column: "price" }, { filters: [filter("id", "gt", 99)] }],
    ["filters that no row meets", { function: "share", filters: [filter("id", "gt", 99)] }, {}],
    ["no pair", { function: "corr", column: "ratio", with: "nothing" }, {}],
  ])("%s", async (_, aggregate, more) => {
    const notes = await aggregated(aggregate, more);
    expect(notes).toMatchObject([{ code: "empty_aggregate", pointer: "/aggregates/0" }]);
  });

  test.each([
    ["values", { function: "avg", column: "ratio" }, {}],
    ["a count, which says so itself", { function: "count" }, { filters: [filter("id", "gt", 99)] }],
    ["no groups", { function: "max", column: "price" }, { group_by: ["even"], filters: [filter("id", "gt", 99)] }],
    ["filters that a row meets", { function: "share", filters: [filter("id", "gt", 1)] }, {}],
  ])("none of %s", async (_, aggregate, more) => {
    expect(await aggregated(aggregate, more)).toEqual([]);
  });
});

test("there are at most five, in the order of the codes", async () => {
  const notes = await notesOf({
    columns: [],
    filters: [filter("name", "neq", "x"), filter("city", "contains", "o"), filter("id", "neq", 99)],
    group_by: [{ column: "at", bucket: "hour" }],
    aggregates: [
      { function: "avg", column: "nothing", as: "a" },
      { ...count, filters: [filter("id", "in", [98, 99])] },
      { function: "sum", column: "nothing", as: "b" },
    ],
  });
  expect(codes(notes)).toEqual(["value_not_found", "other_case", "nulls_left_out", "utc_hours", "gaps"]);
});

test("a page has room for its notes", async () => {
  const body = { columns: ["id", "city"], filters: [filter("name", "neq", "x")], notes: true };
  for (const bytesMax of [900, 1000, 1100]) {
    const page = await ask(body, version, { ...TIER, bytesMax });
    expect(page.execution.notes).toHaveLength(1);
    expect(page.execution.truncated).toBe(true);
  }
});

test("equal plans of different bodies have their own notes", async () => {
  const [one] = await filtered(filter("id", "eq", 99));
  const [other] = await filtered(filter("id", "in", [99]));
  expect([one?.pointer, other?.pointer]).toEqual(["/filters/0/value", "/filters/0/value/0"]);
});

test("notes cost one further statement, and none without them", async () => {
  const near = [filter("city", "in", ["Houston", "Dalas", "DALLAS"]), filter("name", "eq", "nobody")];
  const body = { columns: ["id"], filters: [...near, filter("id", "neq", 3)] };
  const without = await statementsOf({ ...body, limit: 2 });
  expect(await statementsOf({ ...body, notes: false, limit: 3 })).toHaveLength(without.length);
  expect(await statementsOf({ ...body, notes: true, limit: 4 })).toHaveLength(without.length + 1);
});
