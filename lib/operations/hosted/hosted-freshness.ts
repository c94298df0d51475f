import { z } from "zod";
import { presentFreshness } from "@/lib/describe/present-freshness";
import { freshnessOf } from "@/lib/operations/freshness/verdicts";
import { operation } from "@/lib/operations/operation";
import { freshnessReportSchema } from "@/lib/schemas/freshness-report";
import { isStored } from "@/lib/storage/read-blob";
import type { HostedRelease } from "@/lib/store/datasets/activations";
import { hostedPathSchema, locateHosted, releaseTag } from "./locate-hosted";

const hostedFreshnessSchema = z
  .strictObject({
    schema_version: z.literal("service-cloud-table-freshness.v1"),
    request_id: z.string().describe("The same as in X-Request-Id."),
    dataset_id: z.uuid(),
    table_id: z.uuid().describe("The hosted id, as in the path."),
    current: z.strictObject({
      available: z.boolean().describe("Whether a passing release exists to download."),
      etag: z
        .string()
        .nullable()
        .describe("The ETag of the download; null with available true: the release exists but cannot be read now."),
    }),
    freshness: freshnessReportSchema,
  })
  .meta({ id: "HostedTableFreshness" });

/** GET whether the latest passing release of an activated table is still current. */
export const hostedFreshness = operation({
  name: "hosted_freshness",
  summary: "Read a hosted table's freshness",
  description:
    "Whether the table's latest passing release is still current, with the evidence: when each source was last read " +
    "and last changed, and when the next update is expected. A 200 whether or not a release exists. Never cached.",
  access: "hosted",
  quota: "own",
  http: { method: "GET", path: "/api/v2/tables/{table_id}/freshness" },
  input: { path: hostedPathSchema },
  output: hostedFreshnessSchema,
  replyHeaders: { "Cache-Control": "no-store" },
  locate: ({ table_id }, ctx) => locateHosted("hosted-freshness", table_id, ctx),
  async run({ located: { table } }, ctx): Promise<z.output<typeof hostedFreshnessSchema>> {
    const { datasetId, tableId, tableSlug, hostedId, release } = table;
    const freshness = (await freshnessOf([datasetId], ctx.now(), "all"))(datasetId);
    const { verdict, release: judged } = freshness.ofTable(tableId, tableSlug);
    return {
      schema_version: "service-cloud-table-freshness.v1",
      request_id: ctx.requestId,
      dataset_id: datasetId,
      table_id: hostedId,
      current: { available: release !== null, etag: release && (await tagOf(release)) },
      freshness: presentFreshness(verdict, judged?.continuity),
    };
  },
  reply: (document) => ({
    status: 200,
    headers: { "content-type": "application/json", "cache-control": "no-store" },
    body: { kind: "bytes", bytes: Buffer.from(JSON.stringify(document)) },
  }),
});

/** Null if the download could not serve it either. */
async function tagOf(release: HostedRelease): Promise<string | null> {
  return release.isConsistent && (await isStored(release)) ? releaseTag(release) : null;
}
