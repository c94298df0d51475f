import { join } from "node:path";
import { env } from "@/lib/kernel/env";

const DIGEST = /^[0-9a-f]{64}$/;

/** The folder of sealed Parquet files: `<2 hex>/<digest>.parquet`. */
export const blobsDir = (): string => join(env().PARQUETRY_DATA_DIR, "blobs");

/** The folder of disposable read copies. */
export const copiesDir = (): string => join(env().PARQUETRY_DATA_DIR, "copies");

/** The folder of artifacts that runs keep for a while: `<2 hex>/<digest>`. */
export const artifactsDir = (): string => join(env().PARQUETRY_DATA_DIR, "artifacts");

/** The path of an artifact that is not a table. */
export function artifactPath(digest: string): string {
  if (!DIGEST.test(digest)) throw new Error("An artifact is named by 64 hex digits");
  return join(artifactsDir(), digest.slice(0, 2), digest);
}

/** The folder of runs in progress, one folder each. */
export const runsDir = (): string => join(env().PARQUETRY_DATA_DIR, "runs");

/** The folder of uploads with missing parts. */
export const unfinishedDir = (): string => join(env().PARQUETRY_DATA_DIR, "uploads");

/** The folder of work in progress. It is on the same file system as the blobs, so a rename moves a file there. */
export const tempDir = (): string => join(env().PARQUETRY_DATA_DIR, "tmp");

/** Exists during maintenance. */
export const maintenancePath = (): string => join(env().PARQUETRY_DATA_DIR, "maintenance.json");

/** Exists from a restore's first write to its last: while it does, the data folder is incomplete. */
export const restoreMarkerPath = (): string => join(env().PARQUETRY_DATA_DIR, "restore-unfinished");

/** The file with the server's secret, unless it is a setting. */
export const secretPath = (): string => join(env().PARQUETRY_DATA_DIR, "secret");

/** The file with the keys that encrypt source credentials, unless they are a setting. */
export const keyRingPath = (): string => join(env().PARQUETRY_DATA_DIR, "secrets-keys.json");

/**
 * The name of a blob's file within a folder of blobs. The digest is 64 hex digits; throws on anything else, so no path
 * can be disguised as a digest.
 */
export function blobName(digest: string): string {
  if (!DIGEST.test(digest)) throw new Error("A blob is named by 64 hex digits");
  return join(digest.slice(0, 2), `${digest}.parquet`);
}

/** Where the filesystem driver stores a blob. */
export const blobPath = (digest: string): string => join(blobsDir(), blobName(digest));

/** Path of a blob's read copy. */
export function copyPath(digest: string): string {
  if (!DIGEST.test(digest)) throw new Error("A read copy is named by 64 hex digits");
  return join(copiesDir(), `${digest}.duckdb`);
}
