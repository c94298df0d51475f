import { z } from "zod";

export const BACKUP_FORMAT = "parquetry-backup.v1";

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.number().int().min(0);
/** A path within the backup, with slashes; nothing that could lead out of it. */
const path = z.string().regex(/^(database|blobs|snapshots|keys)(\/[A-Za-z0-9_%-][A-Za-z0-9_.%-]*)+$/);
const file = z.strictObject({ file: path, bytes: count, sha256 });

/** `manifest.json` of a backup: its contents, and how to verify them. */
export const backupManifestSchema = z.strictObject({
  format: z.literal(BACKUP_FORMAT),
  service_version: z.string(),
  created_at: z.iso.datetime().describe("When the snapshot of the database was taken."),
  postgres_version: z.string(),
  migrations: z
    .array(z.strictObject({ name: z.string(), checksum: sha256 }))
    .describe("The migrations applied to the database, in order."),
  tables: z
    .array(file.extend({ name: z.string().min(1), columns: z.array(z.string().min(1)), rows: count }))
    .describe("COPY text, gzip."),
  sequences: z.array(z.strictObject({ name: z.string().min(1), value: z.string().regex(/^-?\d+$/) })),
  blobs: z.array(file).describe("Parquet files; `sha256` is the digest recorded in the versions."),
  blobs_included: z
    .boolean()
    .default(true)
    .describe("False if the Parquet files stayed in the object store, where each is proven by its digest."),
  snapshots: z.array(file).default([]).describe("Bytes of sources that refreshes may need, as they were read."),
  keys: z.array(file).nullable().describe("Files of generated secrets; null if they were left out."),
  secret_fingerprint: z
    .string()
    .nullable()
    .describe("Identifies the server's secret without revealing it; null if there was none yet."),
});

export type BackupManifest = z.output<typeof backupManifestSchema>;
export type BackupFile = z.output<typeof file>;
export type BackupTable = BackupManifest["tables"][number];
