import { mkdtemp, open, readdir, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Failure } from "@/lib/errors";
import { parseJsonBody } from "./body";
import { withWriter } from "./duckdb";
import { type Engine, type EngineOptions, openEngine } from "./engine";
import { quoteLiteral } from "./identifier";
import { runPreview } from "./preview";
import { parseQuery, runQuery, type SealedVersion } from "./query";
import { buildReadCopy } from "./read-copy";

const CTX = { secret: Buffer.from("a secret of the tests, of 32 bytes"), queryId: "qry_test" };
const TIER = { rowsMax: 10_000, bytesMax: 8 * 1024 * 1024 };

let folder: string;
let options: EngineOptions;
let engine: Engine;
let big: SealedVersion;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parquetry-engine-"));
  options = {
    blobsDir: join(folder, "blobs"),
    copiesDir: join(folder, "copies"),
    tempDir: join(folder, "tmp"),
    threads: 2,
    memoryMb: 1024,
    tempMb: 256,
    queriesAtOnce: 2,
    queueMs: 200,
    timeoutMs: 15_000,
    copiesMb: 0,
  };
  engine = await openEngine(options);
  big = await seal("big", "SELECT i AS id, md5(i::VARCHAR) AS code FROM range(2000000) r(i)", [
    column("id", "int64", "BIGINT"),
    column("code", "string", "VARCHAR"),
  ]);
});

afterAll(async () => {
  await engine.close();
  await rm(folder, { recursive: true, force: true });
});

const column = (name: string, type: string, storage: string) => ({ name, type, storage });

/** Writes a version's Parquet from a SELECT. */
async function seal(name: string, select: string, columns: SealedVersion["columns"]): Promise<SealedVersion> {
  const parquetPath = join(options.blobsDir, `${name}.parquet`);
  const rows = await withWriter({ tempDir: options.tempDir, memoryMb: 1024, threads: 2 }, async (connection) => {
    await connection.run("SET TimeZone = 'UTC'");
    await connection.run(`COPY (${select}) TO ${quoteLiteral(parquetPath)} (FORMAT parquet, PARQUET_VERSION V2, COMPRESSION zstd, ROW_GROUP_SIZE 8192)`);
    return Number((await connection.runAndReadAll(`SELECT count(*) FROM ${quoteLiteral(parquetPath)}`)).getRows()[0]?.[0]);
  });
  const digest = Buffer.from(name).toString("hex").padStart(64, "0");
  return {
    tableId: "00000000-0000-4000-8000-000000000001",
    versionId: "00000000-0000-4000-8000-000000000002",
    digest,
    publishedAt: "2026-01-01T00:00:00.000Z",
    rows,
    columns,
    parquetPath,
    copyPath: join(options.copiesDir, `${digest}.duckdb`),
  };
}

async function query(on: Engine, version: SealedVersion, body: unknown, tier = TIER, signal?: AbortSignal) {
  const parsed = parseQuery(parseJsonBody(typeof body === "string" ? body : JSON.stringify(body)), tier);
  const page = await runQuery(on, version, parsed, tier, { ...CTX, ...(signal && { signal }) });
  return { page, text: Buffer.from(page.body).toString(), reply: JSON.parse(Buffer.from(page.body).toString()) };
}

/** Slow on purpose: it hashes every text of a big table. */
const SLOW = { columns: [], aggregates: [{ function: "count_distinct", column: "code", as: "n" }] };

async function refusal(run: Promise<unknown>): Promise<Failure> {
  const error = await run.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Failure)) throw new Error(`Expected a refusal, got ${error}`);
  return error;
}

test("a query past its time is interrupted, answers query_timeout and leaves the connection usable", async () => {
  const hasty = await openEngine({ ...options, timeoutMs: 40 });
  const startedAt = performance.now();
  expect((await refusal(query(hasty, big, SLOW))).code).toBe("query_timeout");
  expect(performance.now() - startedAt).toBeLessThan(2000);
  const { reply } = await query(hasty, big, { columns: ["id"], limit: 1 });
  expect(reply.rows).toEqual([{ id: 0 }]);
  await hasty.close();
});

