import { isLosslessNumber, type LosslessNumber } from "lossless-json";
import { z } from "zod";
import { AGGREGATES } from "@/lib/engine/types/aggregates";
import { OPERATORS } from "@/lib/engine/types/operators";

const digits = (description: string) =>
  z.custom<LosslessNumber>(isLosslessNumber, "Expected a number.").meta({ type: "integer", description });
const column = z.string().describe("A column name, case-sensitive.");

const filterSchema = z.strictObject({
  column,
  operator: z.string().describe(`One of ${Object.keys(OPERATORS).join(", ")}.`),
  value: z
    .unknown()
    .optional()
    .describe(
      "One scalar; for between exactly two, low then high; for in 1 to 20; omitted for is_null and is_not_null.",
    ),
});

const orderSchema = z.strictObject({
  column: z.string().describe("A column; in grouped queries, a group column or an alias."),
  direction: z.string().default("asc").describe("asc (default) or desc; nulls come last in both."),
});

const aggregateSchema = z.strictObject({
  function: z.string().describe(`One of ${Object.keys(AGGREGATES).join(", ")}.`),
  column: z.string().optional().describe("Omit for count."),
  as: z.string().describe("The name of the result column."),
});

/** The query body's shape. What it means for a table's columns is checked in plan.ts. Numbers are LosslessNumber. */
export const querySchema = z.strictObject({
  columns: z
    .array(column)
    .describe(
      "The columns to return, 1 to 500. Grouped queries may send an empty list; they return group columns " +
        "and aggregates only.",
    ),
  filters: z.array(filterSchema).default([]).describe("At most 50; rows must match all of them."),
  order_by: z.array(orderSchema).default([]).describe("At most 8. Ties are broken by row position."),
  limit: digits("Rows or groups per page. Default: 100.").optional(),
  cursor: z
    .string()
    .optional()
    .describe("next_cursor from the previous page, with the same columns, filters and order_by."),
  offset: digits("Rows to skip on the first page, 0 to 1,000,000.").optional(),
  group_by: z.array(column).default([]).describe("At most 4 columns."),
  aggregates: z
    .array(aggregateSchema)
    .default([])
    .describe("Computed per group, or over the whole table without group_by."),
  version_id: z.uuid().optional().describe("An immutable version to read. Default: the current version."),
  int64: z
    .enum(["number", "string"])
    .default("number")
    .describe('With "string", int64, uint64 and decimal values are returned as strings.'),
});

/** A body of the right shape, its limit and offset read. */
export interface QueryBody extends Omit<z.output<typeof querySchema>, "limit" | "offset"> {
  limit: number;
  offset: number | undefined;
}
