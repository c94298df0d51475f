import { join } from "node:path";
import { env } from "@/lib/kernel/env";

const DIGEST = /^[0-9a-f]{64}$/;

/** Whether this can be an object's key: segments that begin with a letter or digit, so that none leads elsewhere. */
export const isKey = (key: string): boolean => /^[0-9A-Za-z][\w.-]*(?:\/[0-9A-Za-z][\w.-]*)*$/.test(key);

/** Throws on what cannot be an object's key, or a prefix of keys that ends with a slash. */
export function requireKey(key: string): string {
  if (isKey(key.replace(/\/$/, ""))) return key;
  throw new Error("An object's key consists of letters, digits, dots, hyphens, underscores and slashes");
}

/** The path in the data folder of an object by its key, or of a prefix. */
export const objectPath = (key: string): string => join(env().PARQUETRY_DATA_DIR, requireKey(key));

/** The folder of disposable read copies. */
export const copiesDir = (): string => join(env().PARQUETRY_DATA_DIR, "copies");

/** The folder of runs in progress, one folder each. */
export const runsDir = (): string => join(env().PARQUETRY_DATA_DIR, "runs");

/** The folder of work in progress. It is on the same file system as stored objects, so a rename moves a file there. */
export const tempDir = (): string => join(env().PARQUETRY_DATA_DIR, "tmp");

/** Exists during maintenance of the instances with this data folder. */
export const maintenancePath = (): string => join(env().PARQUETRY_DATA_DIR, "maintenance.json");

/** With this file, earlier versions marked a fill of the catalogue that was not complete. */
export const oldFillPath = (): string => join(env().PARQUETRY_DATA_DIR, "showcase-filling");

/** Exists from a restore's first write to its last: while it does, the data folder is incomplete. */
export const restoreMarkerPath = (): string => join(env().PARQUETRY_DATA_DIR, "restore-unfinished");

/** The file with the server's secret, unless it is a setting. */
export const secretPath = (): string => join(env().PARQUETRY_DATA_DIR, "secret");

/** The file with the keys that encrypt source credentials, unless they are a setting. */
export const keyRingPath = (): string => join(env().PARQUETRY_DATA_DIR, "secrets-keys.json");

/** Path of a blob's read copy. */
export function copyPath(digest: string): string {
  if (!DIGEST.test(digest)) throw new Error("A read copy is named by 64 hex digits");
  return join(copiesDir(), `${digest}.duckdb`);
}