test("an aborted request stops its query with the signal's reason", async () => {
  const controller = new AbortController();
  const running = query(engine, big, SLOW, TIER, controller.signal);
  setTimeout(() => controller.abort(new Error("gone")), 30);
  await expect(running).rejects.toThrow("gone");
  expect((await query(engine, big, { columns: ["id"], limit: 1 })).reply.execution.returned_rows).toBe(1);
});

test("queries over the number at once wait, then are refused as busy with a retry time", async () => {
  const narrow = await openEngine({ ...options, queriesAtOnce: 1, queueMs: 20 });
  const first = query(narrow, big, SLOW);
  const second = await refusal(query(narrow, big, { columns: ["id"], limit: 1 }));
  expect([second.code, second.retryAfterSeconds]).toEqual(["busy", 1]);
  expect((await first).reply.rows).toEqual([{ n: 2_000_000 }]);
  expect((await query(narrow, big, { columns: ["id"], limit: 1 })).reply.rows.length).toBe(1);
  await narrow.close();
});

test("the reading instance reads its folders alone and cannot be unlocked", async () => {
  const outside = join(folder, "outside.csv");
  await writeFile(outside, "a\n1\n");
  for (const sql of [
    `SELECT * FROM read_csv('${outside}')`,
    `SELECT * FROM read_csv('${options.blobsDir}/../outside.csv')`,
    "SELECT * FROM read_text('/etc/passwd')",
    "SELECT * FROM glob('/etc/*')",
  ]) {
    await expect(
      engine.run((session) => session.all({ sql, params: [] })),
      sql,
    ).rejects.toThrow(/Permission|disabled|not allowed/i);
  }
  for (const sql of [
    `COPY (SELECT 1) TO '${options.blobsDir}/x.csv'`,
    `ATTACH '${folder}/x.duckdb'`,
    "SET threads = 1",
    "SET enable_external_access = true",
    "INSTALL httpfs",
    "CREATE TABLE x(i INT)",
  ]) {
    await expect(
      engine.run((session) => session.all({ sql, params: [] })),
      sql,
    ).rejects.toThrow(/Only SELECT|Permission|locked/i);
  }
});

test("a missing read copy is built behind the first query and then used", async () => {
  const copying = await openEngine({ ...options, copiesMb: 1024 });
  await rm(big.copyPath, { force: true });
  const body = { columns: ["id"], filters: [{ column: "id", operator: "eq", value: 1_999_999 }] };
  expect((await query(copying, big, body)).reply.rows).toEqual([{ id: 1_999_999 }]);
  await copying.copies.settled();
  expect((await stat(big.copyPath)).size).toBeGreaterThan(1_000_000);
  const lease = await copying.copies.open(big);
  expect(lease?.alias).toMatch(/^copy_/);
  lease?.release();
  expect((await query(copying, big, body)).reply.rows).toEqual([{ id: 1_999_999 }]);
  await copying.close();
});

