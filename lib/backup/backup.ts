import { createHash, randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { lstat, mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { isDiskFull } from "@/lib/kernel/disk-full";
import { env } from "@/lib/kernel/env";
import { whenMissing } from "@/lib/kernel/missing-file";
import { BACKUP_FORMAT, type BackupFile, type BackupManifest, type BackupTable } from "@/lib/schemas/backup";
import { snapshotStore } from "@/lib/storage/blob-store";
import { type Blob, syncPath } from "@/lib/storage/blobs";
import { secretFingerprint } from "@/lib/storage/secret";
import type { TableShape } from "@/lib/store/postgres/copy-session";
import { type Snapshot, withSnapshot } from "@/lib/store/postgres/snapshot";
import type { BackupContext } from "./context";
import { keepBlobs, placeBlob } from "./keep-blobs";
import { copyKeysOut } from "./key-files";
import { writeManifest } from "./manifest";

export interface BackupOptions {
  /** Whether it includes the files of generated secrets. */
  keys: boolean;
  /** Whether it includes the Parquet files, as it does by default. They can stay in an object store only. */
  blobs?: boolean;
}

export interface BackupReceipt {
  folder: string;
  manifest: BackupManifest;
  /** Number of blobs that share their bytes with the data folder. */
  linked: number;
}

/**
 * Writes the complete state into a new folder: one snapshot of the database and every blob that it refers to, while the
 * service keeps running. The folder gets its name only once everything is on disk; a failure before that leaves
 * nothing.
 */
export async function makeBackup(
  folder: string,
  options: BackupOptions,
  ctx: BackupContext = {},
): Promise<BackupReceipt> {
  const target = resolve(folder);
  await rejectOccupied(target);
  if (options.blobs === false && env().S3_BUCKET === undefined)
    throw new Error("The Parquet files are in the data folder (no S3_BUCKET). Back them up as well.");
  const draft = `${target}.unfinished-${process.pid}-${randomBytes(4).toString("hex")}`;
  try {
    await mkdir(dirname(target), { recursive: true });
    await mkdir(draft, { mode: 0o700 });
    const { manifest, linked } = await fillDraft(draft, options, ctx);
    await writeManifest(draft, manifest);
    await syncFolders(draft);
    await rename(draft, target);
    await syncPath(dirname(target));
    return { folder: target, manifest, linked };
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw explain(error, target);
  }
}

async function fillDraft(
  draft: string,
  options: BackupOptions,
  ctx: BackupContext,
): Promise<{ manifest: BackupManifest; linked: number }> {
  const blobs_included = options.blobs ?? true;
  const held: { keys: BackupFile[] | null } = { keys: null };
  const copyKeys = async () => {
    if (options.keys) held.keys = await copyKeysOut(draft);
  };
  const { snapshot, tables, sequences } = await withSnapshot(copyKeys, (taken) => dumpTables(draft, taken, ctx));
  const { blobs, linked } = await keepBlobs(blobs_included ? draft : undefined, snapshot.blobs, ctx);
  const snapshots = await keepSourceBytes(draft, snapshot.sourceBytes, ctx);
  const manifest = {
    format: BACKUP_FORMAT,
    service_version: await serviceVersion(),
    created_at: snapshot.at.toISOString(),
    postgres_version: snapshot.postgresVersion,
    migrations: snapshot.migrations,
    tables,
    sequences,
    blobs,
    blobs_included,
    snapshots,
    keys: held.keys,
    secret_fingerprint: secretFingerprint(),
  } as const;
  return { manifest, linked };
}

async function dumpTables(draft: string, snapshot: Snapshot, ctx: BackupContext) {
  const tables: BackupTable[] = [];
  for (const table of snapshot.tables) {
    const dumped = await dumpTable(draft, snapshot, table, ctx.signal);
    if (dumped.rows > 0) ctx.progress?.(`${table.name}: ${dumped.rows} rows`);
    tables.push(dumped);
  }
  return { snapshot, tables, sequences: await snapshot.sequences() };
}

/**
 * Rejects even an empty folder, which may be the mount point of a disk: the draft next to it would be on another disk.
 */
async function rejectOccupied(target: string): Promise<void> {
  const found = await lstat(target).catch(whenMissing(undefined));
  if (found)
    throw new Error(`${target} already exists. Backups are never overwritten. Choose a folder that does not exist.`);
}

async function serviceVersion(): Promise<string> {
  return (JSON.parse(await readFile(join(process.cwd(), "package.json"), "utf8")) as { version: string }).version;
}

/** The names of all files, from the deepest folder up. */
async function syncFolders(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await syncFolders(join(folder, entry.name));
  await syncPath(folder);
}

function explain(error: unknown, target: string): unknown {
  const { code, name } = error as NodeJS.ErrnoException;
  if (isDiskFull(code))
    return new Error(
      `The disk of ${target} is full. No backup was created, and partial files were removed. Free space, or choose ` +
        `a folder on another disk.`,
      {
        cause: error,
      },
    );
  if (name === "AbortError")
    return new Error("Stopped. No backup was created, and partial files were removed.", { cause: error });
  return error;
}

/** Writes the rows of a table into the backup, compressed. */
async function dumpTable(
  folder: string,
  snapshot: Snapshot,
  table: TableShape,
  signal: AbortSignal | undefined,
): Promise<BackupTable> {
  const file = `database/${encodeURIComponent(table.name)}.copy.gz`;
  const hash = createHash("sha256");
  let bytes = 0;
  const measure = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  };
  await mkdir(dirname(join(folder, file)), { recursive: true, mode: 0o700 });
  const rows = await snapshot.readRows(table, async (source) => {
    const target = createWriteStream(join(folder, file), { mode: 0o600, flush: true });
    await pipeline(source, createGzip(), measure, target, signal ? { signal } : {});
  });
  return { ...table, file, rows, bytes, sha256: hash.digest("hex") };
}

/**
 * Copies the bytes of sources that refreshes may need into the backup and hashes them there. One that is missing or
 * damaged is left out: its source is read again.
 */
async function keepSourceBytes(
  folder: string,
  wanted: readonly Blob[],
  { progress, signal }: BackupContext,
): Promise<BackupFile[]> {
  const kept: BackupFile[] = [];
  for (const { digest, bytes } of wanted) {
    signal?.throwIfAborted();
    const file = snapshotStore().keyOf(digest);
    const target = join(folder, file);
    const placed = await placeBlob(snapshotStore(), { digest, bytes }, target);
    if (placed === "linked" || placed === "copied") kept.push({ file, bytes, sha256: digest });
    else await rm(target, { force: true });
  }
  if (wanted.length > 0) progress?.(`${kept.length} of ${wanted.length} snapshots of sources`);
  return kept;
}
