import { z } from "zod";
import { columnHeadSchema } from "./column";
import { comparisonSchema } from "./comparison";
import { rowSchema } from "./table";

const { from, to } = comparisonSchema.shape;

const changeSchema = z
  .strictObject({
    op: z
      .enum(["schema", "deleted", "inserted", "updated"])
      .describe("schema: the columns differ; it comes first. Without a key, rows are only deleted and inserted."),
    key: rowSchema.nullable().describe("The columns of the key; null without one."),
    row: rowSchema
      .nullable()
      .describe("The row in the columns of until: as it was if deleted, as it is otherwise. Null for schema."),
    changed: z
      .array(z.string())
      .describe("updated: the columns that differ. schema: those added, removed and retyped. Otherwise empty."),
    columns: z
      .strictObject({ since: z.array(columnHeadSchema), until: z.array(columnHeadSchema) })
      .optional()
      .describe("schema: the columns of both versions."),
  })
  .meta({ id: "Change" });

/** A page of the changes that turn one version's rows into another's. */
export const changesSchema = z
  .strictObject({
    schema_version: z.literal("service-public-table-changes.v1"),
    table: comparisonSchema.shape.table,
    since: from,
    until: to,
    key: z.array(z.string()).describe("The declared key, by which rows are matched; empty if whole rows are counted."),
    columns: z.array(columnHeadSchema).describe("The columns of rows: those of until."),
    total_changes: z.int().min(0).describe("The number of changes on all pages."),
    changes: z.array(changeSchema),
    next_cursor: z.string().nullable().describe("Null on the last page."),
  })
  .meta({ id: "TableChanges" });