test.each([
  ["of another format", async (path: string) => writeFile(path, "this is no database")],
  ["cut short", async (path: string) => truncate(path, 100_000)],
  ["with a changed block", async (path: string) => overwrite(path, Buffer.alloc(4096, 0xa5))],
  [
    "of another table",
    async (path: string) =>
      buildReadCopy({
        parquetPath: (await seal("other", "SELECT 1 AS id", [])).parquetPath,
        copyPath: path,
        columns: 1,
        tempDir: options.tempDir,
        memoryMb: 512,
        threads: 1,
      }),
  ],
])("a read copy %s is replaced, and the Parquet answers meanwhile", async (_, spoil) => {
  const copying = await openEngine({ ...options, copiesMb: 1024 });
  await buildReadCopy({ ...big, columns: 2, tempDir: options.tempDir, memoryMb: 1024, threads: 2 });
  await spoil(big.copyPath);
  const body = {
    columns: [],
    aggregates: [
      { function: "count_distinct", column: "code", as: "n" },
      { function: "max", column: "id", as: "m" },
    ],
  };
  expect((await query(copying, big, body)).reply.rows).toEqual([{ n: 2_000_000, m: 1_999_999 }]);
  expect((await query(copying, big, body)).reply.rows).toEqual([{ n: 2_000_000, m: 1_999_999 }]);
  await copying.copies.settled();
  expect((await query(copying, big, body)).reply.rows).toEqual([{ n: 2_000_000, m: 1_999_999 }]);
  const lease = await copying.copies.open(big);
  expect(lease).toBeDefined();
  lease?.release();
  await copying.close();
});

async function overwrite(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, "r+");
  const { size } = await file.stat();
  for (let at = 300_000; at < size; at += 500_000) await file.write(bytes, 0, bytes.length, at);
  await file.close();
}

test("two engines that build one copy at once leave one whole copy", async () => {
  await rm(big.copyPath, { force: true });
  const engines = await Promise.all([openEngine({ ...options, copiesMb: 1024 }), openEngine({ ...options, copiesMb: 1024 })]);
  await Promise.all(engines.map((one) => query(one, big, { columns: ["id"], limit: 1 })));
  await Promise.all(engines.map((one) => one.copies.settled()));
  for (const one of engines) {
    expect(await one.copies.open(big)).toBeDefined();
    await one.close();
  }
  expect((await readdir(options.copiesDir)).filter((name) => name.includes(".tmp"))).toEqual([]);
});

test("a missing Parquet file is an integrity failure, not an internal error", async () => {
  expect(
    (await refusal(query(engine, { ...big, digest: "f".repeat(64), parquetPath: join(options.blobsDir, "none.parquet") }, { columns: ["id"] }))).code,
  ).toBe("integrity_failure");
});

test("a page ends at the last row that fits the byte limit, and the walk goes on from there", async () => {
  const text = await seal("text", "SELECT i AS id, repeat('é', 10 + i % 90) AS t FROM range(500) r(i)", [
    column("id", "int64", "BIGINT"),
    column("t", "string", "VARCHAR"),
  ]);
  const seen: number[] = [];
  let cursor: string | null = null;
  for (let bytesMax = 3000; ; bytesMax += 7) {
    const { text: body, reply } = await query(engine, text, { columns: ["id", "t"], limit: 500, ...(cursor && { cursor }) }, { rowsMax: 500, bytesMax });
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(bytesMax);
    seen.push(...reply.rows.map((row: { id: number }) => row.id));
    cursor = reply.next_cursor;
    if (cursor === null) break;
    const next = (seen.at(-1) ?? 0) + 1;
    const nextBytes = Buffer.byteLength(JSON.stringify({ id: next, t: "é".repeat(10 + (next % 90)) })) + 2;
    expect(Buffer.byteLength(body) + nextBytes + 16, `at ${bytesMax}`).toBeGreaterThan(bytesMax);
  }
  expect(seen).toEqual(Array.from({ length: 500 }, (_, id) => id));
});

test("one row over the byte limit, and a grouped result over it, are result_too_large", async () => {
  const tier = { rowsMax: 100, bytesMax: 1024 };
  const wide = await seal("wide", "SELECT i AS id, repeat('x', 2000) AS t FROM range(3) r(i)", [
    column("id", "int64", "BIGINT"),
    column("t", "string", "VARCHAR"),
  ]);
  expect((await refusal(query(engine, wide, { columns: ["t"] }, tier))).code).toBe("result_too_large");
  expect((await refusal(query(engine, big, { columns: [], group_by: ["code"] }, tier))).code).toBe("result_too_large");
});

