import { z } from "zod";
import { operation } from "@/lib/operations/operation";
import { editColumn as publishEdited } from "@/lib/publish/edit-column";
import { publishReceiptSchema } from "@/lib/schemas/publish";

const HELP = `
Versions never change, so the current rows become a new version whose change is "metadata". An empty string ("")
removes the value.

  parquetry column edit river-levels daily level --unit m --description "Height above the gauge's zero"`;

/** Changes a column's description or unit by a new version of its table. */
export const editColumn = operation({
  name: "edit_column",
  summary: "Edit a column",
  description: "Edits the description or unit of a column. Only the given options change.",
  access: "operator",
  quota: "none",
  input: {
    body: z.strictObject({
      dataset: z.string(),
      table: z.string(),
      column: z.string(),
      description: z.string().optional().describe("what the column means"),
      unit: z.string().optional().describe("UCUM or plain text, such as min, Cel, USD"),
    }),
  },
  output: publishReceiptSchema,
  async run({ body }, ctx) {
    if (body.description === undefined && body.unit === undefined)
      throw new Error("Nothing to change. Give --description or --unit.");
    return await publishEdited(body, { now: ctx.now });
  },
  cli: { usage: "column edit <dataset> <table> <column>", valueNames: { description: "text" }, help: HELP },
});
