import { rm } from "node:fs/promises";
import { join } from "node:path";
import { whenMissing } from "@/lib/kernel/missing-file";
import type { BackupFile } from "@/lib/schemas/backup";
import { snapshotName, snapshotPath } from "@/lib/sources/snapshots";
import { type Blob, hashFile } from "@/lib/storage/blobs";
import { placeFile } from "@/lib/storage/place-file";
import type { BackupContext } from "./context";

/**
 * Copies the bytes of sources that refreshes may need into the backup and hashes them there. One that is missing or
 * damaged is left out: its source is read again.
 */
export async function keepSourceBytes(
  folder: string,
  wanted: readonly Blob[],
  { progress, signal }: BackupContext,
): Promise<BackupFile[]> {
  const kept: BackupFile[] = [];
  for (const { digest, bytes } of wanted) {
    signal?.throwIfAborted();
    const file = snapshotName(digest);
    const target = join(folder, file);
    const isThere = await placeFile(snapshotPath(digest), target).then(() => true, whenMissing(false));
    if (!isThere) continue;
    const found = await hashFile(target);
    if (found.digest === digest && found.bytes === bytes) kept.push({ file, bytes, sha256: digest });
    else await rm(target);
  }
  if (wanted.length > 0) progress?.(`${kept.length} of ${wanted.length} snapshots of sources`);
  return kept;
}
