import { z } from "zod";
import { readerOf } from "@/lib/access/actor";
import { datasetPage, tableRoute, versionPage } from "@/lib/describe/links";
import { presentColumns } from "@/lib/describe/present-columns";
import { versionNameSchema } from "@/lib/engine/grammar/version-choice";
import { locateDatasetVersion } from "@/lib/operations/reading/locate-dataset-version";
import { type Version, versionSchema } from "@/lib/schemas/table";
import type { DatasetRecord } from "@/lib/store/catalogue/catalogue";
import { type PublishedVersion, profilesJson } from "@/lib/store/datasets/tables";
import { locateDataset, slugPathSchema } from "./get-dataset";
import { operation } from "./operation";

export const versionPathSchema = slugPathSchema.extend({
  version_id: versionNameSchema.describe("The version's UUID, label or number."),
});

/** GET one immutable version of a dataset's table, the current one or an older one. */
export const getVersion = operation({
  name: "get_version",
  summary: "Get a version",
  description:
    "One immutable version of one of the dataset's tables: digest, size, sort order, position in the history, and " +
    "columns with their profiles.",
  access: "open",
  quota: "catalogue",
  http: { method: "GET", path: "/api/v2/public/datasets/{slug}/versions/{version_id}" },
  input: {
    path: versionPathSchema,
    query: z.strictObject({}),
  },
  output: versionSchema,
  errors: ["invalid_value", "version_withdrawn"],
  async locate({ slug, version_id }, ctx) {
    const record = await locateDataset(slug, readerOf(ctx));
    return { record, version: await locateDatasetVersion(record, version_id, "?version_id") };
  },
  async run({ located: { record, version } }, ctx): Promise<Version> {
    return {
      schema_version: "service-public-version.v1",
      url: versionPage(ctx.baseUrl, record.slug, version.versionId),
      dataset: { slug: record.slug, title: record.title, url: datasetPage(ctx.baseUrl, record.slug) },
      table: presentTable(record, version),
      version: presentPublished(version),
      current_version_id: version.currentVersionId ?? version.versionId,
      previous_version_id: version.previousVersionId,
      download_url: `${tableRoute(ctx.baseUrl, version.tableId, "current")}?version_id=${version.versionId}`,
      columns: presentColumns(version.columns, await profilesJson(version.versionId)),
    };
  },
});

const presentTable = (record: DatasetRecord, version: PublishedVersion): Version["table"] => ({
  id: version.tableId,
  name: version.tableName,
  slug: version.tableSlug,
  description: version.tableDescription,
  license: version.license ?? record.license,
});

const presentPublished = (version: PublishedVersion): Version["version"] => ({
  version_id: version.versionId,
  content_digest: `sha256:${version.digest}`,
  label: version.label,
  other_labels: version.otherLabels,
  published_at: version.publishedAt.toISOString(),
  rows: version.rows,
  bytes: version.bytes,
  change: version.change,
  sequence: version.sequence,
  order_by: version.orderBy,
  primary_key: version.primaryKey,
  is_current: version.versionId === version.currentVersionId,
  notes: version.notes,
});
