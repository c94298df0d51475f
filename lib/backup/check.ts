import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { BackupFile, BackupManifest } from "@/lib/schemas/backup";
import { hashFile } from "@/lib/storage/blobs";
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
 * Reads a backup completely and returns which of its files do not match the manifest. Throws if the manifest itself is
 * damaged.
 */
export async function checkBackup(folder: string): Promise<CheckedBackup> {
  const manifest = await readManifest(folder);
  const problems: BackupProblem[] = [];
  for (const file of filesOf(manifest)) {
    const problem = await problemOf(folder, file);
    if (problem) problems.push({ file: file.file, problem });
  }
  return { manifest, problems };
}

/** All files of a backup except the manifest. */
export function filesOf({ tables, keys, blobs, snapshots }: BackupManifest): BackupFile[] {
  return [...tables, ...(keys ?? []), ...blobs, ...snapshots];
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
