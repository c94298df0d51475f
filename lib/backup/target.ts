import { readdir } from "node:fs/promises";
import { basename } from "node:path";
import { env } from "@/lib/kernel/env";
import { whenMissing } from "@/lib/kernel/missing-file";
import type { BackupManifest } from "@/lib/schemas/backup";
import { maintenancePath, restoreMarkerPath } from "@/lib/storage/paths";
import { listObjects } from "@/lib/store/postgres/load";
import { type Migration, migrationsFolder, readMigrations } from "@/lib/store/postgres/migrate";
import { unknownKeys } from "./key-files";

/**
 * Files that an empty file system may contain, and the one that exists if the administrator has already turned
 * maintenance mode on.
 */
const HARMLESS = () => new Set(["lost+found", basename(maintenancePath())]);
const SHOWN_MAX = 5;

/** Throws with a plain message if a restore would overwrite anything: it requires an empty data folder and database. */
export async function rejectOccupiedTarget(): Promise<void> {
  const { PARQUETRY_DATA_DIR, DATABASE_URL } = env();
  const names = (await namesIn(PARQUETRY_DATA_DIR)).filter((name) => !HARMLESS().has(name));
  if (names.includes(basename(restoreMarkerPath())))
    throw new Error(
      `A restore into ${PARQUETRY_DATA_DIR} is in progress or was interrupted. If it was interrupted, empty the ` +
        `folder and restore again.`,
    );
  if (names.length > 0)
    throw new Error(
      `The data folder ${PARQUETRY_DATA_DIR} is not empty; it contains ${shown(names)}. Empty it, or set ` +
        `PARQUETRY_DATA_DIR to another folder.`,
    );
  const objects = DATABASE_URL ? await listObjects(DATABASE_URL) : [];
  if (objects.length > 0)
    throw new Error(
      `The database of DATABASE_URL is not empty; it contains ${shown(objects)}. Create a new one with CREATE ` +
        `DATABASE, and set DATABASE_URL to it.`,
    );
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(whenMissing<string[]>([]));
}

const shown = (names: readonly string[]) =>
  names.length > SHOWN_MAX
    ? `${names.slice(0, SHOWN_MAX).join(", ")} and ${names.length - SHOWN_MAX} more`
    : names.join(", ");

/**
 * The migrations of the backup's database. Throws if this service does not know one of them, or knows a different one
 * by its name.
 */
export function migrationsOf({ migrations, keys, service_version }: BackupManifest): Migration[] {
  const known = new Map(readMigrations(migrationsFolder()).map((migration) => [migration.name, migration]));
  const foreign = migrations
    .filter(({ name, checksum }) => known.get(name)?.checksum !== checksum)
    .map(({ name }) => `migration ${name}`);
  const unknown = [...foreign, ...unknownKeys(keys ?? [])];
  if (unknown.length > 0)
    throw new Error(
      `The backup was created by a newer service, version ${service_version}, with parts this service does not ` +
        `know (${shown(unknown)}). Update this service first.`,
    );
  return migrations.flatMap(({ name }) => known.get(name) ?? []);
}
