import { open, readdir, rm, stat, truncate, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask, column, type EngineFixture, KEY_TIER, openFixture, seal } from "@/lib/testing/engine-fixture";
import { select, withWriter } from "./duckdb";
import { openEngine } from "./engine";
import { buildReadCopy } from "./read-copy";

let fixture: EngineFixture;
let big: Awaited<ReturnType<typeof seal>>;

beforeAll(async () => {
  fixture = await openFixture("copies");
  big = await seal(fixture, "big", "SELECT i AS id, md5(i::VARCHAR) AS code FROM range(150000) r(i)", [
    column("id", "int64", "BIGINT"),
    column("code", "string", "VARCHAR"),
  ]);
});

afterAll(async () => fixture.close());

test("a missing read copy is built in the background and then used", async () => {
  const copying = await openEngine({ ...fixture.options, copiesMb: 1024 });
  await rm(big.copyPath, { force: true });
  const body = { columns: ["id"], filters: [{ column: "id", operator: "eq", value: 149_999 }] };
  expect((await ask(copying, big, body)).reply.rows).toEqual([{ id: 149_999 }]);
  await copying.copies.settled();
  expect((await stat(big.copyPath)).size).toBeGreaterThan(1_000_000);
  const lease = await copying.copies.open(big);
  expect(lease?.alias).toMatch(/^copy_/);
  lease?.release();
  expect((await ask(copying, big, body)).reply.rows).toEqual([{ id: 149_999 }]);
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
        parquetPath: (await seal(fixture, "other", "SELECT 1 AS id", [])).parquetPath,
        copyPath: path,
        columns: 1,
        tempDir: fixture.options.tempDir,
        memoryMb: 512,
        threads: 1,
      }),
  ],
])("a read copy %s is replaced, and the Parquet file answers until then", async (_, spoil) => {
  const copying = await openEngine({ ...fixture.options, copiesMb: 1024 });
  await buildReadCopy({ ...big, columns: 2, tempDir: fixture.options.tempDir, memoryMb: 1024, threads: 2 });
  await spoil(big.copyPath);
  const body = {
    columns: [],
    aggregates: [
      { function: "count_distinct", column: "code", as: "n" },
      { function: "max", column: "id", as: "m" },
    ],
  };
  expect((await ask(copying, big, body)).reply.rows).toEqual([{ n: 150_000, m: 149_999 }]);
  expect((await ask(copying, big, body)).reply.rows).toEqual([{ n: 150_000, m: 149_999 }]);
  await copying.copies.settled();
  expect((await ask(copying, big, body)).reply.rows).toEqual([{ n: 150_000, m: 149_999 }]);
  const lease = await copying.copies.open(big);
  expect(lease).toBeDefined();
  lease?.release();
  await copying.close();
});

test("instants are stored without a zone, and a copy that holds them with one is replaced", async () => {
  const times = await seal(fixture, "times", "SELECT TIMESTAMPTZ '2001-06-29 23:59:59.5+00' AS moment", [
    column("moment", "timestamp", "TIMESTAMP WITH TIME ZONE"),
  ]);
  const resources = { tempDir: fixture.options.tempDir, memoryMb: 512, threads: 1 };
  await buildReadCopy({ ...times, columns: 1, ...resources });
  const stored = (path: string) =>
    withWriter(resources, async (connection) => {
      await connection.run(`ATTACH '${path}' AS copy`);
      return await select(connection, { sql: "SELECT typeof(c0), CAST(c0 AS VARCHAR) FROM copy.t", params: [] });
    });
  expect(await stored(times.copyPath)).toEqual([["TIMESTAMP", "2001-06-29 23:59:59.5"]]);

  await rm(times.copyPath);
  await withWriter(resources, async (connection) => {
    await connection.run(`ATTACH '${times.copyPath}' AS copy`);
    await connection.run(`CREATE TABLE copy.t AS SELECT moment AS c0 FROM read_parquet('${times.parquetPath}')`);
    await connection.run("DETACH copy");
  });
  const copying = await openEngine({ ...fixture.options, copiesMb: 1024 });
  const body = { columns: [], group_by: [{ column: "moment", bucket: "day", as: "day" }], aggregates: [COUNT] };
  expect((await ask(copying, times, body)).reply.rows).toEqual([{ day: "2001-06-29", n: 1 }]);
  await copying.copies.settled();
  expect((await ask(copying, times, body)).reply.rows).toEqual([{ day: "2001-06-29", n: 1 }]);
  await copying.close();
  expect(await stored(times.copyPath)).toEqual([["TIMESTAMP", "2001-06-29 23:59:59.5"]]);
});

const COUNT = { function: "count", as: "n" };

async function overwrite(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, "r+");
  const { size } = await file.stat();
  for (let at = 300_000; at < size; at += 500_000) await file.write(bytes, 0, bytes.length, at);
  await file.close();
}

