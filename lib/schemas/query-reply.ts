import { z } from "zod";
import { NOTE_CODES } from "@/lib/engine/plan/noted";
import { columnHeadSchema } from "./column";
import { rowSchema, versionRefSchema } from "./table";

/** What a reader of a result could misunderstand. */
export const noteSchema = z.strictObject({
  code: z.enum(NOTE_CODES),
  pointer: z.string().describe("Where in the body."),
  message: z.string().describe("What is the case, and what to do."),
  values: z.array(z.string()).optional().describe("Values of the column near the one that no row has."),
  count: z.int().min(1).optional().describe("The number of rows that it is about."),
});

/** The reply to a query; the engine writes it as bytes with the keys in this order. */
export const queryReplySchema = z
  .strictObject({
    schema_version: z.literal("service-public-table-query.v1"),
    query_id: z.string().regex(/^qry_[A-Za-z0-9_-]+$/),
    table: versionRefSchema,
    lookups: z
      .array(versionRefSchema.extend({ as: z.string() }))
      .optional()
      .describe("With lookups: the versions that their columns are from, in the body's order."),
    columns: z.array(columnHeadSchema).describe("Grouped: group columns first, then aggregates."),
    rows: z.array(rowSchema),
    execution: z.strictObject({
      returned_rows: z.int().min(0),
      scanned_bytes: z
        .int()
        .min(0)
        .describe("Stored bytes of the columns the query reads, in the row groups it could not skip."),
      elapsed_ms: z.int().min(0),
      truncated: z.boolean().describe("Whether more rows or groups exist."),
      total_rows: z.int().min(0).optional().describe("With total: all rows or groups, before limit and offset."),
      cell: z
        .strictObject({
          chars: z.int().min(0).describe("Characters of the whole cell; 0 for null."),
          offset: z.int().min(0),
          next_offset: z.int().nullable().describe("The offset of the next part; null after the last one."),
        })
        .optional()
        .describe("With cell: which part of it this is."),
      lookups: z
        .array(z.strictObject({ as: z.string(), missing: z.int().min(0) }))
        .optional()
        .describe("With lookups: rows of this page (grouped: all that match) without a row in the other table."),
      tzdb: z.string().optional().describe("With zone: the release of the IANA time zone database."),
      notes: z.array(noteSchema).max(5).optional().describe("With notes: what in the result could mislead."),
    }),
    next_cursor: z.string().nullable().describe("Null on the last page and for grouped results."),
  })
  .meta({ id: "QueryReply" });

export type QueryReply = z.output<typeof queryReplySchema>;
