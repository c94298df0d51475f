import { z } from "zod";

const cellsSchema = z.array(z.array(z.string().nullable()));

/** The first rows before the steps of a table (step -1) or after one of them. */
const stepPreviewSchema = z.object({
  table: z.string(),
  step: z.int(),
  rows: z.number(),
  keeps_order: z.boolean(),
  columns: z.array(z.object({ name: z.string(), type: z.string().nullable() })),
  more_columns: z.int(),
  origins: z.array(z.string().nullable()),
  cells: cellsSchema.nullable(),
});

/** What a sample keeps about all steps. The sandbox wrote it, so it is read like anything from outside. */
export const stepPreviewsSchema = z.array(stepPreviewSchema);

const sideSchema = z.object({
  rows: z.number().describe("Number of all rows of the sample here."),
  columns: z.array(z.object({ name: z.string(), type: z.string().nullable() })),
  more_columns: z.int().describe("Number of columns that are not shown."),
  keeps_order: z.boolean().describe("Whether the step keeps the order of the rows that it keeps."),
  origins: z
    .array(z.string().nullable())
    .describe("For each row, where it comes from: the same before and after a step. Null for a row that a step made."),
  cells: cellsSchema.nullable().describe("The first rows as text; null if they could not be read or kept."),
});

export const stepRowsSchema = z.object({
  run_id: z.uuid(),
  revision: z.int(),
  sampled_at: z.iso.datetime(),
  table: z.string(),
  step: z.int(),
  kind: z.string(),
  as_written: z
    .boolean()
    .nullable()
    .describe(
      "Whether sources, earlier tables and steps up to this one are those of the recipe that was sent; null without " +
        "one, or if it has faults.",
    ),
  before: sideSchema,
  after: sideSchema.nullable().describe("Null if the sample failed before."),
});
export type StepRowsReply = z.output<typeof stepRowsSchema>;
export type StepRowsSide = z.output<typeof sideSchema>;
