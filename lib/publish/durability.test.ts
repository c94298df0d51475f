import { type ChildProcess, spawn } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { env } from "@/lib/kernel/env";
import { hashFile } from "@/lib/storage/blobs";
import { tempDir } from "@/lib/storage/paths";
import { database } from "@/lib/store/database";
import { blobFile, blobFolder } from "@/lib/testing/blob-file";
import { useTestState } from "@/lib/testing/database";
import { trialRuns } from "@/lib/testing/property";
import { doctor } from "./doctor";
import { publishTable } from "./publish";
import { verifyBlobs } from "./verify";

const state = useTestState();
const ctx = { now: () => new Date() };
const KILLS = trialRuns("KILLS", 8);

function csv(name: string, rows: number, from = 0): string {
  const file = join(state.dataDir(), `${name}.csv`);
  writeFileSync(
    file,
    `id,text\n${Array.from({ length: rows }, (_, row) => `${from + row},text ${(row * 7919) % 1000}\n`).join("")}`,
  );
  return file;
}

const about = (slug: string) => ({
  slug,
  title: "T",
  summary: "s",
  description: "d",
  publisher: { name: "P" },
  license: "MIT",
  topics: [],
});
const publish = (file: string, dataset: string) =>
  publishTable({ file, dataset: about(dataset), table: { slug: "t", name: "T" } }, ctx);

/** A process of its own that publishes; resolves with how it ended and what it printed. */
function publishApart(
  file: string,
  dataset: string,
): { child: ChildProcess; ended: Promise<{ signal: string | null; output: string }> } {
  const { DATABASE_URL = "", PARQUETRY_DATA_DIR } = state.settings();
  const PARQUETRY_SECRET = env().PARQUETRY_SECRET ?? ""; // the one that proves read copies
  const settings = { DATABASE_URL, PARQUETRY_DATA_DIR, PARQUETRY_SECRET };
  const variables = { PATH: "/usr/bin:/bin", NODE_ENV: "test" as const, ...settings };
  const child = spawn(process.execPath, ["--import", "tsx", "lib/testing/publish-file.ts", file, dataset], {
    env: variables,
  });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += String(chunk);
  });
  child.stderr.on("data", (chunk) => {
    output += String(chunk);
  });
  return { child, ended: new Promise((resolve) => child.on("close", (_code, signal) => resolve({ signal, output }))) };
}

async function versionsOf(dataset: string) {
  const { prisma } = await database();
  return await prisma.version.findMany({
    where: { table: { dataset: { slug: dataset } } },
    include: { currentOf: true },
    orderBy: { sequence: "asc" },
  });
}

describe("a publishing that is killed", () => {
  test(`leaves a whole old or a whole new version at each of ${KILLS} moments; doctor and a second try mend the rest`, {
    timeout: 180_000,
  }, async () => {
    await publish(csv("old", 10), "killed");
    const file = csv("new", 100_000);
    const started = performance.now();
    await publishApart(file, "timed").ended;
    const wholeMs = performance.now() - started;
    let killed = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const { child, ended } = publishApart(file, `killed`);
      // Node needs the first third to start; the moments are spread over the rest.
      await new Promise((resolve) => setTimeout(resolve, wholeMs * (0.3 + (0.7 * (kill + Math.random())) / KILLS)));
      child.kill("SIGKILL");
      if ((await ended).signal === "SIGKILL") killed += 1;
      await expectWhole("killed");
    }
    expect(killed).toBeGreaterThan(KILLS / 3);
    await doctor({ fix: true, olderThanMs: 0 });
    expect(await doctor({ fix: false, olderThanMs: 0 })).toEqual([]);
    expect(readdirSync(tempDir())).toEqual([]);
    await publish(file, "killed");
    expect((await versionsOf("killed")).at(-1)).toMatchObject({ rows: 100_000n });
    expect((await verifyBlobs()).bad).toEqual([]);
  });

  /**
   * Every version's bytes are what its digest says, the newest is the current one, and nothing half-written has a
   * blob's name.
   */
  async function expectWhole(dataset: string): Promise<void> {
    const versions = await versionsOf(dataset);
    expect(versions.filter((version) => version.currentOf).map(({ sequence }) => sequence)).toEqual([versions.length]);
    for (const version of versions)
      expect(await hashFile(blobFile(version.digest))).toEqual({
        digest: version.digest,
        bytes: Number(version.bytes),
      });
    expect((await verifyBlobs()).bad).toEqual([]);
  }
});

