import { randomBytes } from "node:crypto";
import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import { maintenancePath } from "./paths";

/** What a client is told while the fence stands. */
export interface Maintenance {
  message: string;
  retryAfterSeconds: number;
  /** Null for a file that was made by hand and does not say. */
  since: Date | null;
}

export const MAINTENANCE_MESSAGE = "The service is under maintenance. Please try again later.";
export const RETRY_AFTER_SECONDS = 300;

// The fence stands wherever the file does: what cannot be read of it, as when somebody just touched it, is filled in.
const fileSchema = z.object({
  message: z.string().catch(MAINTENANCE_MESSAGE),
  retry_after_seconds: z.number().int().min(1).catch(RETRY_AFTER_SECONDS),
  since: z.iso
    .datetime()
    .transform((text) => new Date(text))
    .nullable()
    .catch(null),
});

/** The fence as it stands in the data folder; undefined when there is none. */
export async function readMaintenance(): Promise<Maintenance | undefined> {
  const text = await readFile(maintenancePath(), "utf8").catch((error: NodeJS.ErrnoException) =>
    error.code === "ENOENT" ? undefined : "",
  );
  if (text === undefined) return undefined;
  const { message, retry_after_seconds, since } = fileSchema.parse(jsonObject(text));
  return { message, retryAfterSeconds: retry_after_seconds, since };
}

function jsonObject(text: string): object {
  try {
    return Object(JSON.parse(text)) as object;
  } catch {
    return {};
  }
}

/** Puts the fence up, or says something else on it. A file of the data folder: it needs no database. */
export async function writeMaintenance({ message, retryAfterSeconds, since }: Maintenance): Promise<void> {
  const path = maintenancePath();
  const draft = `${path}.${randomBytes(4).toString("hex")}`;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(draft, `${JSON.stringify({ message, retry_after_seconds: retryAfterSeconds, since })}\n`, {
    mode: 0o644,
  });
  await rename(draft, path);
}

/** Takes the fence down; false when there was none. */
export async function removeMaintenance(): Promise<boolean> {
  return rm(maintenancePath()).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return false;
      throw error;
    },
  );
}

const LOOK_EVERY_MS = 500;

/**
 * Keeps an eye on the fence twice a second, so that asking costs a request nothing. Told of each change; `close` ends
 * it.
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
  // a folder that cannot be looked at changes nothing
  const timer = setInterval(() => void look().catch(() => undefined), LOOK_EVERY_MS).unref();
  return { current: () => current, close: () => clearInterval(timer) };
}

/** Differs for every file that was ever put there; undefined for none. */
async function fileIdentity(): Promise<string | undefined> {
  try {
    const { ino, mtimeNs } = await stat(maintenancePath(), { bigint: true });
    return `${ino}:${mtimeNs}`;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
