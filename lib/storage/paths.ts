import { join } from "node:path";
import { env } from "@/lib/kernel/env";

const DIGEST = /^[0-9a-f]{64}$/;

/** The folder of sealed Parquet files: `<2 hex>/<digest>.parquet`. */
export const blobsDir = (): string => join(env().PARQUETRY_DATA_DIR, "blobs");

/** The folder of disposable read copies. */
export const copiesDir = (): string => join(env().PARQUETRY_DATA_DIR, "copies");

/** The folder of work in progress; on the same file system as the blobs, so that a rename moves a file there. */
export const tempDir = (): string => join(env().PARQUETRY_DATA_DIR, "tmp");

/** Stands while the maintenance fence does. */
export const maintenancePath = (): string => join(env().PARQUETRY_DATA_DIR, "maintenance.json");

/** Stands from a restore's first write to its last: with it the data folder is not whole. */
export const restoreMarkerPath = (): string => join(env().PARQUETRY_DATA_DIR, "restore-unfinished");

/** The file of the server's secret, where the operator gives none. */
export const secretPath = (): string => join(env().PARQUETRY_DATA_DIR, "secret");

/** The file of the keys that seal source credentials, where the operator gives none. */
export const keyRingPath = (): string => join(env().PARQUETRY_DATA_DIR, "secrets-keys.json");

/** The name of a blob's file within a folder of blobs (64 hex digits; throws on anything else: no path in disguise). */
export function blobName(digest: string): string {
  if (!DIGEST.test(digest)) throw new Error("A blob is named by 64 hex digits");
  return join(digest.slice(0, 2), `${digest}.parquet`);
}

/** Where the filesystem driver stores a blob. */
export const blobPath = (digest: string): string => join(blobsDir(), blobName(digest));

/** Where the read copy of a blob lies. */
export function copyPath(digest: string): string {
  if (!DIGEST.test(digest)) throw new Error("A read copy is named by 64 hex digits");
  return join(copiesDir(), `${digest}.duckdb`);
}