test("a sum beyond 38 digits is refused, not wrong", async () => {
  const huge = await seal("huge", "SELECT CAST(repeat('9', 38) AS DECIMAL(38,0)) AS d FROM range(3)", [column("d", "decimal(38,0)", "DECIMAL(38,0)")]);
  expect((await refusal(query(engine, huge, { columns: [], aggregates: [{ function: "sum", column: "d", as: "s" }] }))).code).toBe("result_too_large");
});

test("hostile names, values and sizes are data, nothing more", async () => {
  const name = `a"b'c]; DROP TABLE t; --`;
  const odd = await seal("odd", `SELECT '%' AS "a""b'c]; DROP TABLE t; --", 1 AS "rowid", 2 AS "FILE_ROW_NUMBER", 3 AS "$1", '__proto__' AS "__proto__"`, [
    column(name, "string", "VARCHAR"),
    column("rowid", "int32", "INTEGER"),
    column("FILE_ROW_NUMBER", "int32", "INTEGER"),
    column("$1", "int32", "INTEGER"),
    column("__proto__", "string", "VARCHAR"),
  ]);
  const all = odd.columns.map((each) => each.name);
  const filters = Array.from({ length: 50 }, () => ({ column: name, operator: "starts_with", value: "%" }));
  const order_by = all.map((each) => ({ column: each, direction: "desc" }));
  const { reply } = await query(engine, odd, { columns: all, filters, order_by });
  expect(Object.entries(reply.rows[0])).toEqual([
    [name, "%"],
    ["rowid", 1],
    ["FILE_ROW_NUMBER", 2],
    ["$1", 3],
    ["__proto__", "__proto__"],
  ]);
  expect((await query(engine, odd, { columns: all, filters: [{ column: name, operator: "contains", value: "_" }] })).reply.rows).toEqual([]);
  expect((await query(engine, odd, { columns: all, filters: [{ column: name, operator: "eq", value: "😀".repeat(4096) }] })).reply.rows).toEqual([]);
  expect((await refusal(query(engine, odd, { columns: all, filters: [{ column: name, operator: "eq", value: "x".repeat(4097) }] }))).code).toBe(
    "invalid_value",
  );
});

test("50 filters and 8 orders on a walk answer within the time limit", async () => {
  const columns = Array.from({ length: 8 }, (_, at) => column(`k${at}`, "int32", "INTEGER"));
  const keyed = await seal(
    "keyed",
    `SELECT ${columns.map((each, at) => `CAST(hash(i + ${at}) % 3 AS INTEGER) AS ${each.name}`).join(", ")} FROM range(20000) r(i)`,
    columns,
  );
  const body = {
    columns: columns.map((each) => each.name),
    filters: Array.from({ length: 50 }, (_, at) => ({ column: `k${at % 8}`, operator: "between", value: [0, 2] })),
    order_by: columns.map((each) => ({ column: each.name, direction: "desc" })),
    limit: 9000,
  };
  let total = 0;
  let cursor: string | null = null;
  do {
    const { reply } = await query(engine, keyed, { ...body, ...(cursor && { cursor }) });
    total += reply.rows.length;
    cursor = reply.next_cursor;
  } while (cursor !== null);
  expect(total).toBe(20_000);
});

test("wide rows fill a page by bytes without exhausting the memory, in any order", async () => {
  const narrow = await openEngine({ ...options, memoryMb: 400, tempMb: 0 });
  const wide = await seal("wider", "SELECT i AS id, repeat(md5(i::VARCHAR), 500) AS t FROM range(30000) r(i)", [
    column("id", "int64", "BIGINT"),
    column("t", "string", "VARCHAR"),
  ]);
  const body = { columns: ["id", "t"], order_by: [{ column: "id", direction: "desc" }], limit: 10_000 };
  const first = await query(narrow, wide, body);
  const second = await query(narrow, wide, { ...body, cursor: first.reply.next_cursor });
  const ids = [...first.reply.rows, ...second.reply.rows].map((row: { id: number }) => row.id);
  expect(ids).toEqual(Array.from({ length: ids.length }, (_, at) => 29_999 - at));
  expect(first.page.body.byteLength).toBeGreaterThan(TIER.bytesMax - 17_000);
  expect((await query(narrow, wide, { ...body, columns: ["id"] })).reply.rows.length).toBe(10_000);
  await narrow.close();
});

