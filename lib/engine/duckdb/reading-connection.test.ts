import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Connection, type Instance, oneScanConnection, openReader, withWriter } from "./duckdb";
import { ReadingConnection } from "./reading-connection";

const folder = mkdtempSync(join(tmpdir(), "parquetry-connection-"));
const path = join(folder, "copy.duckdb");
let instance: Instance;
let administrator: Connection;
let reader: ReadingConnection;
let oneScan: Connection;

beforeAll(async () => {
  const resources = { tempDir: folder, memoryMb: 256, threads: 1 };
  await withWriter(resources, async (connection) => {
    await connection.run(`ATTACH '${path}' AS copy`);
    await connection.run("CREATE TABLE copy.t AS SELECT i AS c0, i % 7 AS c1, i::VARCHAR AS c2 FROM range(10000) r(i)");
    await connection.run("DETACH copy");
  });
  instance = await openReader({ ...resources, tempMb: 64, foldersAllowed: [folder] }, async (fresh) => {
    oneScan = await oneScanConnection(fresh);
  });
  administrator = await instance.connect();
  reader = new ReadingConnection(await instance.connect(), oneScan);
});

afterAll(() => {
  reader.close();
  administrator.closeSync();
  instance.closeSync();
  rmSync(folder, { recursive: true });
});

const attach = (alias: string) => administrator.run(`ATTACH '${path}' AS ${alias} (READ_ONLY)`);
const above = (value: string, alias: string) => ({
  sql: `SELECT count(*), min(c0) FROM ${alias}.t WHERE c0 > CAST($1 AS BIGINT)`,
  params: [value],
});

test("a recurring statement is answered with the values of each execution, as a non-recurring one is", async () => {
  await attach("one");
  const turns = ["5", "9990", "-1", "20000", "x", "9990"];
  for (const value of turns) {
    const both = [false, true].map((recurs) =>
      reader.select(above(value, "one"), recurs).catch((e: Error) => e.message),
    );
    const [once, again] = [await both[0], await both[1]];
    expect(again).toEqual(once);
  }
  expect(await reader.select(above("9990", "one"), true)).toEqual([[9n, 9991n]]);
});

test("a statement on a copy that was detached fails, and works on the copy's next name", async () => {
  await attach("two");
  expect(await reader.select(above("9990", "two"), true)).toEqual([[9n, 9991n]]);
  await administrator.run("DETACH two");
  await expect(reader.select(above("9990", "two"), true)).rejects.toThrow("Catalog Error");
  await attach("three");
  expect(await reader.select(above("9990", "three"), true)).toEqual([[9n, 9991n]]);
});

test("more statements than are kept, and more rows than one chunk, are answered", async () => {
  await attach("four");
  for (let limit = 1; limit <= 100; limit += 1) {
    const rows = await reader.select({ sql: `SELECT c0 FROM four.t ORDER BY c0 LIMIT ${limit}`, params: [] }, true);
    expect(rows.length).toBe(limit);
  }
  for (const limit of [5_000, 10_000, 100_000])
    expect((await reader.select({ sql: `SELECT a.i FROM range(${limit}) a(i)`, params: [] })).length).toBe(limit);
});

test("anything other than a SELECT is rejected, recurring or not", async () => {
  for (const recurs of [false, true])
    await expect(reader.select({ sql: "CREATE TABLE x (i INT)", params: [] }, recurs)).rejects.toThrow("Only SELECT");
});

test("few sorted rows are read in one scan of the copy, many in two, with the same result", async () => {
  await attach("five");
  const sorted = (limit: number) =>
    `SELECT c0, c1, c2, rowid FROM five.t WHERE c0 > 10 ORDER BY c1 DESC, rowid LIMIT ${limit}`;
  const scans = async (connection: Connection) => {
    const plan = await connection.runAndReadAll(`EXPLAIN ${sorted(500)}`);
    return String(plan.getRows()[0]?.[1]).match(/Table: five/g)?.length;
  };
  expect([await scans(oneScan), await scans(administrator)]).toEqual([1, 2]);
  const read = (inOneScan: boolean) => reader.select({ sql: sorted(500), params: [], inOneScan }, true);
  expect(await read(true)).toEqual(await read(false));
});
