import { z } from "zod";

/** How the result of a run differs from the current version, before it is made current. */
export const tableDifferenceSchema = z.object({
  table: z.string().describe("The table's slug."),
  current_version_id: z.uuid().nullable().describe("What it is compared with; null before the first release."),
  columns: z.object({
    added: z.array(z.string()),
    removed: z.array(z.string()),
    retyped: z.array(z.object({ name: z.string(), from: z.string(), to: z.string() })),
  }),
  rows: z
    .object({
      compared_by: z.enum(["primary_key", "whole_rows"]),
      before: z.number(),
      after: z.number(),
      added: z.number(),
      removed: z.number(),
      changed: z.number().nullable().describe("Null if whole rows are counted."),
      unchanged: z.number(),
    })
    .nullable()
    .describe("Null if rows were not compared; words says why."),
  words: z.string().describe("The same as one sentence."),
});
export type TableDifference = z.output<typeof tableDifferenceSchema>;
