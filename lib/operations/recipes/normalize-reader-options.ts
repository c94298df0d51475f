import { z } from "zod";
import { BUILD, buildPathSchema } from "@/lib/operations/datasets/build-path";
import { operation } from "@/lib/operations/operation";
import { READING } from "@/lib/operations/tool-part";
import { normalizeReaderOptions as normalize } from "@/lib/readers/proposals/reader-options";
import { READER_FORMATS } from "@/lib/schemas/recipe-reader";

/** POST reader options under the names that other tools use. */
export const normalizeReaderOptions = operation({
  name: "normalize_reader_options",
  summary: "Normalise reader options",
  description:
    "Turns options of pandas, DuckDB, readr or a Frictionless dialect (sep, skiprows, na_values, …) into a recipe's " +
    "reader, with remarks on what was changed or has no equivalent.",
  access: "build",
  quota: "account",
  http: { method: "POST", path: `${BUILD}/reader-options` },
  input: {
    path: buildPathSchema,
    body: z.strictObject({
      format: z.enum(READER_FORMATS).default("csv"),
      options: z.record(z.string().max(100), z.unknown()).describe("Named as in the other tool."),
    }),
  },
  output: z.object({
    reader: z.object({ format: z.string(), options: z.record(z.string(), z.unknown()) }),
    parse: z
      .object({ number: z.record(z.string(), z.unknown()) })
      .optional()
      .describe("For a parse step."),
    remarks: z.array(z.string()),
  }),
  errors: ["invalid_value"],
  examples: { body: { format: "csv", options: { sep: ";", encoding: "latin-1", skiprows: 2 } } },
  run: async ({ body }) => normalize(body.format, body.options),
  mcp: { hints: READING },
});