test("rows of an unordered, filtered walk come by position from both sources, without being sorted", async () => {
  const copying = await openEngine({ ...options, copiesMb: 1024 });
  await query(copying, big, { columns: ["id"], limit: 1 });
  await copying.copies.settled();
  const body = { columns: ["id", "code"], filters: [{ column: "code", operator: "starts_with", value: "a" }], limit: 10_000 };
  const ids: number[] = [];
  let cursor: string | null = null;
  for (let page = 0; page === 0 || cursor !== null; page++) {
    const { reply } = await query(page % 2 === 0 ? copying : engine, big, { ...body, ...(cursor && { cursor }) });
    ids.push(...reply.rows.map((row: { id: number }) => row.id));
    cursor = reply.next_cursor;
  }
  expect(ids.every((id, at) => at === 0 || id > (ids[at - 1] ?? 0))).toBe(true);
  const { reply } = await query(engine, big, { ...body, columns: [], aggregates: [{ function: "count", as: "n" }] });
  expect(ids.length).toBe(reply.rows[0].n);
  await copying.close();
});

test("an ordered walk over many row groups returns every row once, ties by position, from both sources in turn", async () => {
  const copying = await openEngine({ ...options, copiesMb: 1024 });
  const tied = await seal("tied", "SELECT i AS id, CASE WHEN hash(i) % 7 = 0 THEN NULL ELSE CAST(hash(i) % 50 AS INTEGER) END AS k FROM range(300000) r(i)", [
    column("id", "int64", "BIGINT"),
    column("k", "int32", "INTEGER"),
  ]);
  await query(copying, tied, { columns: ["id"], limit: 1 });
  await copying.copies.settled();
  const walk = async (order_by: unknown[]) => {
    const rows: { id: number; k: number | null }[] = [];
    let cursor: string | null = null;
    for (let page = 0; page === 0 || cursor !== null; page++) {
      const { reply } = await query(page % 2 === 0 ? copying : engine, tied, { columns: ["id", "k"], order_by, limit: 10_000, ...(cursor && { cursor }) });
      rows.push(...reply.rows);
      cursor = reply.next_cursor;
    }
    return rows;
  };
  const inFileOrder = await walk([]);
  expect(inFileOrder.map(({ id }) => id)).toEqual(Array.from({ length: 300_000 }, (_, id) => id));
  const rank = (k: number | null) => (k === null ? Number.NEGATIVE_INFINITY : k);
  const expected = [...inFileOrder].sort((a, b) => rank(b.k) - rank(a.k) || a.id - b.id);
  expect((await walk([{ column: "k", direction: "desc" }])).map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
  await copying.close();
});

test("a preview cuts long cells and lists them", async () => {
  const long = await seal("long", "SELECT i AS id, repeat('é', 999 + i) AS t, [i, NULL] AS l FROM range(3) r(i)", [
    column("id", "int64", "BIGINT"),
    column("t", "string", "VARCHAR"),
    column("l", "list<int64>", "BIGINT[]"),
  ]);
  const preview = await runPreview(engine, long, 3);
  const rows = JSON.parse(Buffer.from(preview.rowsJson).toString());
  expect(rows.map((row: { t: string }) => row.t.length)).toEqual([999, 1000, 1000]);
  expect(rows[0].l).toEqual([0, null]);
  expect([preview.rows, preview.truncatedCells]).toEqual([3, [{ row: 2, column: "t" }]]);
});
