import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { openEmbeddedPostgres } from "./embedded-postgres";

const folder = mkdtempSync(join(tmpdir(), "parquetry-cluster-"));
chmodSync(folder, 0o755);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function ask(url: string, sql: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

test("two openings share one server; the first to end leaves it to the other; what was written stays", async () => {
  const [one, two] = await Promise.all([
    openEmbeddedPostgres(join(folder, "a")),
    openEmbeddedPostgres(join(folder, "a")),
  ]);
  await ask(one.url, "CREATE TABLE kept AS SELECT 42 AS answer");
  await one.release();
  expect(await ask(two.url, "SELECT answer FROM kept")).toEqual([{ answer: 42 }]);
  await two.release();
  await expect(ask(two.url, "SELECT 1")).rejects.toThrow();
  const again = await openEmbeddedPostgres(join(folder, "a"));
  expect(await ask(again.url, "SELECT answer FROM kept")).toEqual([{ answer: 42 }]);
  await again.release();
});

test("a command that opens the database keeps its exit status", async () => {
  const work = promisify(execFile)(process.execPath, ["lib/start/command-line.ts", "key", "revoke", "nonsense"], {
    env: { NODE_ENV: "test", PATH: "/usr/sbin:/usr/bin:/sbin:/bin", PARQUETRY_DATA_DIR: join(folder, "b") },
  });
  await expect(work).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining("No key has the id nonsense") });
});
