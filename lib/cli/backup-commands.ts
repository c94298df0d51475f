import type { Command } from "commander";
import { makeBackup } from "@/lib/backup/backup";
import { checkBackup, filesOf } from "@/lib/backup/check";
import { restoreBackup } from "@/lib/backup/restore";
import { env } from "@/lib/env";
import { formatBytes } from "@/lib/format";
import type { BackupManifest } from "@/lib/schemas/backup";
import { fromHere } from "./from-here";
import { print, report } from "./output";

const BACKUP_HELP = `
It holds every row of the database as it stood at one moment, every Parquet file that those rows name, and the \
generated secrets
(secret, secrets-keys.json): guard it like the service itself. It can be made while the service runs and writes. On \
the data
folder's own disk the Parquet files are hard links that take no space, but are lost with that disk: copy the folder \
elsewhere,
or name one on another disk. Counts that Redis keeps are not part of it.

--without-keys leaves the secrets out, for a backup that goes where they should not. Without them nobody can use what \
it holds
of keys and source secrets; restored alone, every key, cursor and session of before is void. Keep the two files \
elsewhere.

  parquetry backup /mnt/backups/$(date -u +%Y-%m-%dT%H%M)
  parquetry backup --check /mnt/backups/2026-01-31T0300`;

const RESTORE_HELP = `
Goes into an empty data folder (PARQUETRY_DATA_DIR) and, with DATABASE_URL, an empty database; it refuses others and \
changes
nothing there. Every byte of the backup is proven first. What was revoked, withdrawn or deleted after the backup was \
made is
not so in what it restores: do that again before you open the service. A restore that is cut off leaves \
restore-unfinished in
the data folder, with which no service starts: empty the folder and restore again. Run it as the user that the service \
runs as.

  PARQUETRY_DATA_DIR=/srv/parquetry parquetry restore /mnt/backups/2026-01-31T0300`;

const SECRET_DIFFERS = `The server's secret is not the one that the backup was made under: keys, cursors and sessions \
of before are void. Put the file
"secret" into the data folder, or set PARQUETRY_SECRET, as it was, before the service starts.`;
const WITHOUT_KEYS =
  `Without keys: keep the files "secret" and "secrets-keys.json" of the data folder elsewhere. Restored without ` +
  "them, every key is void.";

interface Options {
  check?: boolean;
  withoutKeys?: boolean;
  json?: boolean;
}

/** `backup`, `restore`. */
export function addBackupCommands(program: Command): void {
  program
    .command("backup <folder>")
    .description(
      "Writes the whole state into a new folder while the service runs: database, Parquet files, generated secrets.",
    )
    .option("--without-keys", "leave the generated secrets out")
    .option("--check", "check an existing backup instead of making one; fails when one byte of it is not as it was")
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

async function backUp(folder: string, { withoutKeys = false, json }: Options): Promise<void> {
  const stopped = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopped.abort());
  const made = await makeBackup(
    folder,
    { keys: !withoutKeys },
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
  const { created_at, service_version, tables, blobs, keys } = manifest;
  const bytes = filesOf(manifest).reduce((sum, file) => sum + file.bytes, 0);
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const size = json ? bytes : formatBytes(bytes);
  return {
    created_at,
    service_version,
    tables: tables.length,
    rows,
    blobs: blobs.length,
    bytes: size,
    keys: keys?.map(({ file }) => file) ?? null,
  };
}