test("publishers of one table wait for each other and lose nothing", { timeout: 120_000 }, async () => {
  const files = [1000, 2000, 3000, 4000].map((rows) => csv(`concurrent-${rows}`, rows));
  const apart = files.slice(0, 2).map((file) => publishApart(file, "concurrent").ended);
  const here = files.slice(2).map((file) => publish(file, "concurrent"));
  for (const { output } of await Promise.all(apart)) expect(output).toContain('"outcome":"published"');
  await Promise.all(here);
  const versions = await versionsOf("concurrent");
  expect(versions.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
  expect(versions.map(({ rows }) => Number(rows)).sort((a, b) => a - b)).toEqual([1000, 2000, 3000, 4000]);
  expect(versions.filter(({ currentOf }) => currentOf).map(({ sequence }) => sequence)).toEqual([4]);
  // Each version says what it changed against the one before it: compared and recorded under one lock.
  const grew = versions.map(({ rows }, at) =>
    at === 0 ? "first" : rows > (versions[at - 1]?.rows ?? 0n) ? "appended" : "restated",
  );
  expect(versions.map(({ change }) => change)).toEqual(grew);
});

test("the same file published twice at once makes one version", async () => {
  const file = csv("twice", 500);
  const receipts = await Promise.all([publish(file, "twice"), publish(file, "twice")]);
  expect(receipts.map(({ outcome }) => outcome).sort()).toEqual(["published", "unchanged"]);
});

describe("doctor", () => {
  const aged = (path: string) => utimesSync(path, new Date(0), new Date(0));

  test("finds leftovers and losses, removes the leftovers alone, and spares what is young or running", async () => {
    const kept = await publish(csv("kept", 10), "kept");
    const lost = await publish(csv("lost", 20), "lost");
    const cut = await publish(csv("cut", 30), "cut");
    const orphan = blobFile("ab".repeat(32));
    writeFileSync(join(blobFolder(), "stray"), "x");
    renameSync(blobFile(lost.content_digest.slice(7)), `${blobFolder()}/moved`);
    chmodSync(blobFile(cut.content_digest.slice(7)), 0o644);
    writeFileSync(blobFile(cut.content_digest.slice(7)), "x");
    mkdirSync(join(blobFolder(), "ab"), { recursive: true });
    writeFileSync(orphan, "x");
    aged(orphan);
    writeFileSync(join(tempDir(), `publish-${process.pid}-running`), "x");
    writeFileSync(join(tempDir(), "publish-999999999-dead"), "x");
    expect((await doctor({ fix: true })).filter(({ fixed }) => fixed)).toEqual([]); // all are younger than an hour

    const found = await doctor({ fix: true, olderThanMs: 0 });
    const problems = found.map(({ problem, fixed }) => `${problem} ${fixed}`).sort();
    expect(problems).toEqual([
      "blob_missing false",
      "blob_without_version true",
      "blob_wrong_size false",
      "stray_file true",
      "stray_file true",
      "temp_leftover true",
    ]);
    expect(readdirSync(tempDir())).toEqual([`publish-${process.pid}-running`]);
    expect(statSync(blobFile(kept.content_digest.slice(7))).size).toBe(kept.bytes);
  });

  test("publishing the same file again mends a lost and a damaged blob", async () => {
    const before = await verifyBlobs();
    expect(before.bad.map(({ problem }) => problem).sort()).toEqual(["damaged", "missing"]);
    expect((await publish(csv("lost", 20), "lost")).outcome).toBe("unchanged");
    expect((await publish(csv("cut", 30), "cut")).outcome).toBe("unchanged");
    expect((await verifyBlobs()).bad).toEqual([]);
  });

  test("verify finds a single changed byte", async () => {
    const { content_digest } = await publish(csv("byte", 40), "byte");
    const path = blobFile(content_digest.slice(7));
    const bytes = readFileSync(path);
    bytes[100] = (bytes[100] ?? 0) ^ 1;
    chmodSync(path, 0o644);
    writeFileSync(path, bytes);
    expect((await verifyBlobs()).bad).toEqual([{ digest: content_digest.slice(7), problem: "damaged" }]);
  });
});
