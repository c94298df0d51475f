import { readFile, rm, stat } from "node:fs/promises";
import { z } from "zod";
import { jsonObject } from "@/lib/kernel/json-object";
import { whenMissing } from "@/lib/kernel/missing-file";
import { replaceFile } from "@/lib/kernel/whole-file";
import { makeDataFolder } from "./data-folder";
import { maintenancePath } from "./paths";

/** What clients are told during maintenance. */
export interface Maintenance {
  message: string;
  retryAfterSeconds: number;
  /** Null for a file created by hand without that time. */
  since: Date | null;
}

export const MAINTENANCE_MESSAGE = "The service is under maintenance. Please try again later.";
export const RETRY_AFTER_SECONDS = 300;

// The file's existence turns the mode on. Whatever it lacks, such as when it was created by touch, has defaults.
const fileSchema = z.object({
  message: z.string().catch(MAINTENANCE_MESSAGE),
  retry_after_seconds: z.number().int().min(1).catch(RETRY_AFTER_SECONDS),
  since: z.iso
    .datetime()
    .transform((text) => new Date(text))
    .nullable()
    .catch(null),
});

/** The maintenance mode stored in the data folder; undefined if it is off. */
export async function readMaintenance(): Promise<Maintenance | undefined> {
  const text = await readFile(maintenancePath(), "utf8").catch((error: NodeJS.ErrnoException) =>
    error.code === "ENOENT" ? undefined : "",
  );
  if (text === undefined) return undefined;
  const { message, retry_after_seconds, since } = fileSchema.parse(jsonObject(text));
  return { message, retryAfterSeconds: retry_after_seconds, since };
}

/** Turns maintenance mode on, or changes its message. Writes a file in the data folder and needs no database. */
export async function writeMaintenance({ message, retryAfterSeconds, since }: Maintenance): Promise<void> {
  const text = JSON.stringify({ message, retry_after_seconds: retryAfterSeconds, since });
  makeDataFolder();
  replaceFile(maintenancePath(), `${text}\n`, 0o644);
}

/** Turns maintenance mode off; false if it was off. */
export async function removeMaintenance(): Promise<boolean> {
  return await rm(maintenancePath())
    .then(() => true)
    .catch(whenMissing(false));
}

const LOOK_EVERY_MS = 500;

/**
 * Checks the file twice a second, so reading `current` costs a request nothing. `changed` is called for each change;
 * `close` stops watching.
 */
export async function watchMaintenance(changed: (maintenance: Maintenance | undefined) => void): Promise<{
  current(): Maintenance | undefined;
  close(): void;
}> {
  let seen: string | undefined;
  let current: Maintenance | undefined;
  const look = async () => {
    const found = await fileIdentity();
    if (found === seen) return;
    current = await readMaintenance();
    seen = found;
    changed(current);
  };
  await look();
  // an unreadable folder counts as no change
  const timer = setInterval(() => void look().catch(() => undefined), LOOK_EVERY_MS).unref();
  return { current: () => current, close: () => clearInterval(timer) };
}

/** A value that differs for each file that ever existed there; undefined if there is none. */
async function fileIdentity(): Promise<string | undefined> {
  const found = await stat(maintenancePath(), { bigint: true }).catch(whenMissing(undefined));
  return found && `${found.ino}:${found.mtimeNs}`;
}
