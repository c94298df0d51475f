import { createHash } from "node:crypto";
import { chmod, type FileHandle, mkdir, open, readdir, rename, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { PRIVATE_FOLDER } from "./data-folder";
import { blobPath, blobsDir } from "./paths";

const READ_SIZE = 1 << 20;

export interface Blob {
  /** SHA-256 of the bytes, 64 hex digits. */
  digest: string;
  bytes: number;
}

/** SHA-256 and size of a file, read with two buffers in turn: one is hashed while the other fills. */
export async function hashFile(path: string): Promise<Blob> {
  const file = await open(path, "r");
  try {
    return await hashOpenFile(file);
  } finally {
    await file.close();
  }
}

async function hashOpenFile(file: FileHandle): Promise<Blob> {
  const hash = createHash("sha256");
  let [current, next] = [Buffer.allocUnsafe(READ_SIZE), Buffer.allocUnsafe(READ_SIZE)];
  let bytes = 0;
  let read = await file.read(current, 0, READ_SIZE, 0);
  while (read.bytesRead > 0) {
    const filled = current.subarray(0, read.bytesRead);
    bytes += read.bytesRead;
    const following = file.read(next, 0, READ_SIZE, bytes);
    hash.update(filled);
    read = await following;
    [current, next] = [next, current];
  }
  return { digest: hash.digest("hex"), bytes };
}

/**
 * Moves a finished file among the blobs under its digest, durably: the bytes reach the disk before the name does.
 * The file must lie on the same file system. It replaces a blob of the same digest, so that a damaged one is mended.
 */
export async function storeBlob(path: string): Promise<Blob> {
  await chmod(path, 0o444);
  await syncPath(path);
  const blob = await hashFile(path);
  const target = blobPath(blob.digest);
  await mkdir(dirname(target), PRIVATE_FOLDER);
  await rename(path, target);
  await syncPath(dirname(target));
  await syncPath(blobsDir());
  return blob;
}

/** The stored size of a blob; undefined when it is not there. */
export async function blobSize(digest: string): Promise<number | undefined> {
  try {
    return (await stat(blobPath(digest))).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Every file under the blobs' folder; `digest` is undefined for what is no blob by its place and name. */
export async function listBlobs(): Promise<{ path: string; digest: string | undefined }[]> {
  const entries = await readdir(blobsDir(), { recursive: true, withFileTypes: true }).catch(ignoreAbsent);
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, digest: digestOf(path) }));
}

function digestOf(path: string): string | undefined {
  const digest = basename(path, ".parquet");
  return /^[0-9a-f]{64}$/.test(digest) && blobPath(digest) === path ? digest : undefined;
}

function ignoreAbsent(error: NodeJS.ErrnoException): never[] {
  if (error.code === "ENOENT") return [];
  throw error;
}

/** Puts a file's bytes, or a folder's names, on the disk. */
export async function syncPath(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
