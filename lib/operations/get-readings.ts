import { readerOf } from "@/lib/access/actor";
import { presentFreshness, presentReadings } from "@/lib/describe/present-freshness";
import { tableReadings } from "@/lib/operations/freshness/table-readings";
import { freshnessOf } from "@/lib/operations/freshness/verdicts";
import { locateTable, tablePathSchema } from "@/lib/operations/reading/locate-table";
import { readingsSchema, type TableReadings } from "@/lib/schemas/readings";
import { operation } from "./operation";

/** GET how the sources of a table were read, and the verdict based on it. */
export const getReadings = operation({
  name: "get_readings",
  summary: "Get the readings of a table's sources",
  description:
    "When each source was read, whether reading succeeded, and whether its rows had changed, with the verdict " +
    "based on it. For files that a publisher prepared, no source is read. Unlisted sources are only counted.",
  access: "open",
  quota: "catalogue",
  http: { method: "GET", path: "/api/v2/public/tables/{table_id}/readings" },
  input: { path: tablePathSchema },
  output: readingsSchema,
  locate: ({ table_id }, ctx) => locateTable(table_id, readerOf(ctx)),
  async run({ located: { tableId, tableName: name, tableSlug: slug, datasetId } }, ctx): Promise<TableReadings> {
    const [judged, sources] = await Promise.all([
      freshnessOf([datasetId], ctx.now()),
      tableReadings(datasetId, { slug }),
    ]);
    const { verdict, release } = judged(datasetId).ofTable(tableId, slug);
    return {
      schema_version: "service-public-table-readings.v1",
      table: { id: tableId, name, slug },
      freshness: presentFreshness(verdict, release?.continuity),
      sources: presentReadings(sources),
    };
  },
});
