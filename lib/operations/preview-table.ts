import { z } from "zod";
import { readerOf } from "@/lib/access/actor";
import { querySubject } from "@/lib/access/quotas";
import { runPreview } from "@/lib/engine/run/preview";
import { parseExactJson } from "@/lib/formats/exact-json";
import { cachedOutput } from "@/lib/operations/reading/cached-outputs";
import { locateTable, tablePathSchema } from "@/lib/operations/reading/locate-table";
import { sealedVersion } from "@/lib/operations/reading/read-version";
import { type Preview, previewSchema } from "@/lib/schemas/table";
import { presentVersion } from "./get-schema";
import { operation } from "./operation";
import { sampleRowsTool } from "./views/sample-tool";

const querySchema = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(20).describe("Rows."),
  position: z.coerce.number().int().min(1).max(1e15).optional().describe("The position of the first row. Default: 1."),
});

/** GET the first rows of a table. */
export const previewTable = operation({
  name: "sample_rows",
  summary: "Preview a table",
  description:
    "Rows of the table's current version in its stored order, from the first or from a position. Cells over 1,000 " +
    "characters are truncated and listed in truncated_cells.",
  access: "open",
  quota: "catalogue",
  http: { method: "GET", path: "/api/v2/public/tables/{table_id}/preview" },
  input: { path: tablePathSchema, query: querySchema },
  output: previewSchema,
  errors: ["invalid_limit", "integrity_failure", "busy", "query_timeout", "storage_timeout"],
  locate: ({ table_id }, ctx) => locateTable(table_id, readerOf(ctx), ctx.generation),
  run: ({ query: { position = 1, limit }, located: version }, ctx): Promise<Preview> =>
    cachedOutput(`preview ${version.versionId} ${position} ${limit}`, async () => {
      const caller = { subject: querySubject(ctx), signal: ctx.signal };
      const span = { position: position - 1, rows: limit };
      const preview = await runPreview(await ctx.engine(), sealedVersion(version), span, caller);
      const output = {
        schema_version: "service-public-table-preview.v1" as const,
        table: presentVersion(version),
        columns: preview.columns,
        rows: parseExactJson(Buffer.from(preview.rowsJson).toString()) as Preview["rows"],
        rows_total: version.rows,
        truncated: preview.rows < version.rows,
        truncated_cells: preview.truncatedCells,
      };
      return { output, size: preview.rowsJson.byteLength };
    }),
  mcp: sampleRowsTool,
});
