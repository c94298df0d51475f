import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readSettings } from "@/lib/kernel/env";
import { forgetProcessWide, processWide } from "@/lib/kernel/process-wide";
import { closeDatabase, database } from "@/lib/store/postgres/database";
import { CuttingProxy } from "@/lib/testing/cutting-proxy";
import { useTestState } from "@/lib/testing/database";
import { runInProcesses } from "@/lib/testing/processes";
import type { Use } from "./usage";
import { flushUsage, recordUse } from "./usage-buffer";

const state = useTestState();
let use: Use;
let failures: unknown[];

beforeEach(() => {
  use = {
    day: "2026-11-20",
    workspaceId: randomUUID(),
    keyId: randomUUID(),
    tableId: randomUUID(),
    queries: 1,
    downloads: 0,
    rows: 10,
    bytes: 500,
  };
  failures = [];
});

afterEach(() => {
  stopTimer();
  forgetProcessWide("usage-buffer");
});

/** From now on, the buffer is written only when a test says so. */
const stopTimer = () => clearTimeout(processWide<{ timer?: NodeJS.Timeout }>("usage-buffer", () => ({})).timer);

const note = (more: Partial<Use> = {}) => recordUse({ ...use, ...more }, (error) => failures.push(error));

async function written(keyId = use.keyId) {
  const { pool } = await database();
  const columns = `to_char(day, 'YYYY-MM-DD') AS day, "tableId", queries, downloads, rows::int AS rows, bytes::float8 AS bytes`;
  return (await pool.query(`SELECT ${columns} FROM "Usage" WHERE "keyId" = $1 ORDER BY day, "tableId"`, [keyId])).rows;
}

test("uses of a key, table and day are one row, written within seconds and added to by the next", async () => {
  note();
  note({ rows: 5, bytes: 2 ** 40 });
  note({ day: "2026-11-21", queries: 0, downloads: 1, rows: 0 });
  await expect.poll(() => written()).toHaveLength(2);
  note();
  await flushUsage();
  expect(await written()).toEqual([
    { day: "2026-11-20", tableId: use.tableId, queries: 3, downloads: 0, rows: 25, bytes: 2 ** 40 + 1000 },
    { day: "2026-11-21", tableId: use.tableId, queries: 0, downloads: 1, rows: 0, bytes: 500 },
  ]);
});

test("processes that write the same rows at the same time lose none and do not deadlock", async () => {
  const tables = Array.from({ length: 40 }, () => randomUUID());
  const script = `
    import { addUsage } from "@/lib/store/usage/usage";
    import { closeDatabase } from "@/lib/store/postgres/database";
    const tables = ${JSON.stringify(tables)};
    for (let turn = 0; turn < 25; turn += 1) {
      const uses = tables.map((tableId) => ({ ...${JSON.stringify(use)}, tableId }));
      await addUsage({ uses: uses.sort(() => Math.random() - 0.5) });
    }
    await closeDatabase();`;
  const variables = { DATABASE_URL: state.databaseUrl(), PARQUETRY_DATA_DIR: state.dataDir() };
  expect(await runInProcesses(3, script, variables)).toEqual([0, 0, 0]);
  const rows = await written();
  expect(rows).toHaveLength(40);
  expect(new Set(rows.map(({ queries, rows: read }) => `${queries} ${read}`))).toEqual(new Set(["75 750"]));
});

describe("a write that fails", () => {
  test("while the database is down: reported, kept, and written once it is back", async () => {
    await useDatabaseAt("postgres://127.0.0.1:1/nowhere");
    note();
    await expect.poll(() => failures.length).toBe(1);
    note({ rows: 1 });
    await useDatabaseAt(state.databaseUrl());
    await flushUsage();
    expect(await written()).toMatchObject([{ queries: 2, rows: 11 }]);
  });

  test.each([
    ["the connection ends before the commit arrives", "COMMIT", "before"],
    ["the connection ends after the commit, before its reply", "COMMIT", "after"],
    ["the connection ends before the rows arrive", "INSERT", "before"],
    ["the connection ends after the rows, before their reply", "INSERT", "after"],
  ] as const)("when %s: counted exactly once", async (_case, word, when) => {
    const proxy = await CuttingProxy.start(state.databaseUrl());
    await useDatabaseAt(proxy.url);
    await database();
    proxy.cut = { word, when };
    note();
    stopTimer();
    await expect(flushUsage()).rejects.toThrow();
    note({ rows: 1 });
    await expect(flushUsage()).rejects.toThrow();
    proxy.cut = undefined;
    const isWritten = () =>
      flushUsage().then(
        () => true,
        () => false, // the server has not noticed yet that the connection has ended
      );
    await expect.poll(isWritten).toBe(true);
    await useDatabaseAt(state.databaseUrl());
    await proxy.close();
    expect(await written()).toMatchObject([{ queries: 2, rows: 11 }]);
  });
});

async function useDatabaseAt(url: string): Promise<void> {
  await closeDatabase();
  forgetProcessWide("settings");
  processWide("settings", () => readSettings({ DATABASE_URL: url, PARQUETRY_DATA_DIR: state.dataDir() }));
}

test("the waiting usage is bounded, and dropped usage is reported", async () => {
  for (let i = 0; i < 10_010; i += 1) note({ tableId: `00000000-0000-4000-8000-${String(i).padStart(12, "0")}` });
  await expect
    .poll(() => failures.map(String))
    .toEqual(["Error: the usage counts of 10 requests were dropped because the buffer was full"]);
  expect(await written()).toHaveLength(10_000);
});
