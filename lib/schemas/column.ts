import { z } from "zod";
import { COLUMN_TYPES } from "@/lib/engine/types/column-types";
import { formatList } from "@/lib/kernel/format";

/** The fields of a column's profile; those that apply to the type are present. Always over all rows. */
export const profileSchema = z
  .strictObject({
    null_count: z.int().min(0),
    nan_count: z.int().min(0).optional(),
    distinct_count: z.strictObject({ value: z.int().min(0), exact: z.boolean() }).optional(),
    min: z.unknown().optional().describe("In the column's JSON encoding."),
    max: z.unknown().optional().describe("In the column's JSON encoding."),
    mean: z.number().optional(),
    stddev: z.number().optional(),
    quantiles: z
      .strictObject({ p05: z.unknown(), p25: z.unknown(), p50: z.unknown(), p75: z.unknown(), p95: z.unknown() })
      .optional()
      .describe("In the column's JSON encoding."),
    top_values: z
      .array(z.strictObject({ value: z.unknown(), count: z.int().min(1) }))
      .max(20)
      .optional(),
    histogram: z
      .strictObject({
        edges: z.array(z.unknown()).max(41),
        counts: z.array(z.int().min(0)).max(40),
        overflow: z
          .strictObject({ first: z.boolean(), last: z.boolean() })
          .optional()
          .describe("Whether the first or last bin is wider because it holds all outliers on its side."),
      })
      .optional()
      .describe(
        "edges has one more entry than counts. Each bin includes its lower edge and excludes its upper edge; the " +
          "last bin includes both. If outliers would squeeze the other values into few bins, bins are regular " +
          "between the 1st and 99th percentile.",
      ),
    true_count: z.int().min(0).optional(),
    length: z
      .strictObject({ min: z.int(), max: z.int(), mean: z.number() })
      .optional()
      .describe("Strings in characters, lists in items, binary in bytes."),
  })
  .meta({ id: "ColumnProfile" });

/** A column as recorded in a version. `storage` is the DuckDB type as text, which is needed to encode nested types. */
export const storedColumnSchema = z.strictObject({
  name: z.string(),
  type: z.string(),
  storage: z.string(),
  nullable: z.boolean(),
  description: z.string().nullable(),
  unit: z.string().nullable(),
});

export const columnSchema = z
  .strictObject({
    name: z.string(),
    type: z.string().describe(
      `${formatList(
        COLUMN_TYPES.map(({ label }) => label),
        "or",
      )}.`,
    ),
    nullable: z.boolean(),
    description: z.string().nullable(),
    unit: z.string().nullable(),
    json: z
      .enum(["number", "string", "boolean", "array", "object", "any"])
      .describe("The JSON type of the column's values in replies."),
    operators: z.array(z.string()).describe("Filter operators that apply."),
    functions: z.array(z.string()).describe("Aggregate functions that apply."),
    profile: profileSchema,
  })
  .meta({ id: "Column" });

export const columnHeadSchema = z
  .strictObject({
    name: z.string(),
    type: z.string(),
    overlapping: z.literal(true).optional().describe("A row is in the group of each of its list's items."),
    bucket_zone: z.string().optional().describe("The time zone of the groups, where the query names one."),
  })
  .meta({ id: "ColumnHead" });

export type Profile = z.output<typeof profileSchema>;
export type StoredColumn = z.output<typeof storedColumnSchema>;
export type Column = z.output<typeof columnSchema>;
