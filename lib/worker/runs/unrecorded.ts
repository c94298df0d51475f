import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { whenMissing } from "@/lib/kernel/missing-file";
import { artifactStore, blobStore, snapshotStore } from "@/lib/storage/blob-store";
import { PRIVATE_FOLDER } from "@/lib/storage/data-folder";
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
    await artifactStore().remove(digest);
  }
  await removeUnused(digests);
  for (const digest of digests)
    for (const store of [blobStore(), artifactStore(), snapshotStore()])
      for await (const stray of store.strays(digest.slice(0, 2))) if (stray.name.includes(digest)) await stray.remove();
}
