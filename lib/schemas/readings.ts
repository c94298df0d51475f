import { z } from "zod";
import { freshnessReportSchema } from "./freshness-report";
import { timestampSchema } from "./timestamp";

export const sourceReadingsSchema = z.strictObject({
  name: z.string(),
  readings: z.array(
    z.strictObject({
      at: timestampSchema,
      ok: z.boolean().describe("False: it could not be read, which says nothing about its rows."),
      changed: z.boolean().nullable().describe("Whether the rows had changed; null for the first reading."),
      replayed: z
        .string()
        .nullable()
        .describe(
          "The release of a package that was read from this service's own installation, as if at the time of its " +
            "release: the source itself was not read then. Null for a real reading.",
        ),
    }),
  ),
});

/** How the sources of a table were read: the evidence for its freshness. */
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
