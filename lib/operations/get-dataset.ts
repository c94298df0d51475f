import { z } from "zod";
import { readerOf } from "@/lib/access/actor";
import type { Context } from "@/lib/access/context";
import { citeAs, citedDataset } from "@/lib/describe/citation";
import { datasetCroissant, datasetVersions } from "@/lib/describe/links";
import { presentColumns } from "@/lib/describe/present-columns";
import { presentDataset, presentTable } from "@/lib/describe/present-dataset";
import { presentFreshness } from "@/lib/describe/present-freshness";
import { fail } from "@/lib/kernel/errors";
import { type DatasetFreshness, freshnessOf } from "@/lib/operations/freshness/verdicts";
import { cachedOutput } from "@/lib/operations/reading/cached-outputs";
import { readLineages } from "@/lib/operations/reading/read-lineage";
import type { StoredColumn } from "@/lib/schemas/column";
import { type Dataset, datasetSchema, slugSchema } from "@/lib/schemas/dataset";
import type { BuiltLineage } from "@/lib/schemas/lineage";
import { type DatasetRecord, findDataset, namedSources } from "@/lib/store/catalogue/catalogue";
import type { Reader } from "@/lib/store/datasets/readable";
import { profilesJson } from "@/lib/store/datasets/tables";
import { operation } from "./operation";
import { getDatasetTool, listTablesTool } from "./views/dataset-tools";
import { fetchTool } from "./views/fetch-tool";

export const slugPathSchema = z.strictObject({ slug: z.string().describe("The dataset's slug.") });

/**
 * The published dataset with this slug that the reader (undefined: anonymous) may read; fails with not_found for all
 * others, and with insufficient_scope for a public one outside the scope of the reader's key.
 */
export async function locateDataset(slug: string, reader: Reader | undefined, under?: string): Promise<DatasetRecord> {
  const record = slugSchema.safeParse(slug).success ? await findDataset(slug, reader, under) : undefined;
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
  locate: ({ slug }, ctx) => locateDataset(slug, readerOf(ctx), ctx.generation),
  run: ({ located: record }, ctx): Promise<Dataset> => presentWholeDataset(record, ctx),
  mcp: [fetchTool, getDatasetTool, listTablesTool],
});

/**
 * A dataset with its tables and their columns, as in the document; the same object while neither the context's
 * generation nor a verdict changes.
 */
export async function presentWholeDataset(record: DatasetRecord, ctx: Context): Promise<Dataset> {
  const { baseUrl: base, generation: under } = ctx;
  const freshness = (await freshnessOf([record.id], ctx.now(), "listed", { under }))(record.id);
  if (under === undefined) return await presentAnew(record, freshness, base);
  const reported = freshness.all().map(({ verdict, release }) => [release.tableId, release.continuity, verdict]);
  const name = `dataset ${record.id} ${under} ${JSON.stringify([base, freshness.verdict, reported])}`;
  return cachedOutput(name, async () => {
    const output = await presentAnew(record, freshness, base);
    return { output, size: JSON.stringify(output).length };
  });
}

async function presentAnew(record: DatasetRecord, freshness: DatasetFreshness, base: string): Promise<Dataset> {
  const { text, bibtex } = citeAs(citedDataset(record, base));
  const lineages = await lineagesOf(record, base);
  const tables = await Promise.all(
    record.tables.map((table) => presentWholeTable(table, record.license, { base, freshness })),
  );
  return {
    schema_version: "service-public-dataset.v1",
    ...presentDataset(record, base, freshness.verdict),
    description: record.description,
    citation: { text, bibtex },
    sources: allSources(namedSources(record.sources), [...lineages.values()]),
    temporal_coverage: record.temporalCoverage,
    created_at: record.createdAt.toISOString(),
    versions_url: datasetVersions(base, record.slug),
    croissant_url: datasetCroissant(base, record.slug),
    tables: tables.flat(),
  };
}

/** How the current versions of a dataset were built, by version; those that a publisher prepared are absent. */
export const lineagesOf = ({ tables }: DatasetRecord, base: string): Promise<Map<string, BuiltLineage>> =>
  readLineages(
    tables.flatMap(({ currentVersionId }) => currentVersionId ?? []),
    { base },
  );

/** The sources that a dataset names, and the tables of this service that its tables were built from. */
function allSources(named: Dataset["sources"], lineages: readonly BuiltLineage[]): Dataset["sources"] {
  const tables = lineages.flatMap(({ sources }) => sources.filter(({ kind }) => kind === "table"));
  const built = new Map(tables.map(({ name, title, url, license }) => [url, { name: title ?? name, url, license }]));
  return [...named, ...built.values()];
}

async function presentWholeTable(
  table: DatasetRecord["tables"][number],
  license: string,
  { base, freshness }: { base: string; freshness: DatasetFreshness },
): Promise<Dataset["tables"]> {
  const version = table.currentVersion;
  if (!version) return [];
  const columns = presentColumns(version.columns as StoredColumn[], await profilesJson(version.id));
  const { verdict, release } = freshness.ofTable(table.id);
  const report = presentFreshness(verdict, release?.continuity);
  const { description } = table;
  return presentTable(table, license, base).map((entry) => ({ ...entry, description, freshness: report, columns }));
}
