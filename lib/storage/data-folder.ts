import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { env } from "@/lib/kernel/env";

/** For a folder that only the service reads. */
export const PRIVATE_FOLDER = { recursive: true, mode: 0o700 } as const;

/**
 * Creates the data folder if it is missing. It is accessible only to its owner; if that is root, the user of the
 * embedded PostgreSQL can traverse it. An existing folder keeps its mode.
 */
export function makeDataFolder(): string {
  const path = env().PARQUETRY_DATA_DIR;
  mkdirSync(dirname(path), { recursive: true });
  try {
    mkdirSync(path, { mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return path;
}
