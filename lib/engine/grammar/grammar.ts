import { isLosslessNumber, type LosslessNumber } from "lossless-json";
import { z } from "zod";
import { AGGREGATES } from "@/lib/engine/types/aggregates";
import { BUCKETS } from "@/lib/engine/types/buckets";
import { DERIVATIONS } from "@/lib/engine/types/derivations";
import { OPERATORS } from "@/lib/engine/types/operators";
import { AS_OF_HELP, VERSION_HELP, versionNameSchema } from "./version-choice";

const digits = (description: string) =>
  z.custom<LosslessNumber>(isLosslessNumber, "Expected a number.").meta({ type: "integer", description });
const number = (description: string) =>
  z.custom<LosslessNumber>(isLosslessNumber, "Expected a number.").meta({ type: "number", description });
const column = z.string().describe("A column name, case-sensitive.");

const filterSchema = z.strictObject({
  column,
  operator: z.string().describe(`One of ${Object.keys(OPERATORS).join(", ")}.`),
  value: z
    .unknown()
    .optional()
    .describe(
      "One scalar. For between: exactly two, low then high. For in and not_in: 1 to 20. Omit for is_null and " +
        "is_not_null.",
    ),
  ignore_case: z.boolean().optional().describe("For strings: ignore case (eq to not_in, contains to ends_with)."),
});

/** The same schema for filters of aggregates and of `having`, without the descriptions given above. */
const groupFilterSchema = z.strictObject({
  column: z.string(),
  operator: z.string(),
  value: z.unknown().optional(),
  ignore_case: z.boolean().optional(),
});

const orderSchema = z.strictObject({
  column: z.string().describe("A column or, in grouped queries, a group column or an alias."),
  direction: z.string().default("asc").describe("asc (default) or desc. Nulls come last in both."),
});

const aggregateSchema = z.strictObject({
  function: z.string().describe(`One of ${Object.keys(AGGREGATES).join(", ")}.`),
  column: z.string().optional().describe("Omit for count and share."),
  as: z.string().describe("The name of the result column."),
  filters: z
    .array(groupFilterSchema)
    .optional()
    .describe("At most 10: compute only over rows that match all of them. share takes these or of."),
  at: number("quantile: from 0 to 1.").optional(),
  with: z.string().optional().describe("corr and slope: the other column; slope is of column on this one."),
  of: z
    .array(z.string())
    .optional()
    .describe("share: names of group_by. A group's rows over those of all groups that agree in them; [] for all rows."),
});

const groupSchema = z.strictObject({
  column,
  bucket: z
    .string()
    .optional()
    .describe(`One of ${Object.keys(BUCKETS).join(", ")}: spans and parts of times, length, element (list item).`),
  width: number("For numbers: the width of each group, named by its lower edge (gte). Greater than 0.").optional(),
  as: z.string().optional().describe("The name of the result column. Default: the column's name."),
  zone: z
    .string()
    .optional()
    .describe("For buckets of timestamps: the IANA time zone whose local times they are of. Default: UTC."),
});

const derivedSchema = z.strictObject({
  as: z.string().describe("The name of the result column."),
  function: z.string().describe(`One of ${Object.keys(DERIVATIONS).join(", ")}.`),
  of: z.string().describe("An alias of an aggregate, or of an earlier entry."),
  over: z.string().optional().describe("The group whose order it follows; all others stay the same. Not for rank."),
  size: digits("moving_average: how many spans, 2 to 365, the group's own included.").optional(),
  by: z.array(z.string()).optional().describe("rank: groups within which it is counted. Default: all of the result."),
  direction: z.string().optional().describe("rank: desc (default) for 1 = greatest, asc for 1 = least."),
});

