import { z } from "zod";
import { readerOf } from "@/lib/access/actor";
import { presentColumns } from "@/lib/describe/present-columns";
import { AS_OF_HELP, VERSION_HELP, versionNameSchema } from "@/lib/engine/grammar/version-choice";
import { cachedOutput } from "@/lib/operations/reading/cached-outputs";
import { locateChosen, locateTable, tablePathSchema } from "@/lib/operations/reading/locate-table";
import { type TableSchema, tableSchemaSchema } from "@/lib/schemas/table";
import { profilesJson, type TableVersion } from "@/lib/store/datasets/tables";
import { operation } from "./operation";
import { getTableSchemaTool } from "./views/schema-tool";

/** The part of a reply that names the immutable version it was read from. */
export function presentVersion(version: TableVersion): TableSchema["table"] {
  return {
    id: version.tableId,
    version_id: version.versionId,
    content_digest: `sha256:${version.digest}`,
    published_at: version.publishedAt.toISOString(),
    rows: version.rows,
    bytes: version.bytes,
  };
}

const querySchema = z.strictObject({
  version_id: versionNameSchema.optional().describe(VERSION_HELP),
  as_of: versionNameSchema.optional().describe(AS_OF_HELP),
});

/** GET a table's columns: types, descriptions, operators and functions, profiles. */
export const getSchema = operation({
  name: "get_table_schema",
  summary: "Get a table's schema",
  description:
    "The key and columns of the table's current version, or of the one named: types, meaning, units, the filter " +
    "operators and aggregate functions that apply, and a profile over all rows.",
  access: "open",
  quota: "catalogue",
  http: { method: "GET", path: "/api/v2/public/tables/{table_id}/schema" },
  input: { path: tablePathSchema, query: querySchema },
  output: tableSchemaSchema,
  errors: ["invalid_value", "version_withdrawn"],
  locate: ({ table_id }, ctx) => locateTable(table_id, readerOf(ctx), ctx.generation),
  async run({ query, located: current }, ctx): Promise<TableSchema> {
    const version = await locateChosen(current, query, "?", ctx.now());
    return await cachedOutput(`schema ${version.versionId}`, async () => {
      const profiles = await profilesJson(version.versionId);
      const table = presentVersion(version);
      const columns = presentColumns(version.columns, profiles);
      const schema_version = "service-public-table-schema.v1";
      return { output: { schema_version, table, primary_key: version.primaryKey, columns }, size: profiles.length };
    });
  },
  mcp: getTableSchemaTool,
});
