import { randomUUID } from "node:crypto";
import { constants, copyFile, mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { env } from "@/lib/kernel/env";
import { fileDigest } from "@/lib/kernel/file-digest";
import { whenMissing } from "@/lib/kernel/missing-file";

const DIGEST = /^[0-9a-f]{64}$/;
const FILE = /^([0-9a-f]{64})(\.[\w-]+)?$/;

/** A snapshot's path within the data folder or a backup: `snapshots/<2 hex>/<digest>`. */
export function snapshotName(digest: string): string {
  if (!DIGEST.test(digest)) throw new Error("A snapshot is named by 64 hex digits");
  return join("snapshots", digest.slice(0, 2), digest);
}

/** Where the raw bytes of a source are kept. */
export const snapshotPath = (digest: string): string => join(env().PARQUETRY_DATA_DIR, snapshotName(digest));

/** Whether the bytes are stored; `takeSnapshot` verifies them. */
export const hasSnapshot = async (digest: string): Promise<boolean> =>
  (await stat(snapshotPath(digest)).catch(whenMissing(undefined))) !== undefined;

/** The names of all folders that snapshots can be in. */
export const SNAPSHOT_FOLDERS = Array.from({ length: 256 }, (_, at) => at.toString(16).padStart(2, "0"));

export interface SnapshotFile {
  path: string;
  digest: string;
  /** Of a file that is being written, or was when its process ended. */
  isDraft: boolean;
  changedAt: Date;
}

/** The files of one folder of snapshots. */
export async function listSnapshotFiles(folder: string): Promise<SnapshotFile[]> {
  const place = join(env().PARQUETRY_DATA_DIR, "snapshots", folder);
  const names = await readdir(place).catch(whenMissing<string[]>([]));
  const files = names.map(async (name): Promise<SnapshotFile | undefined> => {
    const [, digest, draft] = FILE.exec(name) ?? [];
    const path = join(place, name);
    const found = await stat(path).catch(whenMissing(undefined));
    if (digest === undefined || !found) return undefined;
    return { path, digest, isDraft: draft !== undefined, changedAt: found.ctime };
  });
  return (await Promise.all(files)).flatMap((file) => file ?? []);
}

/** Stores a copy of a file's bytes under their digest, unless they are already stored. */
export async function keepSnapshot(path: string, digest: string): Promise<void> {
  const target = snapshotPath(digest);
  if (await hasSnapshot(digest)) return;
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const draft = `${target}.${randomUUID()}`; // workers on several machines may have the same process id
  await copyFile(path, draft, constants.COPYFILE_FICLONE);
  await rename(draft, target);
}

/**
 * Copies a snapshot into a run's folder: files that a run can write to must not share bytes with files that outlive it.
 * Returns false if it is missing or damaged; a damaged one is deleted.
 */
export async function takeSnapshot(digest: string, to: string): Promise<boolean> {
  const source = snapshotPath(digest);
  const isThere = await copyFile(source, to, constants.COPYFILE_FICLONE).then(() => true, whenMissing(false));
  if (!isThere) return false;
  if ((await fileDigest(to)) === digest) return true;
  await Promise.all([rm(source, { force: true }), rm(to, { force: true })]);
  return false;
}
