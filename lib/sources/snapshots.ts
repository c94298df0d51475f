import { constants, copyFile, mkdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { env } from "@/lib/kernel/env";
import { fileDigest } from "./file-digest";

const DIGEST = /^[0-9a-f]{64}$/;

/** Where the raw bytes of a source are kept: `snapshots/<2 hex>/<digest>` in the data folder. */
export function snapshotPath(digest: string): string {
  if (!DIGEST.test(digest)) throw new Error("A snapshot is named by 64 hex digits");
  return join(env().PARQUETRY_DATA_DIR, "snapshots", digest.slice(0, 2), digest);
}

/** Stores a copy of a file's bytes under their digest, unless they are already stored. */
export async function keepSnapshot(path: string, digest: string): Promise<void> {
  const target = snapshotPath(digest);
  if (await stat(target).catch(() => undefined)) return;
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const draft = `${target}.${process.pid}`;
  await copyFile(path, draft, constants.COPYFILE_FICLONE);
  await rename(draft, target);
}

/**
 * Copies a snapshot into a run's folder: files that a run can write to must not share bytes with files that outlive it.
 * Returns false if it is missing or damaged; a damaged one is deleted.
 */
export async function takeSnapshot(digest: string, to: string): Promise<boolean> {
  const source = snapshotPath(digest);
  if (!(await stat(source).catch(() => undefined))) return false;
  await copyFile(source, to, constants.COPYFILE_FICLONE);
  if ((await fileDigest(to)) === digest) return true;
  await Promise.all([rm(source, { force: true }), rm(to, { force: true })]);
  return false;
}
