import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { withWriter } from "@/lib/engine/duckdb/duckdb";
import { type Engine, openEngine } from "@/lib/engine/duckdb/engine";
import { parseJsonBody } from "@/lib/engine/grammar/body";
import { quoteLiteral } from "@/lib/engine/sql/identifier";
import { ERRORS, Failure } from "@/lib/kernel/errors";
import { timesAsMuch } from "@/lib/testing/processor-time";
import { propertyParameters } from "@/lib/testing/property";
import { parseQuery, pinnedVersion, runQuery } from "./query";
import type { SealedVersion } from "./sealed-version";

const SECRET = Buffer.from("a secret of the tests, of 32 bytes");
const TIER = { rowsMax: 100, bytesMax: 64 * 1024 };
const V1 = "f47ac10b-58cc-4372-a567-0e02b2c3d401";
const V2 = "f47ac10b-58cc-4372-a567-0e02b2c3d402";

let folder: string;
let engine: Engine;
let version: SealedVersion;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parquetry-query-"));
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
  });
  const parquetPath = join(folder, "t.parquet");
  await withWriter({ tempDir: folder, memoryMb: 512, threads: 1 }, async (connection) => {
    await connection.run(
      "COPY (SELECT i AS id, 'n' || (i % 3) AS name, (i / 4)::DECIMAL(6,2) AS price, i % 2 = 0 AS even FROM " +
        `range(10) r(i)) TO ${quoteLiteral(parquetPath)} (FORMAT parquet)`,
    );
  });
  const columns = [
    { name: "id", type: "int64", storage: "BIGINT" },
    { name: "name", type: "string", storage: "VARCHAR" },
    { name: "price", type: "decimal(6,2)", storage: "DECIMAL(6,2)" },
    { name: "even", type: "boolean", storage: "BOOLEAN" },
  ];
  version = {
    tableId: "00000000-0000-4000-8000-000000000001",
    versionId: V1,
    digest: "ab".repeat(32),
    publishedAt: "2026-01-01T00:00:00.000Z",
    rows: 10,
    columns,
    withParquet: (read) => read(parquetPath),
    copyPath: join(folder, "copies", "t.duckdb"),
  };
});

afterAll(async () => {
  await engine.close();
  await rm(folder, { recursive: true, force: true });
});

async function ask(text: string, of: SealedVersion = version, secret: Uint8Array = SECRET) {
  const page = await runQuery(engine, of, parseQuery(parseJsonBody(text), TIER), TIER, {
    secret,
    queryId: "qry_test",
    elapsedMs: () => 7,
  });
  return { page, text: Buffer.from(page.body).toString() };
}

async function codeOf(run: Promise<unknown>): Promise<string> {
  return await run.then(
    () => "answered",
    (error: unknown) => (error instanceof Failure ? error.code : `crashed: ${error}`),
  );
}

test("the reply has the documented fields in the documented order", async () => {
  const { page, text } = await ask(
    '{"columns":["price","name"],"filters":[{"column":"id","operator":"gte","value":7}],"limit":2}',
  );
  expect(
    text
      .replace(/"scanned_bytes":\d+,"elapsed_ms":\d+/, '"scanned_bytes":0,"elapsed_ms":0')
      .replace(/"next_cursor":"[\w-]+"/, '"next_cursor":"…"'),
  ).toBe(
    `{"schema_version":"service-public-table-query.v1","query_id":"qry_test","table":{"id":"${version.tableId}","version_id":"${V1}","content_digest":"sha256:${version.digest}","published_at":"2026-01-01T00:00:00.000Z"},"columns":[{"name":"price","type":"decimal(6,2)"},{"name":"name","type":"string"}],"rows":[{"price":1.75,"name":"n1"},\n{"price":2.00,"name":"n2"}],"execution":{"returned_rows":2,"scanned_bytes":0,"elapsed_ms":0,"truncated":true},"next_cursor":"…"}`,
  );
  expect(page).toMatchObject({ returnedRows: 2, truncated: true, grouped: false });
  expect(page.scannedBytes).toBeGreaterThan(0);
});

