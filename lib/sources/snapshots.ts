import { chmod, constants, copyFile, rm } from "node:fs/promises";
import { Failure } from "@/lib/kernel/errors";
import { fileDigest } from "@/lib/kernel/file-digest";
import { whenMissing } from "@/lib/kernel/missing-file";
import { snapshotStore } from "@/lib/storage/blob-store";

/** Whether the bytes are stored; `takeSnapshot` verifies them. */
export const hasSnapshot = async (digest: string): Promise<boolean> =>
  (await snapshotStore().stat(digest)) !== undefined;

/** Stores a copy of a file's bytes under their digest, unless they are already stored. */
export async function keepSnapshot(path: string, digest: string): Promise<void> {
  if (!(await hasSnapshot(digest))) await snapshotStore().put(digest, path, { copy: true });
}

/**
 * Copies a snapshot into a run's folder: files that a run can write to must not share bytes with files that outlive it.
 * Returns false if it is missing or damaged; a damaged one is deleted.
 */
export async function takeSnapshot(digest: string, to: string): Promise<boolean> {
  const copied = await snapshotStore()
    .withLocalPath(digest, (path) => copyFile(path, to, constants.COPYFILE_FICLONE))
    .then(() => chmod(to, 0o600)) // a source may be read twice into one file
    .then(() => "copied" as const, whenMissing("missing" as const))
    .catch((error: unknown) => {
      if (error instanceof Failure && error.code === "integrity_failure") return "damaged" as const;
      throw error;
    });
  if (copied === "missing") return false;
  if (copied === "copied" && (await fileDigest(to)) === digest) return true;
  await Promise.all([snapshotStore().remove(digest), rm(to, { force: true })]);
  return false;
}
