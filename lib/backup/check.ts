import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { whenMissing } from "@/lib/kernel/missing-file";
import type { BackupFile, BackupManifest } from "@/lib/schemas/backup";
import { blobStore } from "@/lib/storage/blob-store";
import { hashAndClose, hashFile } from "@/lib/storage/blobs";
import { readManifest } from "./manifest";

export interface BackupProblem {
  file: string;
  problem: "missing" | "damaged";
}

export interface CheckedBackup {
  manifest: BackupManifest;
  problems: BackupProblem[];
}

/**
 * Reads a backup completely, and what it left in the object store, and returns which of its files do not match the
 * manifest. Throws if the manifest itself is damaged, or if the store does not answer.
 */
export async function checkBackup(folder: string): Promise<CheckedBackup> {
  const manifest = await readManifest(folder);
  const problems: BackupProblem[] = [];
  const examine = async (files: readonly BackupFile[], find: typeof storedProblem) => {
    for (const file of files) {
      const problem = await find(file);
      if (problem) problems.push({ file: file.file, problem });
    }
  };
  await examine(filesOf(manifest), (file) => problemOf(folder, file));
  if (!manifest.blobs_included) await examine(manifest.blobs, storedProblem);
  return { manifest, problems };
}

/** All files in the folder of a backup except the manifest. */
export function filesOf({ tables, keys, blobs, blobs_included, snapshots }: BackupManifest): BackupFile[] {
  return [...tables, ...(keys ?? []), ...(blobs_included ? blobs : []), ...snapshots];
}

/** What is wrong with a blob where the service stores it: all of its bytes are read. */
export async function storedProblem({ bytes, sha256 }: BackupFile): Promise<BackupProblem["problem"] | undefined> {
  const found = await blobStore().open(sha256).then(hashAndClose).catch(whenMissing(undefined));
  if (!found) return "missing";
  return found.digest === sha256 && found.bytes === bytes ? undefined : "damaged";
}

async function problemOf(
  folder: string,
  { file, bytes, sha256 }: BackupFile,
): Promise<BackupProblem["problem"] | undefined> {
  const path = join(folder, file);
  const found = await lstat(path).catch(() => undefined);
  if (!found?.isFile()) return "missing";
  if (found.size !== bytes) return "damaged";
  const hashed = await hashFile(path).catch(() => undefined); // such as an unreadable sector
  return hashed?.digest === sha256 ? undefined : "damaged";
}
