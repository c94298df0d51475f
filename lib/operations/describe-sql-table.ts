import { z } from "zod";
import { readerOf } from "@/lib/access/actor";
import { parseStorageType, type StorageType } from "@/lib/engine/types/storage-type";
import { locateDatasetVersion } from "@/lib/operations/reading/locate-dataset-version";
import type { Profile, StoredColumn } from "@/lib/schemas/column";
import { timestampSchema } from "@/lib/schemas/timestamp";
import { profilesJson } from "@/lib/store/datasets/tables";
import { locateDataset } from "./get-dataset";
import { versionPathSchema } from "./get-version";
import { operation } from "./operation";

const outputSchema = z.strictObject({
  label: z.string().nullable(),
  published_at: timestampSchema,
  rows: z.int().min(0),
  bytes: z.int().min(0),
  sha256: z.string(),
  columns: z.array(z.strictObject({ name: z.string(), type: z.string(), sql: z.string(), bytes: z.number() })),
});

/** What the page for SQL needs to know of a version: DuckDB's types, and the memory that each column takes. */
export const describeSqlTable = operation({
  name: "describe_sql_table",
  summary: "Describe a version for SQL",
  description: "The columns of a version as a DuckDB in the browser has them, for the page that queries it there.",
  access: "open",
  quota: "catalogue",
  input: { path: versionPathSchema },
  output: outputSchema,
  errors: ["invalid_value", "version_withdrawn"],
  async locate({ slug, version_id }, ctx) {
    return await locateDatasetVersion(await locateDataset(slug, readerOf(ctx)), version_id, "?version_id");
  },
  async run({ located: version }) {
    const profiles = JSON.parse(await profilesJson(version.versionId)) as Record<string, Profile>;
    const { label, publishedAt, rows, bytes, digest, columns } = version;
    return {
      label,
      published_at: publishedAt.toISOString(),
      rows,
      bytes,
      sha256: digest,
      columns: columns.map((column) => ({
        name: column.name,
        type: column.type,
        sql: browserType(column.storage),
        bytes: rows * valueBytes(column, profiles[column.name]),
      })),
    };
  },
});

/**
 * DuckDB's type without its extensions, which a browser does not have: timestamps are in UTC without a zone, and JSON
 * is text.
 */
export function browserType(storage: string): string {
  const type = parseStorageType(storage);
  if (!type) throw new Error(`Not a type of DuckDB: ${storage}`);
  return typeText(type);
}

const PLAIN: Readonly<Record<string, string>> = { "TIMESTAMP WITH TIME ZONE": "TIMESTAMP", JSON: "VARCHAR" };

function typeText(type: StorageType): string {
  if (type.kind === "list") return `${typeText(type.item)}[]`;
  if (type.kind === "map") return `MAP(${typeText(type.key)}, ${typeText(type.value)})`;
  if (type.kind === "scalar") return PLAIN[type.name] ?? type.name;
  const fields = type.fields.map((field) => `"${field.name.replaceAll('"', '""')}" ${typeText(field.type)}`);
  return `STRUCT(${fields.join(", ")})`;
}

/** Bytes of one value in DuckDB's memory, beside the text that a long string has. */
const STRING_BYTES = 16;
const NESTED_BYTES = 100;

/** About how many bytes of memory a value takes: strings and lists by their mean length. */
function valueBytes({ storage }: StoredColumn, profile: Profile | undefined): number {
  const type = parseStorageType(storage);
  const length = profile?.length?.mean;
  if (type?.kind === "list") return STRING_BYTES + (length ?? 10) * (type.item.kind === "scalar" ? 8 : NESTED_BYTES);
  if (type?.kind !== "scalar") return NESTED_BYTES;
  if (type.name === "VARCHAR" || type.name === "JSON" || type.name === "BLOB")
    return STRING_BYTES + (length ?? NESTED_BYTES);
  return FIXED_BYTES[type.name] ?? (type.name.startsWith("DECIMAL") || type.name === "UUID" ? 16 : 8);
}

const FIXED_BYTES: Readonly<Record<string, number>> = {
  BOOLEAN: 1,
  TINYINT: 1,
  UTINYINT: 1,
  SMALLINT: 2,
  USMALLINT: 2,
  INTEGER: 4,
  UINTEGER: 4,
  FLOAT: 4,
  DATE: 4,
};
