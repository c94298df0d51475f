import { z } from "zod";
import { readerOf } from "@/lib/access/actor";
import { versionNameSchema } from "@/lib/engine/grammar/version-choice";
import { locateChosen, locateTable, tablePathSchema } from "@/lib/operations/reading/locate-table";
import { readLineages } from "@/lib/operations/reading/read-lineage";
import { type Lineage, lineageSchema } from "@/lib/schemas/lineage";
import { operation } from "./operation";

/** GET how a version of a table was built. */
export const getLineage = operation({
  name: "get_lineage",
  summary: "Get how a version was built",
  description:
    "The sources of a version with the SHA-256 of the bytes that were read, the recipe and its digests, the checks " +
    "and their results, and where each column comes from. `built` is null for files that a publisher prepared.",
  access: "open",
  quota: "catalogue",
  http: { method: "GET", path: "/api/v2/public/tables/{table_id}/lineage" },
  input: {
    path: tablePathSchema,
    query: z.strictObject({
      version_id: versionNameSchema.optional().describe("UUID, label or number; the current version if absent."),
      recipe: z.stringbool().or(z.boolean()).default(false).describe("Whether to return the recipe's document."),
    }),
  },
  output: lineageSchema,
  errors: ["invalid_value", "version_withdrawn"],
  async locate({ table_id }, ctx) {
    return locateTable(table_id, readerOf(ctx));
  },
  async run({ located, query }, ctx): Promise<Lineage> {
    const version = await locateChosen(located, query, "?", ctx.now());
    const { versionId } = version;
    const lineages = await readLineages([versionId], { base: ctx.baseUrl, withRecipe: query.recipe });
    return {
      schema_version: "service-public-table-lineage.v1",
      table: {
        id: version.tableId,
        version_id: versionId,
        content_digest: `sha256:${version.digest}`,
        published_at: version.publishedAt.toISOString(),
      },
      built: lineages.get(versionId) ?? null,
    };
  },
});