test("empty results and grouped results have no next page", async () => {
  const empty = JSON.parse(
    (await ask('{"columns":["id"],"filters":[{"column":"id","operator":"gt","value":99}]}')).text,
  );
  expect([empty.rows, empty.execution.truncated, empty.next_cursor]).toEqual([[], false, null]);
  const grouped = JSON.parse(
    (
      await ask(
        '{"columns":["id"],"group_by":["name"],"aggregates":[{"function":"sum","column":"price","as":"s"},{"function":"count","as":"n"}],"limit":2}',
      )
    ).text,
  );
  expect([grouped.columns, grouped.rows, grouped.execution.truncated, grouped.next_cursor]).toEqual([
    [
      { name: "name", type: "string" },
      { name: "s", type: "decimal(38,2)" },
      { name: "n", type: "int64" },
    ],
    [
      { name: "n0", s: 4.5, n: 4 },
      { name: "n1", s: 3, n: 3 },
    ],
    true,
    null,
  ]);
});

test("aggregates over no rows return one row: counts are zero, everything else is null", async () => {
  const none = '"filters":[{"column":"id","operator":"lt","value":0}]';
  const functions = ["count_distinct", "sum", "avg", "min", "max", "median", "stddev", "variance"].map(
    (name) => `{"function":"${name}","column":"price","as":"${name}"}`,
  );
  const { text } = await ask(`{"columns":[],${none},"aggregates":[{"function":"count","as":"count"},${functions}]}`);
  expect(JSON.parse(text).rows).toEqual([
    {
      count: 0,
      count_distinct: 0,
      sum: null,
      avg: null,
      min: null,
      max: null,
      median: null,
      stddev: null,
      variance: null,
    },
  ]);
});

test("offset skips rows on the first page only, and its cursor continues from there", async () => {
  const first = JSON.parse((await ask('{"columns":["id"],"offset":4,"limit":3}')).text);
  const second = JSON.parse((await ask(`{"columns":["id"],"limit":30,"cursor":"${first.next_cursor}"}`)).text);
  expect([...first.rows, ...second.rows].map((row: { id: number }) => row.id)).toEqual([4, 5, 6, 7, 8, 9]);
  expect(JSON.parse((await ask('{"columns":["id"],"offset":1000000}')).text).rows).toEqual([]);
});

describe("a cursor", () => {
  const QUERY =
    '"columns":["id","name"],"filters":[{"column":"id","operator":"gte","value":1}],"order_by":[{"column":"name"}]';
  const cursorOf = async () => String((await ask(`{${QUERY},"limit":2}`)).page.nextCursor);

  test.each([
    ["the same query", QUERY, "answered"],
    [
      "another limit and another spelling of a number",
      QUERY.replace('"value":1}', '"value":1.0}').concat(',"limit":7'),
      "answered",
    ],
    ["other columns", QUERY.replace('"id","name"', '"name","id"'), "cursor_mismatch"],
    ["another filter", QUERY.replace('"value":1}', '"value":2}'), "cursor_mismatch"],
    ["another order", QUERY.replace('{"column":"name"}', '{"column":"name","direction":"desc"}'), "cursor_mismatch"],
    ["an offset", `${QUERY},"offset":0`, "cursor_with_offset"],
    ["aggregates", `${QUERY},"aggregates":[{"function":"count","as":"n"}]`, "paging_with_aggregates"],
    ["the version it pins, by id", `${QUERY},"version_id":"${V1}"`, "answered"],
    ["another version's id", `${QUERY},"version_id":"${V2}"`, "cursor_mismatch"],
  ])("with %s", async (_, query, code) => {
    expect(await codeOf(ask(`{${query},"cursor":"${await cursorOf()}"}`))).toBe(code);
  });

  test("of another table or version is a mismatch; a malformed one or one of another secret is invalid", async () => {
    const text = `{${QUERY},"cursor":"${await cursorOf()}"}`;
    expect(await codeOf(ask(text, { ...version, tableId: V2 }))).toBe("cursor_mismatch");
    expect(await codeOf(ask(text, { ...version, versionId: V2 }))).toBe("cursor_mismatch");
    expect(await codeOf(ask(text, version, Buffer.from("another")))).toBe("invalid_cursor");
    expect(await codeOf(ask(`{${QUERY},"cursor":""}`))).toBe("invalid_cursor");
    expect(await codeOf(ask('{"columns":[],"group_by":["name"],"cursor":"x"}'))).toBe("paging_with_aggregates");
  });

  test("pins its version before the query is planned", async () => {
    const pinned = (text: string) => pinnedVersion(parseQuery(parseJsonBody(text), TIER), SECRET);
    expect(pinned(`{${QUERY},"cursor":"${await cursorOf()}"}`)).toBe(V1);
    expect(pinned(`{${QUERY},"cursor":"x"}`)).toBeUndefined();
    expect(pinned(`{${QUERY},"version_id":"${V2.toUpperCase()}"}`)).toBe(V2);
    expect(pinned(`{${QUERY}}`)).toBeUndefined();
  });
});

