import { z } from "zod";
import { workspaceOf } from "@/lib/access/actor";
import type { Context } from "@/lib/access/context";
import { citeAs, citedDataset } from "@/lib/describe/citation";
import { datasetCroissant, datasetVersions } from "@/lib/describe/links";
import { presentColumns } from "@/lib/describe/present-columns";
import { presentDataset, presentTable } from "@/lib/describe/present-dataset";
import { fail } from "@/lib/kernel/errors";
import type { StoredColumn } from "@/lib/schemas/column";
import { type Dataset, datasetSchema, slugSchema } from "@/lib/schemas/dataset";
import { type DatasetRecord, findDataset } from "@/lib/store/catalogue";
import { profilesJson } from "@/lib/store/tables";
import { operation } from "./operation";

export const slugPathSchema = z.strictObject({ slug: z.string().describe("The dataset's slug.") });

/**
 * The published dataset with this slug that the caller's workspace (undefined: the anonymous) may read; refuses all
 * others alike with not_found.
 */
export async function locateDataset(slug: string, workspaceId: string | undefined): Promise<DatasetRecord> {
  const record = slugSchema.safeParse(slug).success ? await findDataset(slug, workspaceId) : undefined;
  if (!record) throw fail("not_found");
  return record;
}

/** GET one dataset with its description, citation, sources, tables and columns. */
export const getDataset = operation({
  name: "get_dataset",
  summary: "Get a dataset",
  description:
    "The public metadata of one dataset: description, licence, citation, sources, and each table with its columns " +
    "and their profiles.",
  access: "open",
  quota: "catalogue",
  http: { method: "GET", path: "/api/v2/public/datasets/{slug}" },
  input: { path: slugPathSchema },
  output: datasetSchema,
  locate: ({ slug }, ctx) => locateDataset(slug, workspaceOf(ctx)),
  run: ({ located: record }, ctx) => presentWholeDataset(record, ctx),
});

/** A dataset with its tables and their columns, as the document says it. */
export async function presentWholeDataset(record: DatasetRecord, ctx: Context): Promise<Dataset> {
  const base = ctx.baseUrl;
  const { text, bibtex } = citeAs(citedDataset(record, base));
  const tables = await Promise.all(record.tables.map((table) => presentWholeTable(table, record.license, base)));
  return {
    schema_version: "service-public-dataset.v1",
    ...presentDataset(record, base),
    description: record.description,
    citation: { text, bibtex },
    sources: record.sources as Dataset["sources"],
    temporal_coverage: record.temporalCoverage,
    created_at: record.createdAt.toISOString(),
    versions_url: datasetVersions(base, record.slug),
    croissant_url: datasetCroissant(base, record.slug),
    tables: tables.flat(),
  };
}

async function presentWholeTable(
  table: DatasetRecord["tables"][number],
  license: string,
  base: string,
): Promise<Dataset["tables"]> {
  const version = table.currentVersion;
  if (!version) return [];
  const columns = presentColumns(version.columns as StoredColumn[], await profilesJson(version.id));
  return presentTable(table, license, base).map((entry) => ({ ...entry, description: table.description, columns }));
}
