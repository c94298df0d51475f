import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  watch,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { env } from "@/lib/kernel/env";
import { hashFile } from "@/lib/storage/blobs";
import { tempDir } from "@/lib/storage/paths";
import { database } from "@/lib/store/postgres/database";
import { blobFile, blobFolder } from "@/lib/testing/blob-file";
import { useTestState } from "@/lib/testing/database";
import { untilLocksAwaited } from "@/lib/testing/locks-awaited";
import { trialRuns } from "@/lib/testing/property";
import { PublisherProcess } from "@/lib/testing/publisher-process";
import { doctor } from "./doctor";
import { publishTable } from "./publish";
import { verifyBlobs } from "./verify";

const state = useTestState();
const ctx = { now: () => new Date() };
const KILLS = trialRuns("KILLS", 2);

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

/** The publish command in a separate process. */
function publisherOf(file: string, dataset: string): PublisherProcess {
  const { DATABASE_URL = "", PARQUETRY_DATA_DIR } = state.settings();
  const PARQUETRY_SECRET = env().PARQUETRY_SECRET ?? ""; // the one that proves read copies
  return new PublisherProcess(file, dataset, { DATABASE_URL, PARQUETRY_DATA_DIR, PARQUETRY_SECRET });
}

async function versionsOf(dataset: string) {
  const { prisma } = await database();
  return await prisma.version.findMany({
    where: { table: { dataset: { slug: dataset } } },
    include: { currentOf: true },
    orderBy: { sequence: "asc" },
  });
}

describe("a publication that is killed", () => {
  const ROWS = 20_000;
  let files = 0;
  /** A different file each time: content recorded before its publisher was killed would not be recorded again. */
  const newFile = () => csv("new", ROWS, files++);

  /** Kills it at each step, then while it waits for a lock, then after more and more file changes. */
  async function* killings(): AsyncGenerator<void> {
    for (const step of ["reading", "writing", "creating the read copy"]) {
      const publisher = publisherOf(newFile(), "killed");
      publisher.onStep(step, () => publisher.kill());
      await publisher.ended;
      yield;
    }
    await killAtTable("Version");
    yield;
    const changes = await changesOfFiles(() => killAtTable("AuditEvent"));
    yield;
    for (let kill = 0; kill < KILLS; kill += 1) {
      await killAfter(Math.ceil((changes * (kill + Math.random())) / KILLS));
      yield;
    }
  }

  /** Kills it when it is about to write a row of this table: the blob exists, but the transaction is not committed. */
  async function killAtTable(table: string): Promise<void> {
    const { pool } = await database();
    const holder = await pool.connect();
    try {
      await holder.query(`BEGIN; LOCK TABLE "${table}" IN SHARE MODE`);
      const publisher = publisherOf(newFile(), "killed");
      await untilLocksAwaited(1);
      publisher.kill();
      expect((await publisher.ended).signal).toBe("SIGKILL");
    } finally {
      await holder.query("ROLLBACK");
      holder.release();
    }
  }

  /** Kills it after `most` file changes in the data folder, if it makes that many. */
  async function killAfter(most: number): Promise<void> {
    const publisher = publisherOf(newFile(), "killed");
    await changesOfFiles(
      () => publisher.ended,
      (changes) => changes >= most && publisher.kill(),
    );
  }

  async function changesOfFiles(work: () => Promise<unknown>, onChange: (changes: number) => void = () => undefined) {
    let changes = 0;
    const watcher = watch(state.dataDir(), { recursive: true }, () => {
      changes += 1;
      onChange(changes);
    });
    await work();
    watcher.close();
    return changes;
  }

  test("leaves the complete old or new version at every moment; doctor and a retry repair the rest", async () => {
    await publish(csv("old", 10), "killed");
    for await (const _killed of killings()) await expectWhole("killed");
    await doctor({ fix: true, olderThanMs: 0 });
    expect(await doctor({ fix: false, olderThanMs: 0 })).toEqual([]);
    expect(readdirSync(tempDir())).toEqual([]);
    await publish(newFile(), "killed");
    expect((await versionsOf("killed")).at(-1)).toMatchObject({ rows: BigInt(ROWS) });
    expect((await verifyBlobs()).bad).toEqual([]);
  });

  /**
   * Every version's bytes match its digest, the newest is the current one, and no incomplete file has a blob's name.
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

test("concurrent publications of one table wait for each other and lose nothing", async () => {
  const files = [1000, 2000, 3000, 4000].map((rows) => csv(`concurrent-${rows}`, rows));
  const apart = files.slice(0, 2).map((file) => publisherOf(file, "concurrent").ended);
  const here = files.slice(2).map((file) => publish(file, "concurrent"));
  for (const { output } of await Promise.all(apart)) expect(output).toMatch(/outcome\s+published/);
  await Promise.all(here);
  const versions = await versionsOf("concurrent");
  expect(versions.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
  expect(versions.map(({ rows }) => Number(rows)).sort((a, b) => a - b)).toEqual([1000, 2000, 3000, 4000]);
  expect(versions.filter(({ currentOf }) => currentOf).map(({ sequence }) => sequence)).toEqual([4]);
  // Each version records its change from the previous one: compared and recorded under one lock.
  const grew = versions.map(({ rows }, at) =>
    at === 0 ? "first" : rows > (versions[at - 1]?.rows ?? 0n) ? "appended" : "restated",
  );
  expect(versions.map(({ change }) => change)).toEqual(grew);
});

test("publishing the same file twice at once creates one version", async () => {
  const file = csv("twice", 500);
  const receipts = await Promise.all([publish(file, "twice"), publish(file, "twice")]);
  expect(receipts.map(({ outcome }) => outcome).sort()).toEqual(["published", "unchanged"]);
});

describe("doctor", () => {
  const aged = (path: string) => utimesSync(path, new Date(0), new Date(0));

  test("finds leftovers and losses, removes only leftovers, and spares recent and running files", async () => {
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

  test("publishing the same file again repairs a lost and a damaged blob", async () => {
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
