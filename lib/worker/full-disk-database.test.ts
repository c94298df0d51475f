import { execFileSync } from "node:child_process";
import { chmodSync, closeSync, mkdtempSync, openSync, readdirSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, afterEach, expect, test } from "vitest";
import { execute } from "@/lib/operations/execute";
import { storeUpload } from "@/lib/operations/sources/uploads";
import { database } from "@/lib/store/postgres/database";
import { isDatabaseDown, isDatabaseFull } from "@/lib/store/postgres/database-failure";
import { useOffice } from "@/lib/testing/office";
import { ownerOf } from "@/lib/testing/owner";
import { trialRuns } from "@/lib/testing/property";
import { publishText } from "@/lib/testing/publish-text";

/**
 * Runs in `npm run trial -- full-disk`, which needs root: files and the embedded database share a small file system.
 */
const isTried = trialRuns("FULL_DISK", 0) === 1 && process.getuid?.() === 0;
const ROWS = `gauge;level\n${Array.from({ length: 20_000 }, (_, at) => `gauge ${at};${at}\n`).join("")}`;

const folder = mkdtempSync(join(tmpdir(), "parquetry-full-disk-"));
chmodSync(folder, 0o755); // the user that runs PostgreSQL must reach it
if (isTried) execFileSync("mount", ["-t", "tmpfs", "-o", "size=900m,mode=755", "tmpfs", folder]);
afterAll(() => {
  if (isTried) execFileSync("umount", ["--lazy", folder]); // registered first, runs last: the office closes before it
  rmSync(folder, { recursive: true, force: true });
});
const embedded = isTried ? { DATABASE_URL: "", EMBEDDED_POSTGRES_SYNC: "false" } : {};
const place = await useOffice({ PARQUETRY_DATA_DIR: folder, ...embedded });
const { call, recipe, register, rest, office } = place;

/** Takes all space except a few pages, which the service itself uses up immediately. */
function fill(): void {
  const file = openSync(join(folder, `ballast-${process.hrtime.bigint()}`), "w");
  const block = Buffer.alloc(16 * 1024);
  try {
    for (;;) writeSync(file, block);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  } finally {
    closeSync(file);
  }
}

afterEach(() => empty());
const empty = () => {
  for (const name of readdirSync(folder)) if (name.startsWith("ballast")) rmSync(join(folder, name));
};

async function upload(name: string) {
  const { workspaceId, userId } = place.builder;
  const chunks = Readable.from([Buffer.from(ROWS)]);
  const body = { chunks, declaredBytes: undefined, declaredDigest: undefined, mediaType: "text/csv" };
  const path = { workspace_id: workspaceId, name };
  return await execute(storeUpload, { path, query: { file_name: `${name}.csv` }, body }, ownerOf(userId));
}

const FULL = /unavailable: The disk of the service is full, so nothing was changed/;

/** Versions, uploads and runs as stored in the database. */
async function counts(): Promise<number[]> {
  const { prisma } = await database();
  return [await prisma.version.count(), await prisma.upload.count(), await prisma.run.count()];
}

async function runs(dataset: string): Promise<void> {
  const { run_id } = await call("start_run", { dataset, confirm: true });
  const { result } = await rest(run_id);
  await call("approve_full_run", { run_id, recipe_digest: result.recipe_digest });
  expect(await rest(run_id)).toMatchObject({ state: "sealed", result: { tables: [{ rows: 20_000 }] } });
}

test.runIf(isTried)(
  "a database disk without space fails each call by name, loses nothing, and all continues once there is space",
  async () => {
    office.file = ROWS;
    const { table_id } = await publishText("before", "id\n1\n2\n");
    const dataset = await register("Levels", recipe());
    const readable = async () => (await call("query_table", { table_id, columns: ["id"] })).rows;
    expect(await readable()).toEqual([[1], [2]]);
    const before = await counts();

    fill();
    const { pool } = await database();
    const writes = pool.query("CREATE TABLE ballast AS SELECT repeat('x', 900) FROM generate_series(1, 20000)");
    await expect(writes).rejects.toMatchObject({ code: "53100" });
    await expect(publishText("during", `id,text\n${"1,abcdefgh\n".repeat(50_000)}`)).rejects.toMatchObject({
      code: "unavailable",
    });
    await expect(upload("levels")).rejects.toMatchObject({ code: "unavailable" });
    await expect(call("start_source_inspection", { source: { url: office.url } })).rejects.toThrow(FULL);
    await expect(call("start_run", { dataset, confirm: true })).rejects.toThrow(FULL);
    const rows = await readable().catch(({ message }: Error) => message);
    expect(typeof rows === "string" ? FULL.test(rows) : rows).toEqual(typeof rows === "string" ? true : [[1], [2]]);
    expect(await counts()).toEqual(before);

    empty();
    expect(await readable()).toEqual([[1], [2]]);
    await publishText("after", "id\n1\n");
    await upload("levels");
    await runs(dataset);
  },
);

test.runIf(isTried)(
  "a disk without space for the database's log stops the database, which returns once there is space",
  async () => {
    const { table_id } = await publishText("kept", "id\n1\n2\n");
    const readable = async () => (await call("query_table", { table_id, columns: ["id"] })).rows;
    expect(await readable()).toEqual([[1], [2]]);
    const before = await counts();
    const { pool } = await database();
    await pool.query("CREATE TABLE room AS SELECT repeat('x', 900) AS text, n FROM generate_series(1, 200000) n");
    await pool.query("DELETE FROM room WHERE n < 200000"); // its pages are kept: writing them needs only the log
    await pool.query("VACUUM room");

    fill();
    const writes = pool.query("INSERT INTO room SELECT repeat('y', 900), generate_series(1, 190000)");
    await expect(writes).rejects.toThrow(/pg_wal|Connection terminated/);
    await expect(publishText("during-log", "id\n1\n")).rejects.toThrow();
    fill(); // recovery finds no space either
    for (let tries = 0; tries < TRIES; tries += 1) await expect(readable()).rejects.toThrow(/unavailable/);

    empty();
    await expect.poll(() => readable().catch(() => undefined), { interval: 200 }).toEqual([[1], [2]]);
    expect(await counts()).toEqual(before);
    await publishText("after-log", "id\n1\n");
    await runs(await register("Levels after the log", recipe()));
    const { errors } = place.builder; // of a worker whose database was down
    expect(errors.filter((error) => !isDatabaseDown(error) && !isDatabaseFull(error))).toEqual([]);
    errors.length = 0;
  },
);

const TRIES = 5;
