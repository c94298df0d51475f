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

export const publishRequestSchema = z.strictObject({
  file: z.string().min(1),
  format: z.enum(FILE_FORMATS).optional().describe("Taken from the file's name when absent."),
  dataset: z.strictObject({
    slug: slugSchema,
    title: lineSchema(200),
    summary: z.string().max(500),
    description: z.string().max(100_000).describe("Markdown."),
    publisher: z.strictObject({ name: lineSchema(200), url: webAddress.optional() }),
    license: lineSchema(200),
    topics: z.array(lineSchema(60)).max(20),
    sources: z.array(z.strictObject({ name: lineSchema(2_000), url: webAddress.nullable() })).default([]),
    temporalCoverage: z
      .string()
      .regex(
        /^-?\d{4,}[-0-9T:.Z+]*(?:\/(?:-?\d{4,}[-0-9T:.Z+]*|\.\.)?)?$/,
        "Use an ISO 8601 date or interval, such as 2001-01-01/2001-06-30.",
      )
      .nullable()
      .default(null),
    visibility: z
      .enum(["public", "private"])
      .optional()
      .describe("Of the first publication: public when absent. A dataset that exists keeps its own."),
    workspaceId: z.uuid().optional().describe("The owner from the first publication on; a private dataset has one."),
  }),
  table: z.strictObject({
    slug: slugSchema,
    name: lineSchema(200),
    description: z.string().max(10_000).default(""),
    license: lineSchema(200).optional(),
    position: z.int().min(0).default(0),
  }),
  columns: z.array(columnNoteSchema).default([]),
  orderBy: z
    .array(z.string())
    .default([])
    .describe("The rows are sorted by these columns; kept in the file's order when empty."),
  primaryKey: z
    .array(z.string())
    .default([])
    .describe("Columns that tell every row from all others: proven unique and without nulls. None when empty."),
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

export type PublishRequest = z.input<typeof publishRequestSchema>;
export type PublishReceipt = z.output<typeof publishReceiptSchema>;
export type ColumnNote = z.output<typeof columnNoteSchema>;
