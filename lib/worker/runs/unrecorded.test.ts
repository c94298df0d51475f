import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { sha256Hex } from "@/lib/kernel/sha256";
import { keepSnapshot } from "@/lib/sources/snapshots";
import { blobStore } from "@/lib/storage/blob-store";
import { runsDir } from "@/lib/storage/paths";
import { artifactFile, blobFile, snapshotFile } from "@/lib/testing/blob-file";
import { useTestState } from "@/lib/testing/database";
import { forgetRecords, recordStored, removeRunFolder } from "./unrecorded";

useTestState();

/** A run's folder, with a blob, an artifact and a snapshot that it stored, and drafts as left by a kill. */
async function storedBy(name: string) {
  const folder = join(runsDir(), name);
  mkdirSync(folder, { recursive: true });
  const [table, text] = [sha256Hex(`${name} table`), sha256Hex(`${name} text`)];
  for (const digest of [table, text]) await recordStored(folder, digest);
  writeFileSync(join(folder, "table"), `${name} table`);
  await blobStore().put(table, join(folder, "table"), { keep: true });
  mkdirSync(dirname(artifactFile(text)), { recursive: true });
  writeFileSync(artifactFile(text), `${name} text`);
  writeFileSync(`${blobFile(table)}.1.draft`, "");
  writeFileSync(`${artifactFile(text)}.12345.draft`, "");
  const raw = sha256Hex(`${name} raw`);
  await recordStored(folder, raw);
  writeFileSync(join(folder, "raw"), `${name} raw`);
  await keepSnapshot(join(folder, "raw"), raw);
  const files = [
    snapshotFile(raw),
    blobFile(table),
    artifactFile(text),
    `${blobFile(table)}.1.draft`,
    `${artifactFile(text)}.12345.draft`,
  ];
  return { folder, there: () => files.map((path) => existsSync(path)) };
}

test("bytes that a run stored but nobody recorded are removed with its folder; recorded ones are kept", async () => {
  const lost = await storedBy("lost");
  const kept = await storedBy("kept");
  await forgetRecords(kept.folder);
  await removeRunFolder(lost.folder);
  await removeRunFolder(kept.folder);
  expect(lost.there()).toEqual([false, false, false, false, false]);
  expect(kept.there()).toEqual([true, true, true, true, true]);
  expect(readdirSync(runsDir())).toEqual([]);
});
