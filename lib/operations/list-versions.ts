import { readerOf } from "@/lib/access/actor";
import { locateTable, tablePathSchema } from "@/lib/operations/reading/locate-table";
import { listVersionsTool } from "@/lib/operations/views/version-tools";
import { type Versions, versionsSchema } from "@/lib/schemas/table";
import { listVersions as readVersions } from "@/lib/store/datasets/tables";
import { operation } from "./operation";

/** GET a table's immutable versions, newest first. */
export const listVersions = operation({
  name: "list_versions",
  summary: "List a table's versions",
  description:
    "Every immutable version of the table, newest first, with number, label, digest, size, the kind of change from " +
    "the previous version, and the publisher's notes. Exactly one is current; after a rollback it is not the newest.",
  access: "open",
  quota: "catalogue",
  http: { method: "GET", path: "/api/v2/public/tables/{table_id}/versions" },
  input: { path: tablePathSchema },
  output: versionsSchema,
  locate: ({ table_id }, ctx) => locateTable(table_id, readerOf(ctx)),
  async run({ located: current }): Promise<Versions> {
    const versions = await readVersions(current.tableId);
    return {
      schema_version: "service-public-table-versions.v1",
      table: { id: current.tableId, name: current.tableName, slug: current.tableSlug },
      versions: versions.map(({ versionId, digest, publishedAt, ...rest }) => ({
        version_id: versionId,
        number: rest.sequence,
        current: versionId === current.versionId,
        label: rest.label,
        other_labels: rest.otherLabels,
        content_digest: `sha256:${digest}`,
        published_at: publishedAt.toISOString(),
        rows: rest.rows,
        bytes: rest.bytes,
        change: rest.change,
        notes: rest.notes,
      })),
    };
  },
  mcp: listVersionsTool,
});
