import { z } from "zod";
import { isUuid } from "@/lib/kernel/uuid";
import { slugSchema } from "./dataset";
import { lineSchema } from "./name";
import { CHANGES } from "./table";

const webAddress = z.url({ protocol: /^https?$/, error: "Use a URL that starts with http:// or https://." });

export const FILE_FORMATS = ["csv", "tsv", "json", "ndjson", "parquet"] as const;

/** The publisher's metadata for a column: its type if it should not be inferred, its description and its unit. */
export const columnNoteSchema = z.strictObject({
  name: z.string().min(1),
  type: z.string().optional().describe("A column type. Default: inferred from the file."),
  description: z.string().optional(),
  unit: z.string().optional().describe("UCUM or plain text, such as min, mi, Cel, USD."),
});

const sourceSchema = z.strictObject({ name: lineSchema(2_000), url: webAddress.nullable() });

/** The publisher's metadata for a dataset. Absent fields keep their values. */
export const datasetTextsSchema = z.strictObject({
  title: lineSchema(200).optional(),
  summary: z.string().max(500).optional(),
  description: z.string().max(100_000).optional().describe("Markdown."),
  publisher: z.strictObject({ name: lineSchema(200).optional(), url: webAddress.optional() }).optional(),
  license: lineSchema(200).optional(),
  topics: z.array(lineSchema(60)).max(20).optional(),
  sources: z.array(sourceSchema).optional(),
  temporalCoverage: z
    .string()
    .regex(
      /^-?\d{4}[-0-9T:.Z+]*(?:\/(?:-?\d{4}[-0-9T:.Z+]*|\.\.)?)?$/,
      "Use an ISO 8601 date or interval, such as 2001-01-01/2001-06-30.",
    )
    .nullable()
    .optional(),
});

const LABEL_RULE =
  "Use 1 to 64 letters, digits, inner blanks and . _ + : ( ) -, beginning with a letter or digit, but not a UUID.";

/** The source's name for a version, such as 1.54.0. Part of URLs. */
export const labelSchema = z
  .string()
  .trim()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._+:()-]{0,63}$/u, LABEL_RULE)
  .refine((label) => !isUuid(label), LABEL_RULE);

export const notesSchema = z.string().max(20_000).describe("Markdown: what changed in this version.");

/**
 * One file for one table. Only the given fields change; the first publication requires title, publisher and licence.
 */
export const publishRequestSchema = z.strictObject({
  file: z.string().min(1),
  format: z.enum(FILE_FORMATS).optional().describe("Default: inferred from the file name."),
  dataset: datasetTextsSchema.extend({
    slug: slugSchema,
    visibility: z
      .enum(["public", "private"])
      .optional()
      .describe("Visibility of a new dataset. Default: public. Existing datasets keep theirs."),
    workspaceId: z.uuid().optional().describe("The owner of a new dataset; required for a private dataset."),
  }),
  table: z.strictObject({
    slug: slugSchema,
    name: lineSchema(200).optional().describe("Default for a new table: the slug."),
    description: z.string().max(10_000).optional(),
    license: lineSchema(200).optional(),
    position: z.int().min(0).optional(),
  }),
  columns: z
    .array(columnNoteSchema)
    .default([])
    .describe("Omitted columns and fields keep the values of the current version."),
  orderBy: z
    .array(z.string())
    .optional()
    .describe("Columns to sort the rows by; empty keeps the file's order. Default: as in the current version."),
  primaryKey: z
    .array(z.string())
    .optional()
    .describe(
      "Columns that identify each row; verified to be unique and without nulls. Empty for none. Default: as in the " +
        "current version.",
    ),
  label: labelSchema
    .optional()
    .describe(
      "The source's name for this version. If the file equals the current version, it is added to that version's " +
        "labels.",
    ),
  notes: notesSchema.nullable().optional(),
  publishedAt: z.date().optional().describe("Default: now. Use the source's release time when importing history."),
});

export const publishReceiptSchema = z.strictObject({
  outcome: z.enum(["published", "unchanged"]),
  dataset: slugSchema,
  table: slugSchema,
  table_id: z.uuid(),
  version_id: z.uuid(),
  label: z.string().nullable(),
  content_digest: z.string(),
  rows: z.int().min(0),
  bytes: z.int().min(0),
  change: z.enum(CHANGES).nullable().describe("Null if unchanged."),
  left_out: z
    .array(
      z.strictObject({
        cause: z.string(),
        rows: z.int().min(0),
        cells: z.int().min(0),
        examples: z.array(
          z.strictObject({ row: z.int().min(1), column: z.int().min(1).nullable(), value: z.string() }),
        ),
      }),
    )
    .describe("What is not in the table, by cause, with the first 1,000 places in the file."),
});

export type DatasetTexts = z.output<typeof datasetTextsSchema>;
export type PublishRequest = z.input<typeof publishRequestSchema>;
export type PublishReceipt = z.output<typeof publishReceiptSchema>;
export type ColumnNote = z.output<typeof columnNoteSchema>;