test("no body crashes the service: each is answered or fails with a documented client error", async () => {
  const word = fc.constantFrom(
    "columns",
    "filters",
    "order_by",
    "limit",
    "offset",
    "cursor",
    "group_by",
    "aggregates",
    "column",
    "operator",
    "value",
    "function",
    "as",
    "direction",
    "id",
    "name",
    "price",
    "even",
    "eq",
    "in",
    "between",
    "contains",
    "count",
    "sum",
    "desc",
    "__proto__",
    "constructor",
    "version_id",
    "int64",
  );
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { depthSize: "small" },
      word,
      fc.string(),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie("any"), { maxLength: 4 }),
      fc.dictionary(word, tie("any"), { maxKeys: 4 }),
    ),
  })).any;
  const likely = fc.record(
    {
      columns: fc.oneof(fc.array(word, { maxLength: 3 }), fc.constant(["id"])),
      filters: fc.array(fc.record({ column: word, operator: word, value }), { maxLength: 3 }),
      order_by: fc.array(fc.record({ column: word, direction: word }), { maxLength: 2 }),
      group_by: fc.array(word, { maxLength: 2 }),
      aggregates: fc.array(fc.record({ function: word, column: word, as: word }), { maxLength: 2 }),
      limit: value,
      offset: value,
      cursor: fc.string(),
    },
    { requiredKeys: ["columns"] },
  );
  await fc.assert(
    fc.asyncProperty(fc.oneof(value, likely), async (body) => {
      const code = await codeOf(ask(JSON.stringify(body)));
      if (code === "answered") return;
      expect(Object.keys(ERRORS)).toContain(code);
      expect(ERRORS[code as keyof typeof ERRORS].status).toBe(400);
    }),
    propertyParameters(500),
  );
});

test("64 KiB of wrong names is rejected quickly, with no more faults than the bounds allow", async () => {
  const names = (count: number) => JSON.stringify(Array.from({ length: count }, (_, at) => at.toString(36)));
  const bodies = (size: number) => [
    `{"columns":${names(1500 * size)},"group_by":${names(250 * size)}}`,
    `{"columns":[${"1,".repeat(3750 * size)}1]}`,
  ];
  const faultsOf = (body: string) =>
    ask(body).then(
      () => [],
      (error: Failure) => error.faults,
    );
  for (const [at, body] of bodies(8).entries()) {
    const faults = await faultsOf(body);
    expect(faults.length).toBeGreaterThan(400);
    expect(faults.length).toBeLessThanOrEqual(1000);
    const [eighth = ""] = bodies(1).slice(at);
    const growth = await timesAsMuch(
      () => faultsOf(body),
      () => faultsOf(eighth),
      12,
    );
    expect(growth).toBeLessThan(12);
  }
});
