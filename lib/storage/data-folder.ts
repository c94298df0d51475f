import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { env } from "@/lib/kernel/env";

/** For a folder that nobody but the service reads. */
export const PRIVATE_FOLDER = { recursive: true, mode: 0o700 } as const;

/**
 * Creates the data folder where it is missing: its owner's alone, but for root's, through which the user of the
 * embedded
 * PostgreSQL must pass to its own folder. One that exists keeps its mode.
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
