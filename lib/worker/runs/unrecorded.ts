import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { whenMissing } from "@/lib/kernel/missing-file";
import { snapshotPath } from "@/lib/sources/snapshots";
import { blobStore } from "@/lib/storage/blob-store";
import { PRIVATE_FOLDER } from "@/lib/storage/data-folder";
import { artifactPath } from "@/lib/storage/paths";
import { withBlobsLock } from "@/lib/store/datasets/versions";
import { unnamedDigests } from "@/lib/store/runs/artifacts";
import { removeUnused } from "@/lib/worker/sources/old-snapshots";

const recordsFolder = (folder: string): string => join(folder, "stored");

/** Notes in a run's folder what is stored next, so that a kill before it is recorded leaves no orphaned bytes. */
export async function recordStored(folder: string, digest: string): Promise<void> {
  await mkdir(recordsFolder(folder), PRIVATE_FOLDER);
  await writeFile(join(recordsFolder(folder), digest), "");
}

/** Removes the notes once everything is recorded. */
export const forgetRecords = (folder: string): Promise<void> =>
  rm(recordsFolder(folder), { recursive: true, force: true });

/** Removes a run's folder, after anything that was stored and never recorded. */
export async function removeRunFolder(folder: string): Promise<void> {
  const digests = await readdir(recordsFolder(folder)).catch(whenMissing<string[]>([]));
  if (digests.length > 0) await withBlobsLock(() => removeUnrecorded(digests));
  await rm(folder, { recursive: true, force: true });
}

/** Holds the lock, under which nobody stores anything, so every draft of these digests is abandoned. */
async function removeUnrecorded(digests: readonly string[]): Promise<void> {
  for (const digest of await unnamedDigests(digests)) {
    await blobStore().remove(digest);
    await rm(artifactPath(digest), { force: true });
  }
  await removeUnused(digests);
  for await (const stray of blobStore().strays())
    if (digests.some((digest) => stray.name.includes(digest))) await stray.remove();
  for (const digest of digests)
    for (const path of [artifactPath(digest), snapshotPath(digest)]) await removeDrafts(path);
}

async function removeDrafts(path: string): Promise<void> {
  const names = await readdir(dirname(path)).catch(whenMissing<string[]>([]));
  const drafts = names.filter((name) => name.startsWith(`${basename(path)}.`));
  for (const name of drafts) await rm(join(dirname(path), name), { force: true });
}
