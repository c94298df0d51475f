import { z } from "zod";
import { columnHeadSchema, columnSchema, profileSchema } from "./column";
import { timestampSchema } from "./timestamp";

/** Identifies the immutable version that a reply was read from. */
export const versionRefSchema = z
  .strictObject({
    id: z.uuid().describe("The table's id."),
    version_id: z.uuid(),
    content_digest: z.string().regex(/^sha256:[0-9a-f]{64}$/),
    published_at: timestampSchema,
  })
  .meta({ id: "VersionRef" });

export const sizedVersionRefSchema = versionRefSchema
  .extend({ rows: z.int().min(0), bytes: z.int().min(0) })
  .meta({ id: "SizedVersionRef" });

const primaryKey = z
  .array(z.string())
  .describe("Columns that identify each row, verified at publication; empty if none are declared.");

export const tableSchemaSchema = z
  .strictObject({
    schema_version: z.literal("service-public-table-schema.v1"),
    table: sizedVersionRefSchema,
    primary_key: primaryKey,
    columns: z.array(columnSchema),
  })
  .meta({ id: "TableSchema" });

/** What is counted over the rows that match; the fields of each profile are those of the schema. */
export const rowProfileSchema = z
  .strictObject({
    schema_version: z.literal("service-public-row-profile.v1"),
    table: sizedVersionRefSchema,
    rows: z.int().min(0).describe("The number of rows that match."),
    columns: z.array(
      z.strictObject({
        name: z.string(),
        type: z.string(),
        profile: profileSchema
          .pick({ null_count: true, true_count: true, top_values: true, histogram: true })
          .describe("Over the rows that match. The edges of the histogram are those of the whole table."),
      }),
    ),
  })
  .meta({ id: "RowProfile" });

export const rowSchema = z.record(z.string(), z.unknown()).meta({ id: "Row" });

export const previewSchema = z
  .strictObject({
    schema_version: z.literal("service-public-table-preview.v1"),
    table: sizedVersionRefSchema,
    columns: z.array(columnHeadSchema),
    rows: z.array(rowSchema),
    rows_total: z.int().min(0),
    truncated: z.boolean(),
    truncated_cells: z
      .array(z.strictObject({ row: z.int().min(0), column: z.string() }))
      .describe("Cells truncated at 1,000 characters."),
  })
  .meta({ id: "TablePreview" });

/** One row by its position, with its citation. */
export const tableRowSchema = z
  .strictObject({
    schema_version: z.literal("service-public-table-row.v1"),
    table: sizedVersionRefSchema,
    position: z.int().min(1).describe("Its position in the version's stored order, from 1."),
    columns: z.array(columnHeadSchema),
    row: rowSchema,
    truncated_cells: z.array(z.string()).describe("Columns whose value was truncated."),
    url: z.url().describe("The row's page, of this version."),
    citation: z.string(),
  })
  .meta({ id: "TableRow" });

/** Names of a version besides its id. */
const versionNames = {
  label: z.string().nullable().describe("What the source calls it, unique within the table; null for none."),
  other_labels: z.array(z.string()).describe("Later labels under which the source released the same content."),
};
const notes = z.string().nullable().describe("Markdown: what changed, in the publisher's words; null for none.");

export const CHANGES = ["first", "appended", "restated", "columns_added", "breaking", "metadata"] as const;
export type Change = (typeof CHANGES)[number];

export const versionsSchema = z
  .strictObject({
    schema_version: z.literal("service-public-table-versions.v1"),
    table: z.strictObject({ id: z.uuid(), name: z.string(), slug: z.string() }),
    versions: z.array(
      z
        .strictObject({
          version_id: z.uuid(),
          number: z.int().min(1).describe("1, 2, 3 … per table."),
          current: z.boolean().describe("Whether requests that name no version read this one."),
          ...versionNames,
          content_digest: z.string(),
          published_at: timestampSchema,
          rows: z.int().min(0),
          bytes: z.int().min(0),
          change: z.enum(CHANGES),
          notes,
        })
        .meta({ id: "VersionEntry" }),
    ),
  })
  .meta({ id: "TableVersions" });

export const versionSchema = z
  .strictObject({
    schema_version: z.literal("service-public-version.v1"),
    url: z.url().describe("The version's page."),
    dataset: z.strictObject({ slug: z.string(), title: z.string(), url: z.url() }),
    table: z.strictObject({
      id: z.uuid(),
      name: z.string(),
      slug: z.string(),
      description: z.string(),
      license: z.string(),
    }),
    version: z.strictObject({
      version_id: z.uuid(),
      content_digest: z.string(),
      ...versionNames,
      published_at: timestampSchema,
      rows: z.int().min(0),
      bytes: z.int().min(0),
      change: z.enum(CHANGES),
      sequence: z.int().min(1).describe("1, 2, 3 … per table."),
      order_by: z
        .array(z.string())
        .describe("Columns the rows are sorted by, ascending; empty for the order of the publisher's file."),
      primary_key: primaryKey,
      is_current: z.boolean(),
      notes,
    }),
    current_version_id: z.uuid(),
    previous_version_id: z.uuid().nullable().describe("The previous version; null for the first."),
    download_url: z.url().describe("Parquet; requires a use key."),
    columns: z.array(columnSchema),
  })
  .meta({ id: "Version" });

export type Version = z.output<typeof versionSchema>;
export type TableSchema = z.output<typeof tableSchemaSchema>;
export type TableRow = z.output<typeof tableRowSchema>;
export type Preview = z.output<typeof previewSchema>;
export type Versions = z.output<typeof versionsSchema>;