const lookupSchema = z.strictObject({
  table_id: z.string().describe("The UUID of a table with a primary key."),
  on: z.record(z.string(), z.string()).describe("For each column of its primary key, the column of this table."),
  columns: z.array(column).describe("Columns of that table."),
  as: z.string().describe("What the names of its columns begin with: columns of f are f.name."),
  version_id: versionNameSchema.optional().describe("A version of that table. Default: the current one."),
  as_of: versionNameSchema.optional().describe("Instead of version_id, as in the body. Default: the body's as_of."),
});

/** The shape of the query body. plan.ts checks it against a table's columns. Numbers are LosslessNumber. */
export const querySchema = z.strictObject({
  columns: z
    .array(column)
    .describe(
      "The columns to return, 1 to 500. Grouped queries return only group columns and aggregates, and may send an " +
        "empty list.",
    ),
  filters: z.array(filterSchema).default([]).describe("At most 50. Rows must match all of them."),
  order_by: z.array(orderSchema).default([]).describe("At most 8. Ties are broken by row position."),
  limit: digits("Rows or groups per page. Default: 100.").optional(),
  cursor: z
    .string()
    .optional()
    .describe("next_cursor from the previous page, with the same columns, filters and order_by."),
  offset: digits("Rows to skip on the first page, 0 to 1,000,000.").optional(),
  group_by: z
    .array(z.union([column, groupSchema]))
    .default([])
    .describe("At most 4 columns, by name or as objects with a bucket or a width."),
  aggregates: z
    .array(aggregateSchema)
    .default([])
    .describe("Computed per group, or over the whole table without group_by."),
  having: z
    .array(groupFilterSchema)
    .optional()
    .describe("In grouped queries: at most 10 filters over group columns and aliases. Groups must match all of them."),
  derive: z
    .array(derivedSchema)
    .optional()
    .describe("In grouped queries: at most 8 results from those of other groups, before having and order_by."),
  search: z
    .strictObject({
      text: z.string().describe("1 to 200 characters. Case is ignored."),
      columns: z.array(column).optional().describe("Default: all string columns."),
    })
    .optional()
    .describe("Return only rows in which a string column contains the text."),
  near: z
    .strictObject({
      latitude: z.string().describe("A numeric column, in degrees."),
      longitude: z.string().describe("A numeric column, in degrees."),
      of: z.array(number("Degrees.")).describe("The place: latitude, then longitude."),
      km: number(
        "Return only rows at most this far away, up to 20,016. Optional if order_by has the distance.",
      ).optional(),
      as: z.string().optional().describe("The name of the distance. Default: distance_km."),
    })
    .optional()
    .describe("The distance of each row from a place in kilometres, a column for columns and order_by."),
  lookups: z
    .array(lookupSchema)
    .optional()
    .describe("At most 2: columns of other tables, found by their primary key, for use like columns of this one."),
  cell: z
    .strictObject({ column: z.string(), offset: digits("Characters to skip. Default: 0.").optional() })
    .optional()
    .describe("Reads one long string in parts. The filters must match exactly one row. Continue at next_offset."),
  top: z
    .strictObject({
      by: z.array(column).describe("1 to 4 columns; in grouped queries names of group_by, not all of them."),
      count: digits("How many of each, 1 to 100."),
    })
    .optional()
    .describe("Of each combination of these columns, return only the first rows or groups in order_by."),
  total: z.boolean().optional().describe("true adds execution.total_rows, the number of rows or groups that match."),
  notes: z.boolean().optional().describe("true adds execution.notes: what in the result could mislead. JSON only."),
  version_id: versionNameSchema.optional().describe(VERSION_HELP),
  as_of: versionNameSchema.optional().describe(AS_OF_HELP),
  int64: z
    .enum(["number", "string"])
    .default("number")
    .describe('With "string", int64, uint64 and decimal values are returned as strings.'),
});

/** A body of the right shape, with limit and offset parsed. */
export interface QueryBody extends Omit<z.output<typeof querySchema>, "limit" | "offset"> {
  limit: number;
  offset: number | undefined;
}
