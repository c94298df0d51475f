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

/** The mode as the file in the data folder says; undefined if there is none. */
export async function readMaintenanceFile(): Promise<Maintenance | undefined> {
  const text = await readFile(maintenancePath(), "utf8").catch((error: NodeJS.ErrnoException) =>
    error.code === "ENOENT" ? undefined : "",
  );
  if (text === undefined) return undefined;
  const { message, retry_after_seconds, since } = fileSchema.parse(jsonObject(text));
  return { message, retryAfterSeconds: retry_after_seconds, since };
}

/** Writes the file, which turns the mode on for the instances of this data folder and needs no database. */
export async function writeMaintenanceFile({ message, retryAfterSeconds, since }: Maintenance): Promise<void> {
  const text = JSON.stringify({ message, retry_after_seconds: retryAfterSeconds, since });
  makeDataFolder();
  replaceFile(maintenancePath(), `${text}\n`, 0o644);
}

/** Removes the file; false if there was none. */
export async function removeMaintenanceFile(): Promise<boolean> {
  return await rm(maintenancePath())
    .then(() => true)
    .catch(whenMissing(false));
}

/** A value that differs for each such file that ever existed; undefined if there is none. */
export async function maintenanceFileIdentity(): Promise<string | undefined> {
  const found = await stat(maintenancePath(), { bigint: true }).catch(whenMissing(undefined));
  return found && `${found.ino}:${found.mtimeNs}`;
}
