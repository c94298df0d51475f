import { z } from "zod";
import { columnHeadSchema, profileSchema } from "./column";
import { rowSchema, sizedVersionRefSchema } from "./table";

const notesSchema = z.strictObject({
  description: z.string().nullable(),
  unit: z.string().nullable(),
  nullable: z.boolean(),
});

const sideSchema = z.strictObject({ type: z.string(), profile: profileSchema }).nullable();

const versionSideSchema = sizedVersionRefSchema
  .extend({ number: z.int().min(1), label: z.string().nullable() })
  .meta({ id: "ComparedVersion" });

/** The differences between two versions of one table. Row counts are exact: all of both versions were read. */
export const comparisonSchema = z
  .strictObject({
    schema_version: z.literal("service-public-version-comparison.v1"),
    table: z.strictObject({ id: z.uuid(), name: z.string(), slug: z.string() }),
    from: versionSideSchema,
    to: versionSideSchema,
    columns: z.strictObject({
      added: z.array(columnHeadSchema),
      removed: z.array(columnHeadSchema),
      retyped: z.array(z.strictObject({ name: z.string(), from: z.string(), to: z.string() })),
      described: z
        .array(z.strictObject({ name: z.string(), from: notesSchema, to: notesSchema }))
        .describe("The description, the unit or the presence of nulls changed."),
      perhaps_renamed: z
        .array(z.strictObject({ from: z.string(), to: z.string() }))
        .describe("A removed and an added column of the same type with equal profiles."),
      reordered: z.boolean().describe("The common columns are in a different order."),
    }),
    primary_key: z.strictObject({ from: z.array(z.string()), to: z.array(z.string()) }),
    rows: z
      .strictObject({
        compared_by: z.enum(["primary_key", "whole_rows"]),
        key: z.array(z.string()).describe("Empty if whole rows are counted."),
        columns: z.array(z.string()).describe("The compared columns: those of the same type in both versions."),
        added: z.int().min(0),
        removed: z.int().min(0),
        changed: z
          .int()
          .min(0)
          .nullable()
          .describe("Null if whole rows are counted; a changed row then counts as one removed and one added."),
        unchanged: z.int().min(0),
        changed_columns: z
          .array(z.strictObject({ name: z.string(), rows: z.int().min(1) }))
          .describe("Number of changed rows per column, in descending order."),
        examples: z.strictObject({
          added: z.array(rowSchema),
          removed: z.array(rowSchema),
          changed: z
            .array(z.strictObject({ key: rowSchema, before: rowSchema, after: rowSchema }))
            .describe("Only the changed columns."),
        }),
      })
      .nullable()
      .describe("Null if the versions have no column in common."),
    profiles: z.array(z.strictObject({ name: z.string(), differs: z.boolean(), from: sideSchema, to: sideSchema })),
  })
  .meta({ id: "VersionComparison" });

export type Comparison = z.output<typeof comparisonSchema>;
