import { existsSync, mkdtempSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sha256Hex } from "@/lib/kernel/sha256";
import { keepSnapshot } from "@/lib/sources/snapshots";
import { database } from "@/lib/store/postgres/database";
import { storedBytes } from "@/lib/store/sources/stored-bytes";
import { snapshotFile } from "@/lib/testing/blob-file";
import { useTestState } from "@/lib/testing/database";
import { storedRun } from "@/lib/testing/stored-run";
import { newWorkspace } from "@/lib/testing/workspace";
import { makeSnapshotRoom, removeOldSnapshots } from "./old-snapshots";

useTestState({ SNAPSHOT_MB: "1", SNAPSHOT_DAYS: "30" });

const DAY_MS = 86_400_000;
const KIB = 1024;
const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS);
const folder = mkdtempSync(join(tmpdir(), "old-snapshots-"));

/** A snapshot of a workspace, with its file. */
async function stored(workspaceId: string, text: string, usedAt: Date, bytes = text.length): Promise<string> {
  const digest = sha256Hex(text);
  writeFileSync(join(folder, digest), text);
  await keepSnapshot(join(folder, digest), digest);
  const { prisma } = await database();
  const row = { workspaceId, digest, bytes, mediaType: "", storedAt: usedAt, usedAt };
  await prisma.sourceSnapshot.create({ data: row });
  return digest;
}

/** A dataset whose sealed runs read these bytes, oldest first. */
async function readBy(workspaceId: string, ...runs: string[][]): Promise<void> {
  const { prisma } = await database();
  const { id, datasetId, revisionId } = await prisma.$transaction((transaction) => storedRun(transaction, workspaceId));
  await prisma.run.delete({ where: { id } });
  for (const [at, digests] of runs.entries()) {
    const sources = [{ name: "office", parts: digests.map((digest) => ({ partition: null, file: `raw/${digest}` })) }];
    const words = { kind: "refresh", trigger: "schedule", state: "sealed" } as const;
    const createdAt = daysAgo(100 - at);
    await prisma.run.create({
      data: { datasetId, workspaceId, revisionId, ...words, plan: { sources }, progress: {}, createdBy: {}, createdAt },
    });
  }
}

const isThere = (digest: string): boolean => existsSync(snapshotFile(digest));
const row = async (workspaceId: string, digest: string) => {
  const { prisma } = await database();
  return prisma.sourceSnapshot.findUnique({ where: { workspaceId_digest: { workspaceId, digest } } });
};

test("snapshots go 30 days after their last use, except for those that a dataset's next refresh may need", async () => {
  const { workspaceId } = await newWorkspace();
  const { workspaceId: other } = await newWorkspace();
  const [before, needed, recent] = [
    await stored(workspaceId, "the run before", daysAgo(31)),
    await stored(workspaceId, "the newest run", daysAgo(300)),
    await stored(workspaceId, "a draft of last week", daysAgo(7)),
  ];
  const shared = await stored(workspaceId, "of two workspaces", daysAgo(31));
  await stored(other, "of two workspaces", daysAgo(3));
  await readBy(workspaceId, [before], [needed]);

  await removeOldSnapshots(new Date());
  expect([before, needed, recent, shared].map(isThere)).toEqual([false, true, true, true]);
  expect(await row(workspaceId, before)).toBeNull();
  expect(await row(workspaceId, shared)).toBeNull();
  expect(await row(other, shared)).not.toBeNull();
  expect((await row(workspaceId, needed))?.usedAt.getTime()).toBeGreaterThan(daysAgo(1).getTime());
  expect(await storedBytes(workspaceId)).toMatchObject({ snapshots: 2, pinnedBytes: "the newest run".length });
});

test("a file that no snapshot names goes within the hours that all folders take, once it is an hour old", async () => {
  const { workspaceId } = await newWorkspace();
  const kept = await stored(workspaceId, "kept", new Date());
  const [stray, young] = [sha256Hex("stray"), sha256Hex("young")];
  for (const text of ["stray", "young"]) {
    writeFileSync(join(folder, text), text);
    await keepSnapshot(join(folder, text), sha256Hex(text));
  }
  const draft = `${snapshotFile(stray)}.123`;
  writeFileSync(draft, "");
  utimesSync(draft, daysAgo(1), daysAgo(1));
  const at = (minutes: number) => new Date(Date.now() + minutes * 60_000);
  for (let minute = 0; minute < 50; minute += 1) await removeOldSnapshots(at(minute));
  expect([stray, young, kept].map(isThere)).toEqual([true, true, true]);
  for (let minute = 70; minute < 70 + 256; minute += 1) await removeOldSnapshots(at(minute));
  expect([stray, young, kept].map(isThere)).toEqual([false, false, true]);
  expect(existsSync(draft)).toBe(false);
});

test("room for new bytes is made of the least recently used that nothing needs, or the read is refused", async () => {
  const { workspaceId } = await newWorkspace();
  const room = (bytes: number, since = new Date()) =>
    makeSnapshotRoom({ workspaceId, digest: sha256Hex(`new ${bytes}`), bytes, since });
  const needed = await stored(workspaceId, "needed", daysAgo(20), 400 * KIB);
  const oldest = await stored(workspaceId, "oldest", daysAgo(10), 300 * KIB);
  const newer = await stored(workspaceId, "newer", daysAgo(5), 100 * KIB);
  await readBy(workspaceId, [needed]);

  await room(224 * KIB); // 1 MiB to the byte
  expect([needed, oldest, newer].map(isThere)).toEqual([true, true, true]);
  await room(225 * KIB);
  expect([needed, oldest, newer].map(isThere)).toEqual([true, false, true]);
  await expect(room(600 * KIB, daysAgo(6))).rejects.toMatchObject({ code: "quota_exhausted" });
  expect(isThere(newer)).toBe(true); // the run itself has used it
  await expect(room(700 * KIB)).rejects.toThrow(/No room for another 700 KiB.*1 MiB.*SNAPSHOT_MB/);
  expect([needed, newer].map(isThere)).toEqual([true, true]); // removing it would not have been enough
  await room(600 * KIB);
  expect([needed, newer].map(isThere)).toEqual([true, false]);
});

test("runs that store the same bytes at the same time do not disturb each other", async () => {
  const digest = sha256Hex("read by many");
  writeFileSync(join(folder, digest), "read by many");
  await Promise.all(Array.from({ length: 8 }, () => keepSnapshot(join(folder, digest), digest)));
  expect(isThere(digest)).toBe(true);
});
