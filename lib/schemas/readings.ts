import { z } from "zod";
import { freshnessReportSchema } from "./freshness-report";
import { timestampSchema } from "./timestamp";

export const sourceReadingsSchema = z.strictObject({
  name: z.string(),
  readings: z.array(
    z.strictObject({
      at: timestampSchema,
      ok: z.boolean().describe("False: it could not be read, which says nothing of its rows."),
      changed: z.boolean().nullable().describe("Whether other rows were seen; null for the first reading."),
      replayed: z
        .string()
        .nullable()
        .describe(
          "The release of a package that was read from this service's own installation, as if when it came out: the " +
            "source was not asked then. Null for a real reading.",
        ),
    }),
  ),
});

/** How the sources of a table were read: what its freshness is drawn from. */
export const readingsSchema = z
  .strictObject({
    schema_version: z.literal("service-public-table-readings.v1"),
    table: z.strictObject({ id: z.uuid(), name: z.string(), slug: z.string() }),
    freshness: freshnessReportSchema,
    sources: z
      .array(sourceReadingsSchema)
      .describe("Oldest reading first, at most 400 of each; none for files that a publisher prepared."),
  })
  .meta({ id: "TableReadings" });
export type TableReadings = z.output<typeof readingsSchema>;
