import { z } from "zod";
import { slugSchema } from "./dataset";
import { lineSchema } from "./name";
import { CHANGES } from "./table";

const webAddress = z.url({ protocol: /^https?$/, error: "Use an address that starts with http:// or https://." });

export const FILE_FORMATS = ["csv", "tsv", "json", "ndjson", "parquet"] as const;

/** What the publisher says of a column: its type where the reader must not guess, its meaning and its unit. */
export const columnNoteSchema = z.strictObject({
  name: z.string().min(1),
  type: z.string().optional().describe("A column type of the service; read from the file when absent."),
  description: z.string().optional(),
  unit: z.string().optional().describe("UCUM or plain words, such as min, mi, Cel, USD."),
});

const sourceSchema = z.strictObject({ name: lineSchema(2_000), url: webAddress.nullable() });

/** What a publisher says of a dataset. What is absent stays as it is. */
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

/** One file for one table. Only what is given changes; the first publication needs title, publisher and licence. */
export const publishRequestSchema = z.strictObject({
  file: z.string().min(1),
  format: z.enum(FILE_FORMATS).optional().describe("Taken from the file's name when absent."),
  dataset: datasetTextsSchema.extend({
    slug: slugSchema,
    visibility: z
      .enum(["public", "private"])
      .optional()
      .describe("Of the first publication: public when absent. A dataset that exists keeps its own."),
    workspaceId: z.uuid().optional().describe("The owner from the first publication on; a private dataset has one."),
  }),
  table: z.strictObject({
    slug: slugSchema,
    name: lineSchema(200).optional().describe("The slug when absent from the first publication."),
    description: z.string().max(10_000).optional(),
    license: lineSchema(200).optional(),
    position: z.int().min(0).optional(),
  }),
  columns: z
    .array(columnNoteSchema)
    .default([])
    .describe("Columns and members that are absent keep what the current version says."),
  orderBy: z
    .array(z.string())
    .optional()
    .describe(
      "The rows are sorted by these columns, and kept in the file's order when empty; as the current version when absent.",
    ),
  primaryKey: z
    .array(z.string())
    .optional()
    .describe(
      "Columns that tell every row from all others: proven unique and without nulls. None when empty; the current " +
        "version's when absent.",
    ),
  publishedAt: z.date().optional().describe("Now when absent; the source's own release time where history is rebuilt."),
});

export const publishReceiptSchema = z.strictObject({
  outcome: z.enum(["published", "unchanged"]),
  dataset: slugSchema,
  table: slugSchema,
  table_id: z.uuid(),
  version_id: z.uuid(),
  content_digest: z.string(),
  rows: z.int().min(0),
  bytes: z.int().min(0),
  change: z.enum(CHANGES).nullable().describe("Null when unchanged."),
});

export type DatasetTexts = z.output<typeof datasetTextsSchema>;
export type PublishRequest = z.input<typeof publishRequestSchema>;
export type PublishReceipt = z.output<typeof publishReceiptSchema>;
export type ColumnNote = z.output<typeof columnNoteSchema>;
