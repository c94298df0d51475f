import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { withWriter } from "@/lib/engine/duckdb/duckdb";
import { parseJsonBody } from "@/lib/engine/grammar/body";
import { parseQuery, runQuery } from "@/lib/engine/run/query";
import type { SealedVersion } from "@/lib/engine/run/sealed-version";
import { quoteLiteral } from "@/lib/engine/sql/identifier";
import { publishTable } from "@/lib/publish/publish";
import { verifyBlobs } from "@/lib/publish/verify";
import { tempDir } from "@/lib/storage/paths";
import { useTestState } from "@/lib/testing/database";
import { locateTable } from "./locate-table";
import { sealedVersion } from "./read-version";
import { closeReadingEngine, readingEngine } from "./reading-engine";

useTestState();

const folder = mkdtempSync(join(tmpdir(), "parquetry-proof-"));
const TIER = { rowsMax: 10_000, bytesMax: 8 << 20 };
let version: SealedVersion;
let other: SealedVersion;

beforeAll(async () => {
  version = await publish("one", "n,word\n1,a\n2,b\n");
  other = await publish("other", "n,word\n8,y\n9,z\n");
});

afterEach(closeReadingEngine);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function publish(slug: string, csv: string): Promise<SealedVersion> {
  const file = join(folder, `${slug}.csv`);
  writeFileSync(file, csv);
  const names = { slug, title: slug, summary: "", description: "", publisher: { name: "P" }, topics: [] };
  const receipt = await publishTable(
    { file, dataset: { ...names, license: "CC0-1.0" }, table: { slug: "rows", name: "Rows" } },
    { now: () => new Date() },
  );
  return sealedVersion(await locateTable(receipt.table_id, undefined));
}

async function numbers(): Promise<number[]> {
  const query = parseQuery(parseJsonBody('{"columns":["n"]}'), TIER);
  const context = { secret: Buffer.alloc(32), queryId: "qry_test", elapsedMs: () => 0 };
  const page = await runQuery(await readingEngine(), version, query, TIER, context);
  return JSON.parse(Buffer.from(page.body).toString()).rows.map((row: { n: number }) => row.n);
}

const change = (path: string) =>
  withWriter({ tempDir: tempDir(), memoryMb: 256, threads: 1 }, async (connection) => {
    for (const sql of [`ATTACH ${quoteLiteral(path)} AS copy`, "UPDATE copy.t SET c0 = 999", "DETACH copy"])
      await connection.run(sql);
  });

test("a copy with its proof is read", async () => {
  expect(existsSync(`${version.copyPath}.proof`)).toBe(true);
  expect(await (await readingEngine()).copies.open(version)).toBeDefined();
  expect(await numbers()).toEqual([1, 2]);
  expect((await verifyBlobs()).bad).toEqual([]);
});

test.each([
  ["whose values were changed", () => change(version.copyPath)],
  ["without a proof", async () => rmSync(`${version.copyPath}.proof`)],
  [
    "of another version, with its proof",
    async () => {
      copyFileSync(other.copyPath, version.copyPath);
      copyFileSync(`${other.copyPath}.proof`, `${version.copyPath}.proof`);
    },
  ],
])("a copy %s is rebuilt instead of read, and verify reports it", async (_, spoil) => {
  await spoil();
  expect(await verifyBlobs()).toMatchObject({ bad: [], staleCopies: [version.digest] }); // rebuilt at its next use
  expect(await numbers()).toEqual([1, 2]);
  await (await readingEngine()).copies.settled();
  expect(await (await readingEngine()).copies.open(version)).toBeDefined();
  expect([await numbers(), (await verifyBlobs()).bad]).toEqual([[1, 2], []]);
});

test("a copy that is changed while queries read it is read for a second at most, then rebuilt", async () => {
  const { copies } = await readingEngine();
  const reading = await copies.open(version);
  expect(reading).toBeDefined();
  copyFileSync(other.copyPath, version.copyPath);
  const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now() + 1001);
  expect(await copies.open(version)).toBeUndefined();
  clock.mockRestore();
  expect(await copies.open(version)).toBeUndefined(); // also as long as a query still reads it
  reading?.release();
  expect(await numbers()).toEqual([1, 2]);
  await copies.settled();
  expect([await numbers(), (await verifyBlobs()).bad]).toEqual([[1, 2], []]);
  (await copies.open(version))?.release();
});
