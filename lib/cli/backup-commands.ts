import type { Command } from "commander";
import { makeBackup } from "@/lib/backup/backup";
import { checkBackup, filesOf } from "@/lib/backup/check";
import { restoreBackup } from "@/lib/backup/restore";
import { env } from "@/lib/kernel/env";
import { formatBytes } from "@/lib/kernel/format";
import { STOP_SIGNALS } from "@/lib/kernel/stop-signals";
import type { BackupManifest } from "@/lib/schemas/backup";
import { fromHere } from "./from-here";
import { print, report } from "./output";

const BACKUP_HELP = `
A backup contains a consistent snapshot of the database, every Parquet file it refers to, and the generated secrets
(secret, secrets-keys.json). Protect it like the service itself. It can be created while the service is running. On
the data folder's own disk, the Parquet files are hard links, which take no space but are lost with that disk: copy
the folder elsewhere, or choose a folder on another disk. Counters kept in Redis are not included.

--without-keys leaves out the secrets, for a backup stored in a less trusted place. Without them, the keys and source
secrets in it are unusable, and a service restored from it does not start. Keep the two files elsewhere.

--without-files leaves the Parquet files in the object store of S3_BUCKET, and lists them with their digests: a backup
takes seconds, and --check reads and proves each of them there. Turn on the bucket's versioning, which keeps what is
deleted or replaced later, and restore with the settings of the same bucket.

  parquetry backup /mnt/backups/$(date -u +%Y-%m-%dT%H%M)
  parquetry backup --check /mnt/backups/2026-01-31T0300`;

const RESTORE_HELP = `
The data folder (PARQUETRY_DATA_DIR) and, with DATABASE_URL, the database must be empty; otherwise nothing is changed.
Every byte of the backup is verified first. Revocations, withdrawals and deletions made after the backup are not
included: repeat them before you open the service. An interrupted restore leaves the file restore-unfinished in the
data folder, which prevents the service from starting: empty the folder and restore again. Run the command as the user
that runs the service.

  PARQUETRY_DATA_DIR=/srv/parquetry parquetry restore /mnt/backups/2026-01-31T0300`;

const SECRET_DIFFERS = `The server's secret is not the one that the backup was made under, so the service does not
start: put the file "secret" into the data folder, or set PARQUETRY_SECRET to its old value. If it is lost, run
"parquetry doctor --accept-secret"; earlier keys, cursors and sessions are then invalid.`;
const WITHOUT_KEYS =
  `Without keys: keep the files "secret" and "secrets-keys.json" of the data folder elsewhere. Without the first, a ` +
  "restored service does not start.";

interface Options {
  check?: boolean;
  withoutKeys?: boolean;
  withoutFiles?: boolean;
  json?: boolean;
}

/** `backup`, `restore`. */
export function addBackupCommands(program: Command): void {
  program
    .command("backup <folder>")
    .description(
      "Writes a full backup into a new folder: database, Parquet files and generated secrets. The service can keep " +
        "running.",
    )
    .option("--without-keys", "leave out the generated secrets")
    .option("--without-files", "leave the Parquet files in the object store")
    .option("--check", "verify an existing backup instead of creating one; fails if any byte has changed")
    .option("--json", "print JSON")
    .addHelpText("after", BACKUP_HELP)
    .action((folder: string, options: Options) => (options.check ? inspect : backUp)(fromHere(folder), options));
  program
    .command("restore <folder>")
    .description("Restores a backup into an empty data folder and database.")
    .option("--json", "print JSON")
    .addHelpText("after", RESTORE_HELP)
    .action((folder: string, options: Options) => restore(fromHere(folder), options));
}

async function backUp(folder: string, { withoutKeys = false, withoutFiles = false, json }: Options): Promise<void> {
  const stopped = new AbortController();
  for (const signal of STOP_SIGNALS) process.once(signal, () => stopped.abort());
  const made = await makeBackup(
    folder,
    { keys: !withoutKeys, blobs: !withoutFiles },
    { ...(!json && { progress: report }), signal: stopped.signal },
  );
  if (withoutKeys) report(WITHOUT_KEYS);
  print({ folder: made.folder, ...summary(made.manifest, json), linked_blobs: made.linked }, json);
}

async function inspect(folder: string, { json }: Options): Promise<void> {
  const { manifest, problems } = await checkBackup(folder);
  if (problems.length > 0) process.exitCode = 1;
  const listed = problems.map(({ file, problem }) => `${file} ${problem}`).join(", ") || "none";
  print({ folder, ...summary(manifest, json), problems: json ? problems : listed }, json);
}

async function restore(folder: string, { json }: Options): Promise<void> {
  const { manifest, newerMigrations, sameSecret } = await restoreBackup(folder, json ? {} : { progress: report });
  if (sameSecret === false) report(SECRET_DIFFERS);
  const newer = json ? newerMigrations : newerMigrations.join(", ") || "none";
  print(
    {
      data_folder: env().PARQUETRY_DATA_DIR,
      ...summary(manifest, json),
      newer_migrations: newer,
      same_secret: sameSecret,
    },
    json,
  );
}

function summary(manifest: BackupManifest, json: boolean | undefined): Record<string, unknown> {
  const { created_at, service_version, tables, blobs, blobs_included, keys } = manifest;
  const bytes = filesOf(manifest).reduce((sum, file) => sum + file.bytes, 0);
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const size = json ? bytes : formatBytes(bytes);
  return {
    created_at,
    service_version,
    tables: tables.length,
    rows,
    blobs: blobs.length,
    blobs_included,
    bytes: size,
    keys: keys?.map(({ file }) => file) ?? null,
  };
}
