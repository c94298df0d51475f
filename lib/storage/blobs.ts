import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { openFile } from "./file-handle";
import type { BlobHandle } from "./object-store";

const READ_SIZE = 1 << 20;

export interface Blob {
  /** SHA-256 of the bytes, 64 hex digits. */
  digest: string;
  bytes: number;
}

/** SHA-256 and size of a file. */
export const hashFile = async (path: string): Promise<Blob> => await hashAndClose(await openFile(path));

/** SHA-256 and size of an open blob, read with two buffers in turn: one is hashed while the other is filled. */
export async function hashAndClose(blob: BlobHandle): Promise<Blob> {
  try {
    return await hashOpen(blob);
  } finally {
    await blob.close();
  }
}

async function hashOpen(blob: BlobHandle): Promise<Blob> {
  const hash = createHash("sha256");
  let [current, next] = [Buffer.allocUnsafe(READ_SIZE), Buffer.allocUnsafe(READ_SIZE)];
  let bytes = 0;
  let read = await blob.read(current, 0, READ_SIZE, 0);
  while (read.bytesRead > 0) {
    const filled = current.subarray(0, read.bytesRead);
    bytes += read.bytesRead;
    const following = blob.read(next, 0, READ_SIZE, bytes);
    hash.update(filled);
    read = await following;
    [current, next] = [next, current];
  }
  return { digest: hash.digest("hex"), bytes };
}

/** Syncs a file's bytes, or a folder's names, to the disk. */
export async function syncPath(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