test("two engines that build the same copy at once leave one complete copy", async () => {
  await rm(big.copyPath, { force: true });
  const engines = await Promise.all([
    openEngine({ ...fixture.options, copiesMb: 1024 }),
    openEngine({ ...fixture.options, copiesMb: 1024 }),
  ]);
  await Promise.all(engines.map((one) => ask(one, big, { columns: ["id"], limit: 1 })));
  await Promise.all(engines.map((one) => one.copies.settled()));
  for (const one of engines) {
    expect(await one.copies.open(big)).toBeDefined();
    await one.close();
  }
  expect((await readdir(fixture.options.copiesDir)).filter((name) => name.includes(".tmp"))).toEqual([]);
});

test("wide rows fill a page by bytes without exhausting the memory, in any order", async () => {
  const narrow = await openEngine({ ...fixture.options, memoryMb: 400, tempMb: 0 });
  const wide = await seal(
    fixture,
    "wider",
    "SELECT i AS id, repeat(md5(i::VARCHAR), 500) AS t FROM range(30000) r(i)",
    [column("id", "int64", "BIGINT"), column("t", "string", "VARCHAR")],
  );
  const body = { columns: ["id", "t"], order_by: [{ column: "id", direction: "desc" }], limit: 10_000 };
  const first = await ask(narrow, wide, body);
  const second = await ask(narrow, wide, { ...body, cursor: first.reply.next_cursor });
  const ids = [...first.reply.rows, ...second.reply.rows].map((row: { id: number }) => row.id);
  expect(ids).toEqual(Array.from({ length: ids.length }, (_, at) => 29_999 - at));
  expect(first.page.body.byteLength).toBeGreaterThan(KEY_TIER.bytesMax - 17_000);
  expect((await ask(narrow, wide, { ...body, columns: ["id"] })).reply.rows.length).toBe(10_000);
  await narrow.close();
});

test("rows of an unordered, filtered query come by position from both sources, without being sorted", async () => {
  const copying = await openEngine({ ...fixture.options, copiesMb: 1024 });
  await ask(copying, big, { columns: ["id"], limit: 1 });
  await copying.copies.settled();
  const body = {
    columns: ["id", "code"],
    filters: [{ column: "code", operator: "starts_with", value: "a" }],
    limit: 10_000,
  };
  const ids: number[] = [];
  let cursor: string | null = null;
  for (let page = 0; page === 0 || cursor !== null; page++) {
    const { reply } = await ask(page % 2 === 0 ? copying : fixture.engine, big, { ...body, ...(cursor && { cursor }) });
    ids.push(...reply.rows.map((row: { id: number }) => row.id));
    cursor = reply.next_cursor;
  }
  expect(ids.every((id, at) => at === 0 || id > (ids[at - 1] ?? 0))).toBe(true);
  const { reply } = await ask(fixture.engine, big, {
    ...body,
    columns: [],
    aggregates: [{ function: "count", as: "n" }],
  });
  expect(ids.length).toBe(reply.rows[0].n);
  await copying.close();
});

test(
  "ordered pagination over many row groups returns every row once, ties by position, from both sources " + "in turn",
  async () => {
    const copying = await openEngine({ ...fixture.options, copiesMb: 1024 });
    const tied = await seal(
      fixture,
      "tied",
      "SELECT i AS id, CASE WHEN hash(i) % 7 = 0 THEN NULL ELSE CAST(hash(i) % 50 AS INTEGER) END AS k FROM " +
        "range(250000) r(i)",
      [column("id", "int64", "BIGINT"), column("k", "int32", "INTEGER")],
    );
    await ask(copying, tied, { columns: ["id"], limit: 1 });
    await copying.copies.settled();
    const readPages = async (order_by: unknown[]) => {
      const rows: { id: number; k: number | null }[] = [];
      let cursor: string | null = null;
      for (let page = 0; page === 0 || cursor !== null; page++) {
        const { reply } = await ask(page % 2 === 0 ? copying : fixture.engine, tied, {
          columns: ["id", "k"],
          order_by,
          limit: 10_000,
          ...(cursor && { cursor }),
        });
        rows.push(...reply.rows);
        cursor = reply.next_cursor;
      }
      return rows;
    };
    const inFileOrder = await readPages([]);
    expect(inFileOrder.map(({ id }) => id)).toEqual(Array.from({ length: 250_000 }, (_, id) => id));
    const rank = (k: number | null) => (k === null ? Number.NEGATIVE_INFINITY : k);
    const expected = [...inFileOrder].sort((a, b) => rank(b.k) - rank(a.k) || a.id - b.id);
    expect((await readPages([{ column: "k", direction: "desc" }])).map(({ id }) => id)).toEqual(
      expected.map(({ id }) => id),
    );
    await copying.close();
  },
);
