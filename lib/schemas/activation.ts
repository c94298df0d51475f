import { z } from "zod";

/** What activating a table returned, at that time and later. `table_id` is the table's own id, not the hosted one. */
export const activationReceiptSchema = z.object({
  table: z.string().describe("The table's slug."),
  dataset_id: z.uuid(),
  table_id: z.uuid().describe("The table's own id, which the hosted routes do not accept."),
  current_path: z.string().describe("The path where the hosted table API serves the latest passing release."),
  freshness_path: z.string().describe("The path where it says whether that release is still current."),
  activated_at: z.iso.datetime(),
  warning: z
    .literal("hosted_too_large")
    .nullable()
    .describe("hosted_too_large: the current release is too large to be served in one reply (413)."),
});
export type ActivationReceipt = z.output<typeof activationReceiptSchema>;
