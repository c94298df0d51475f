import { z } from "zod";

const cells = z.array(z.string());

const containerSchema = z.object({
  kind: z.enum(["gzip", "zstd", "zip", "tar"]),
  members: z.array(z.object({ name: z.string(), bytes: z.number() })),
  chosen: z.string().nullable().describe("The member that was inspected."),
});

export const inspectedColumnSchema = z.object({
  name: z.string(),
  type: z.string().describe("A proposal, with its reason in why."),
  why: z.string(),
  nulls: z.int(),
  null_tokens: z.array(z.string()).describe("Cells that seem to mean null."),
  number: z
    .object({
      decimal: z.string(),
      thousands: z.array(z.string()),
      groups: z.string().optional(),
      strip: z.array(z.string()).optional(),
      negative: z.string().optional(),
      percent: z.string().optional(),
    })
    .optional()
    .describe("The number format, as parse takes it."),
  date: z.array(z.string()).optional().describe("Formats; two if no cell distinguishes day from month."),
  distinct: z.int(),
  examples: cells,
});

/** What was found about a source: proposals and their reasons. */
export const inspectionFoundSchema = z.object({
  transport: z.object({
    status: z.int().nullable(),
    final_url: z.string().nullable().describe("Without its query string."),
    redirects: z.int(),
    bytes: z.number().nullable().describe("Of the whole source, if known."),
    bytes_read: z.number(),
    media_type: z.string().nullable(),
    etag: z.boolean(),
    last_modified: z.string().nullable(),
    resumable: z.boolean(),
    seconds: z.number(),
  }),
  containers: z.array(containerSchema),
  format: z.object({ value: z.string(), why: z.string() }),
  encoding: z
    .object({
      value: z.string(),
      why: z.string(),
      others: z.array(z.object({ value: z.string(), line: z.string() })),
    })
    .optional(),
  dialect: z
    .object({
      delimiter: z.string(),
      quote: z.string(),
      score: z.number(),
      runner_up: z.object({ delimiter: z.string(), score: z.number() }),
    })
    .optional(),
  sheets: z.array(z.object({ name: z.string(), hidden: z.boolean(), rows: z.int(), columns: z.int() })).optional(),
  json: z
    .object({
      candidates: z.array(z.object({ pointer: z.string(), shape: z.string(), items: z.int() })),
      paging: z.object({ pages: z.record(z.string(), z.unknown()), why: z.string() }).optional(),
    })
    .optional(),
  raw: z.array(z.object({ n: z.int(), cells })).optional(),
  columns: z.array(inspectedColumnSchema),
  rows: z.object({ count: z.int().nullable(), estimate: z.number().nullable() }),
  tried: z.boolean().describe("Whether columns and rows were produced by the reader."),
  reader: z.object({ format: z.string(), options: z.record(z.string(), z.unknown()) }).optional(),
  source: z.record(z.string(), z.unknown()).optional().describe("For direct use in a recipe's sources."),
  table: z
    .object({
      steps: z.array(z.record(z.string(), z.unknown())),
      columns: z.array(z.object({ name: z.string(), type: z.string() })),
    })
    .describe("Steps and columns for direct use in a recipe's table."),
  warnings: z.array(z.string()),
  licence_hints: z.array(z.string()),
});
export type InspectionFound = z.output<typeof inspectionFoundSchema>;

/** Parts of an inspection that a caller may leave out. */
export const INSPECTION_PARTS = ["raw", "columns", "reader", "paging"] as const;
export type InspectionPart = (typeof INSPECTION_PARTS)[number];

export const inspectionSchema = inspectionFoundSchema.partial().extend({
  inspection_id: z.uuid(),
  state: z.enum(["queued", "running", "done", "failed"]),
  failure: z.object({ code: z.string(), message: z.string(), fix: z.string() }).optional(),
  poll_after_ms: z.int().optional(),
  next: z.string(),
});
export type InspectionReply = z.output<typeof inspectionSchema>;
