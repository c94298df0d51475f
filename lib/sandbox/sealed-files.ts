import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { BuiltFile } from "@/lib/builds/plan";
import { fileDigest } from "@/lib/kernel/file-digest";

export interface SealedDigest {
  table: string;
  /** Relative to the run's folder. */
  path: string;
  sha256: string;
  bytes: number;
}

/** Digests of the files that a build made. */
export async function sealedFiles(folder: string, files: readonly BuiltFile[]): Promise<SealedDigest[]> {
  const sealed: SealedDigest[] = [];
  for (const file of files) {
    const path = join(folder, file.path);
    const [sha256, { size }] = await Promise.all([fileDigest(path), stat(path)]);
    sealed.push({ table: file.table, path: file.path, sha256, bytes: size });
  }
  return sealed;
}
