import { createReadStream } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { isDiskFull } from "@/lib/kernel/disk-full";
import { env } from "@/lib/kernel/env";
import type { BackupManifest } from "@/lib/schemas/backup";
import { keepSnapshot } from "@/lib/sources/snapshots";
import { blobStore } from "@/lib/storage/blob-store";
import { syncPath } from "@/lib/storage/blobs";
import { makeDataFolder } from "@/lib/storage/data-folder";
import { restoreMarkerPath } from "@/lib/storage/paths";
import { secretFingerprint } from "@/lib/storage/secret";
import { ADMINISTRATOR, audited } from "@/lib/store/audit";
import { forgetMaintenance } from "@/lib/store/maintenance";
import { restartHeartbeat } from "@/lib/store/outages";
import { adoptServer, database, openServer } from "@/lib/store/postgres/database";
import { loadDatabase } from "@/lib/store/postgres/load";
import { type Migration, migrate, migrationsFolder } from "@/lib/store/postgres/migrate";
import { recordFirstSecret } from "@/lib/store/sources/secret-fingerprint";
import { forgetUnfinished } from "@/lib/store/sources/unfinished-uploads";
import { checkBackup, storedProblem } from "./check";
import type { BackupContext } from "./context";
import { copyKeysIn } from "./key-files";
import { readManifest } from "./manifest";
import { migrationsOf, rejectOccupiedTarget } from "./target";

export interface RestoreReceipt {
  manifest: BackupManifest;
  /** Migrations newer than the backup, applied after its rows were loaded. */
  newerMigrations: string[];
  /**
   * Whether the server's secret is the backup's; null if unknown. If it is not, earlier keys, cursors and sessions are
   * invalid.
   */
  sameSecret: boolean | null;
}

/**
 * Restores an empty data folder and database to the moment of the backup. The entire backup is verified before anything
 * is written. From the first write to the last, a marker in the data folder keeps any service from starting.
 */
export async function restoreBackup(folder: string, { progress }: BackupContext = {}): Promise<RestoreReceipt> {
  const source = resolve(folder);
  const manifest = await readManifest(source);
  const migrations = migrationsOf(manifest);
  await rejectOccupiedTarget();
  progress?.("verifying the backup");
  await rejectDamaged(source);
  try {
    await mark(source);
    const newerMigrations = await place(source, manifest, migrations, progress);
    await restartHeartbeat();
    await forgetUnfinished();
    await forgetMaintenance();
    const receipt = { manifest, newerMigrations, sameSecret: sameSecret(manifest) };
    await audited(ADMINISTRATOR, async (_transaction, note) =>
      note({ action: "service.restored", details: noteOf(receipt) }),
    );
    await unmark();
    return receipt;
  } catch (cause) {
    throw new Error(whatNow(cause), { cause });
  }
}

async function place(
  source: string,
  manifest: BackupManifest,
  migrations: Migration[],
  progress: BackupContext["progress"],
): Promise<string[]> {
  await placeFiles(source, manifest);
  const newerMigrations = await placeRows(source, manifest, migrations, progress);
  // in the rows of an older service there is none
  if (manifest.secret_fingerprint) await recordFirstSecret((await database()).pool, manifest.secret_fingerprint);
  progress?.("verifying the restored data");
  await proveBlobs(manifest);
  return newerMigrations;
}

function whatNow(cause: unknown): string {
  const { PARQUETRY_DATA_DIR, DATABASE_URL } = env();
  const { code, message } = cause as NodeJS.ErrnoException;
  const why = isDiskFull(code) ? `The disk of ${PARQUETRY_DATA_DIR} is full.` : message;
  return (
    `${why}\nThe restore did not finish. Empty ` +
    `${PARQUETRY_DATA_DIR}${DATABASE_URL ? ", and the database of DATABASE_URL if it has tables," : ""} and ` +
    "restore again."
  );
}

async function rejectDamaged(source: string): Promise<void> {
  const { problems } = await checkBackup(source);
  if (problems.length === 0) return;
  throw new Error(
    `The backup is damaged. Nothing was restored.\n` +
      `${problems.map(({ file, problem }) => `  ${file}: ${problem}`).join("\n")}`,
  );
}

async function mark(source: string): Promise<void> {
  const folder = makeDataFolder();
  await writeFile(
    restoreMarkerPath(),
    `${JSON.stringify({ from: source, started_at: new Date().toISOString(), pid: process.pid })}\n`,
    { flush: true },
  );
  await syncPath(folder);
}

async function unmark(): Promise<void> {
  await rm(restoreMarkerPath());
  await syncPath(env().PARQUETRY_DATA_DIR);
}

async function placeFiles(source: string, manifest: BackupManifest): Promise<void> {
  const { keys, snapshots } = manifest;
  const blobs = manifest.blobs_included ? manifest.blobs : [];
  await copyKeysIn(source, keys ?? []);
  for (const { file, sha256 } of blobs) await blobStore().put(sha256, join(source, file), { keep: true });
  for (const { file, sha256 } of snapshots) await keepSnapshot(join(source, file), sha256);
}

/** Returns the newer migrations that were applied. The database becomes this process's own. */
async function placeRows(
  source: string,
  manifest: BackupManifest,
  migrations: Migration[],
  progress: BackupContext["progress"],
): Promise<string[]> {
  const { tables, sequences } = manifest;
  const files = new Map(tables.map(({ name, file }) => [name, join(source, file)]));
  const rowsOf = ({ name }: { name: string }) => {
    const rows = createGunzip();
    // the reader of the rows receives the error
    pipeline(createReadStream(files.get(name) ?? ""), rows, () => undefined);
    return rows;
  };
  const server = await openServer();
  try {
    await loadDatabase(server.url, { migrations, tables, sequences, rowsOf }, (text) => progress?.(text));
    const newer = await migrate(server.url, migrationsFolder());
    adoptServer(server);
    return newer;
  } catch (error) {
    await server.release();
    throw error;
  }
}

/** Reads what was placed. What stayed in the object store was read before anything was placed. */
async function proveBlobs({ blobs, blobs_included }: BackupManifest): Promise<void> {
  if (!blobs_included) return;
  const bad: string[] = [];
  for (const blob of blobs) {
    const problem = await storedProblem(blob);
    if (problem) bad.push(`${blob.sha256} ${problem}`);
  }
  if (bad.length > 0) throw new Error(`The restored data does not match the backup (${bad.join(", ")}).`);
}

function sameSecret({ secret_fingerprint }: BackupManifest): boolean | null {
  return secret_fingerprint === null ? null : secretFingerprint() === secret_fingerprint;
}

function noteOf({ manifest, newerMigrations }: RestoreReceipt) {
  const { created_at, service_version, tables, blobs } = manifest;
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return { backup_of: created_at, service_version, rows, blobs: blobs.length, newer_migrations: newerMigrations };
}
