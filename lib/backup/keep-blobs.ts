import { join } from "node:path";
import { Failure } from "@/lib/kernel/errors";
import { whenMissing } from "@/lib/kernel/missing-file";
import type { BackupFile } from "@/lib/schemas/backup";
import { type BlobStore, blobStore } from "@/lib/storage/blob-store";
import { type Blob, hashFile } from "@/lib/storage/blobs";
import { placeFile } from "@/lib/storage/place-file";
import type { BackupContext } from "./context";

const SHOWN_MAX = 10;
const PROGRESS_EVERY = 500;

/**
 * Copies every blob of a snapshot into the backup and hashes it there; without a folder, looks only whether they are
 * where the service stores them. Throws with the names of all that are missing or damaged.
 */
export async function keepBlobs(
  folder: string | undefined,
  wanted: readonly Blob[],
  { progress, signal }: BackupContext,
): Promise<{ blobs: BackupFile[]; linked: number }> {
  const bad: string[] = [];
  const blobs: BackupFile[] = [];
  let linked = 0;
  for (const blob of wanted) {
    signal?.throwIfAborted();
    const file = blobStore().keyOf(blob.digest);
    const kept = await (folder === undefined ? leaveBlob(blob) : placeBlob(blobStore(), blob, join(folder, file)));
    if (kept === "missing" || kept === "damaged") bad.push(`${blob.digest} ${kept}`);
    if (kept === "linked") linked += 1;
    blobs.push({ file, bytes: blob.bytes, sha256: blob.digest });
    if (blobs.length % PROGRESS_EVERY === 0) progress?.(`${blobs.length} of ${wanted.length} blobs`);
  }
  if (bad.length > 0) throw new Error(lossesOf(bad));
  progress?.(`${blobs.length} blobs, of which ${linked} linked`);
  return { blobs, linked };
}

async function leaveBlob({ digest, bytes }: Blob): Promise<"left" | "missing" | "damaged"> {
  const stored = await blobStore().stat(digest);
  if (!stored) return "missing";
  return stored.bytes === bytes ? "left" : "damaged";
}

/** Adds the bytes of a blob at a path, and hashes them there. */
export async function placeBlob(
  store: BlobStore,
  { digest, bytes }: Blob,
  target: string,
): Promise<"linked" | "copied" | "missing" | "damaged"> {
  const placed = await store
    .withLocalPath(digest, (path) => placeFile(path, target))
    .catch((error: unknown) => {
      if (error instanceof Failure && error.code === "integrity_failure") return "damaged" as const;
      return whenMissing("missing" as const)(error);
    });
  if (placed === "missing" || placed === "damaged") return placed;
  const found = await hashFile(target);
  return found.digest === digest && found.bytes === bytes ? placed : "damaged";
}

function lossesOf(bad: readonly string[]): string {
  const more = bad.length > SHOWN_MAX ? `\n  and ${bad.length - SHOWN_MAX} more` : "";
  return (
    `No backup was created because files are missing or damaged. Publish their data again, or restore them from an ` +
    `older backup.\n  ${bad.slice(0, SHOWN_MAX).join("\n  ")}${more}`
  );
}
