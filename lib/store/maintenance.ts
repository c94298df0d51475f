import {
  type Maintenance,
  maintenanceFileIdentity,
  readMaintenanceFile,
  removeMaintenanceFile,
  writeMaintenanceFile,
} from "@/lib/storage/maintenance";
import { ADMINISTRATOR, audited } from "./audit";
import { database, databaseExists, lookUp } from "./postgres/database";

const READ = `SELECT message, "retryAfterSeconds", since FROM "Maintenance"`;

const readRow = async (): Promise<Maintenance | undefined> =>
  (await lookUp<Maintenance>("read-maintenance", READ, []))[0];

/** The mode that applies here: by the file in the data folder, or else by the row. Undefined if it is off. */
export async function readMaintenance(): Promise<Maintenance | undefined> {
  return (await readMaintenanceFile()) ?? (databaseExists() ? await readRow() : undefined);
}

/**
 * Turns the mode on for every instance, or changes its message. If the database cannot be reached, it is turned on by
 * the file for the instances of this data folder, and the reason is returned.
 */
export async function turnMaintenanceOn(maintenance: Maintenance, since: Date): Promise<string | undefined> {
  const { message, retryAfterSeconds } = maintenance;
  const row = { message, retryAfterSeconds, since };
  const details = { state: "on", message, retry_after_seconds: retryAfterSeconds };
  const failure = await failureOf(() =>
    audited(ADMINISTRATOR, async (transaction, audit) => {
      await transaction.maintenance.upsert({ where: { id: 1 }, create: row, update: row });
      audit({ action: "service.maintenance", details });
    }),
  );
  if (failure !== undefined || (await readMaintenanceFile())) await writeMaintenanceFile(maintenance);
  return failure;
}

/** Turns the mode off. If the database cannot be reached, only the file is removed, and the reason is returned. */
export async function turnMaintenanceOff(): Promise<string | undefined> {
  const wasFile = await removeMaintenanceFile();
  if (!wasFile && !databaseExists()) return undefined;
  return failureOf(() =>
    audited(ADMINISTRATOR, async (transaction, audit) => {
      const { count } = await transaction.maintenance.deleteMany({});
      if (wasFile || count > 0) audit({ action: "service.maintenance", details: { state: "off" } });
    }),
  );
}

/** An embedded database that does not exist yet is not created for this: a restore requires the folder to be empty. */
async function failureOf(change: () => Promise<void>): Promise<string | undefined> {
  if (!databaseExists()) return "the database does not exist yet";
  try {
    await change();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Forgets the mode of the time of a backup, after a restore. */
export async function forgetMaintenance(): Promise<void> {
  const { prisma } = await database();
  await prisma.maintenance.deleteMany({});
}

const LOOK_EVERY_MS = 500;

/**
 * Looks for the file and the row twice a second, so reading `current` costs a request nothing. What cannot be read
 * counts as unchanged. `changed` is called for each change; `close` stops watching, before the database is closed.
 */
export async function watchMaintenance(changed: (maintenance: Maintenance | undefined) => void): Promise<{
  current(): Maintenance | undefined;
  close(): Promise<void>;
}> {
  let seen: string | undefined;
  let file: Maintenance | undefined;
  let row: Maintenance | undefined;
  let told: string | undefined;
  const current = () => file ?? row;
  const tell = () => {
    const state = current() && JSON.stringify(current());
    if (state === told) return;
    told = state;
    changed(current());
  };
  const lookAtFile = async () => {
    const found = await maintenanceFileIdentity();
    if (found === seen) return;
    file = await readMaintenanceFile();
    seen = found;
    tell();
  };
  const lookAtRow = async () => {
    row = await readRow();
    tell();
  };
  const looks = [repeated(lookAtFile), repeated(lookAtRow)];
  const look = () => Promise.all(looks.map((each) => each()));
  let last = look();
  await last;
  const timer = setInterval(() => {
    last = look();
  }, LOOK_EVERY_MS).unref();
  const close = async () => {
    clearInterval(timer);
    await last;
  };
  return { current, close };
}

/** Does nothing while the last call is running, as one of a database that does not answer. */
function repeated(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= work()
      .catch(() => undefined)
      .finally(() => {
        running = undefined;
      });
    return running;
  };
}
