import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, statfsSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, expect, test } from "vitest";
import { execute } from "@/lib/operations/execute";
import { storeUpload } from "@/lib/operations/sources/uploads";
import { database } from "@/lib/store/postgres/database";
import { useOffice } from "@/lib/testing/office";
import { ownerOf } from "@/lib/testing/owner";
import { trialRuns } from "@/lib/testing/property";
import { publishText } from "@/lib/testing/publish-text";

/** Runs in `npm run trial -- full-disk`, which needs root: the data folder is a small file system of its own. */
const isTried = trialRuns("FULL_DISK", 0) === 1 && process.getuid?.() === 0;
const ROWS = `gauge;level\n${Array.from({ length: 20_000 }, (_, at) => `gauge ${at};${at}\n`).join("")}`;

const folder = mkdtempSync(join(tmpdir(), "parquetry-full-disk-"));
if (isTried) execFileSync("mount", ["-t", "tmpfs", "-o", "size=400m", "tmpfs", folder]);
const place = await useOffice({ PARQUETRY_DATA_DIR: folder });
const { call, recipe, register, rest, office } = place;
afterAll(() => {
  if (isTried) execFileSync("umount", ["--lazy", folder]);
  rmSync(folder, { recursive: true, force: true });
});

/** Takes all space except a few pages. */
function fill(): void {
  const file = openSync(join(folder, "ballast"), "w");
  const block = Buffer.alloc(64 * 1024);
  const { bsize, bavail } = statfsSync(folder);
  for (let left = bsize * bavail - block.length; left > block.length; left -= block.length) writeSync(file, block);
  closeSync(file);
}

/** Every file below the data folder except the ballast. */
const files = (): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== "ballast")
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();

async function upload(name: string) {
  const { workspaceId, userId } = place.builder;
  const chunks = Readable.from([Buffer.from(ROWS)]);
  const body = { chunks, declaredBytes: undefined, declaredDigest: undefined, mediaType: "text/csv" };
  const path = { workspace_id: workspaceId, name };
  return await execute(storeUpload, { path, query: { file_name: `${name}.csv` }, body }, ownerOf(userId));
}

test.runIf(isTried)(
  "a full disk fails publishing, uploads, inspections and runs by name, and loses nothing",
  async () => {
    office.file = ROWS;
    const { table_id } = await publishText("before", "id\n1\n2\n");
    const dataset = await register("Levels", recipe());
    const readable = async () => (await call("query_table", { table_id, columns: ["id"] })).rows;
    expect(await readable()).toEqual([[1], [2]]);
    const before = files();

    fill();
    await expect(publishText("during", `id,text\n${"1,abcdefgh\n".repeat(50_000)}`)).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("The disk of the data folder is full. Nothing was published."),
    });
    await expect(upload("levels")).rejects.toMatchObject({ code: "unavailable" });
    const inspected = await call("start_source_inspection", { source: { url: office.url }, wait_ms: 20_000 });
    expect(inspected).toMatchObject({ state: "failed", failure: { code: "disk_exceeded" } });
    const { run_id } = await call("start_run", { dataset, confirm: true });
    expect(await rest(run_id)).toMatchObject({ state: "failed", failure: { code: "disk_exceeded" } });
    expect(await readable()).toEqual([[1], [2]]);
    expect(files()).toEqual(before);
    const { prisma } = await database();
    expect([await prisma.version.count(), await prisma.upload.count()]).toEqual([1, 0]);

    rmSync(join(folder, "ballast"));
    await publishText("after", "id\n1\n");
    await upload("levels");
    const { run_id: again } = await call("start_run", { dataset, confirm: true });
    const { result } = await rest(again);
    await call("approve_full_run", { run_id: again, recipe_digest: result.recipe_digest });
    expect(await rest(again)).toMatchObject({ state: "sealed", result: { tables: [{ rows: 20_000 }] } });
  },
);
