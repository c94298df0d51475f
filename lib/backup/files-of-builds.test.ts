import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sha256Hex } from "@/lib/kernel/sha256";
import { keepSnapshot } from "@/lib/sources/snapshots";
import { blobStore, snapshotStore } from "@/lib/storage/blob-store";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { database } from "@/lib/store/postgres/database";
import { addArtifacts, listArtifacts } from "@/lib/store/runs/artifacts";
import { recordUpload } from "@/lib/store/sources/uploads";
import { blobFileIn, snapshotFile } from "@/lib/testing/blob-file";
import { useTestState } from "@/lib/testing/database";
import { succeedAt, usePlaces } from "@/lib/testing/places";
import { storedRun } from "@/lib/testing/stored-run";
import { newWorkspace } from "@/lib/testing/workspace";
import { makeBackup } from "./backup";

useTestState();
const { emptyPlace, folder: places } = usePlaces();

const HOUR = 3_600_000;

test("an upload is in a backup with its bytes, and restored", async () => {
  const folder = mkdtempSync(join(places, "upload-"));
  const { workspaceId } = await newWorkspace();
  const text = "a file of somebody";
  const digest = sha256Hex(text);
  const file = join(folder, "somebody.csv");
  writeFileSync(file, text);
  await blobStore().put(digest, file, { keep: true });
  const about = { workspaceId, name: "somebody", digest, bytes: text.length, fileName: "", mediaType: "" };
  const { upload } = await recordUpload({ ...about, actor: {}, at: new Date() }, ADMINISTRATOR);
  const { folder: backup, manifest } = await makeBackup(join(folder, "backup"), { keys: true });
  expect(manifest.blobs).toContainEqual(expect.objectContaining({ sha256: digest, bytes: text.length }));
  const place = await emptyPlace();
  await succeedAt(place, "restore", backup, "--json");
  expect((await succeedAt(place, "verify", "--json")).stdout).toContain('"bad":[]');
  expect(readFileSync(blobFileIn(place.PARQUETRY_DATA_DIR, digest), "utf8")).toBe(text);
  await (await database()).prisma.upload.delete({ where: { id: upload.id } });
  await blobStore().remove(digest);
});

test("the source bytes that a refresh may need are in a backup and restored; others are left out", async () => {
  const folder = mkdtempSync(join(places, "snapshots-"));
  const { workspaceId } = await newWorkspace();
  const { prisma } = await database();
  const run = await prisma.$transaction((transaction) => storedRun(transaction, workspaceId));
  const [needed, old, damaged] = ["needed bytes", "old bytes", "damaged bytes"];
  const digests = [needed, old, damaged].map(sha256Hex);
  for (const text of [needed, old, damaged]) {
    writeFileSync(join(folder, "raw"), text);
    await keepSnapshot(join(folder, "raw"), sha256Hex(text));
    const about = { workspaceId, digest: sha256Hex(text), bytes: text.length, mediaType: "" };
    await prisma.sourceSnapshot.create({ data: { ...about, storedAt: new Date(), usedAt: new Date() } });
  }
  writeFileSync(snapshotFile(sha256Hex(damaged)), "damaged bytez");
  const parts = [needed, damaged].map((text) => ({ partition: null, file: `raw/${sha256Hex(text)}` }));
  const plan = { sources: [{ name: "office", parts }] };
  await prisma.run.update({ where: { id: run.id }, data: { state: "sealed", plan } });

  const { folder: backup, manifest } = await makeBackup(join(folder, "backup"), { keys: true });
  expect(manifest.snapshots).toEqual([
    { file: snapshotStore().keyOf(sha256Hex(needed)), bytes: needed.length, sha256: sha256Hex(needed) },
  ]);
  expect(manifest.tables.find(({ name }) => name === "SourceSnapshot")?.rows).toBe(2);
  const place = await emptyPlace();
  await succeedAt(place, "restore", backup, "--json");
  const restored = digests.map((digest) => existsSync(join(place.PARQUETRY_DATA_DIR, snapshotStore().keyOf(digest))));
  expect(restored).toEqual([true, false, false]);
  expect(readFileSync(join(place.PARQUETRY_DATA_DIR, snapshotStore().keyOf(sha256Hex(needed))), "utf8")).toBe(needed);
  const { prisma: again } = await database();
  await again.dataset.delete({ where: { id: run.datasetId } });
  await again.sourceSnapshot.deleteMany();
});

test("the artifacts of a run are left out, as if they had expired, and everything else is restored", async () => {
  const folder = mkdtempSync(join(places, "sample-"));
  const digest = sha256Hex("a sample");
  writeFileSync(join(folder, "sample.parquet"), "a sample");
  await blobStore().put(digest, join(folder, "sample.parquet"), { keep: true });
  const { workspaceId } = await newWorkspace();
  const { prisma } = await database();
  const now = new Date();
  const about = { mediaType: "", bytes: 8, digest, expiresAt: new Date(now.getTime() + HOUR) };
  const run = await prisma.$transaction(async (transaction) => {
    const stored = await storedRun(transaction, workspaceId);
    const kept = [
      { ...about, kind: "sample_table" as const, name: "sample.parquet" },
      { ...about, kind: "log" as const, name: "log.txt" },
    ];
    await addArtifacts(transaction, stored.id, kept, now);
    return stored;
  });
  expect(await listArtifacts(run.id, now)).toHaveLength(2);

  const { folder: backup, manifest } = await makeBackup(join(folder, "backup"), { keys: true });
  expect(manifest.blobs.map(({ sha256 }) => sha256)).not.toContain(digest);
  expect(manifest.tables.find(({ name }) => name === "RunArtifact")?.rows).toBe(0);
  expect(manifest.tables.find(({ name }) => name === "Run")?.rows).toBe(1);
  const place = await emptyPlace();
  await succeedAt(place, "restore", backup, "--json");
  expect((await succeedAt(place, "verify", "--json")).stdout).toContain('"bad":[]');
});
