import { z } from "zod";
import { readRecipe, slugOf } from "@/lib/builds/document/read-recipe";
import { datasetPage } from "@/lib/describe/links";
import { continuityOf, presentFreshness } from "@/lib/describe/present-freshness";
import { fail } from "@/lib/kernel/errors";
import { isTooLarge } from "@/lib/limits/download-size";
import { receiptOfTable } from "@/lib/operations/datasets/activation-receipts";
import { BUILD, datasetPathSchema, locateBuilt } from "@/lib/operations/datasets/build-path";
import { freshnessOf } from "@/lib/operations/freshness/verdicts";
import { operation } from "@/lib/operations/operation";
import { activationReceiptSchema } from "@/lib/schemas/activation";
import { freshnessReportSchema } from "@/lib/schemas/freshness-report";
import type { SealedLineage } from "@/lib/schemas/lineage";
import { CHANGES } from "@/lib/schemas/table";
import type { BuiltDataset } from "@/lib/store/datasets/built-datasets";
import { findRevisionById } from "@/lib/store/recipes/revisions";
import { type DetailedRelease, detailedReleases } from "@/lib/store/releases/releases";

const releaseSchema = z.object({
  version_id: z.uuid(),
  run_id: z.uuid(),
  sealed_at: z.iso.datetime(),
  rows: z.number(),
  bytes: z.number(),
  content_digest: z.string(),
  change: z.enum(CHANGES),
  continuity: freshnessReportSchema.shape.continuity,
  data_through: z.string().nullable().describe("The greatest day of time_column."),
  warnings: z.int().describe("Checks of severity warn that failed."),
  hosted_too_large: z.boolean().describe("Whether the hosted table API returns 413 for it."),
  current: z.boolean(),
  withdrawn: z.boolean(),
});

const outputSchema = z.object({
  table: z.object({ id: z.uuid(), slug: z.string(), title: z.string(), description: z.string() }),
  columns: z
    .array(
      z.object({
        name: z.string(),
        type: z.string(),
        nullable: z.boolean(),
        unit: z.string().nullable(),
        description: z.string().nullable(),
      }),
    )
    .describe("Of the current release; if none is, of the newest."),
  primary_key: z.array(z.string()),
  time_column: z.string().nullable(),
  order_by: z.array(z.string()),
  current: releaseSchema.nullable(),
  releases: z.array(releaseSchema).describe("Newest first."),
  hosted: activationReceiptSchema.nullable().describe("Where the hosted table API serves it, if it is active."),
  freshness: freshnessReportSchema,
  lineage: z.object({
    columns: z.record(z.string(), z.object({ sources: z.array(z.string()), kind: z.string() })),
  }),
  urls: z.object({ dataset: z.url(), studio: z.url() }),
  next: z.string(),
});

/** GET a table that a recipe builds, before and after it is made current. */
export const getTable = operation({
  name: "get_table",
  summary: "Get a built table",
  description:
    "A table that the workspace builds: columns, keys, what is current, its sealed releases with rows, changes and " +
    "warnings, and which sources each column comes from. Only members see sealed releases until they are promoted.",
  access: "build_read",
  quota: "account",
  http: { method: "GET", path: `${BUILD}/datasets/{dataset}/tables/{table}` },
  input: {
    path: datasetPathSchema.extend({ table: z.string().max(100).describe("The table's slug.") }),
    query: z.strictObject({
      versions: z.coerce.number().int().min(1).max(20).default(5).describe("Number of releases."),
    }),
  },
  output: outputSchema,
  async locate(path, ctx) {
    const dataset = await locateBuilt(path, ctx);
    const table = dataset.tables.find(({ slug }) => slug === path.table);
    if (!table) throw fail("not_found", { message: unknownTable(dataset, path.table) });
    return { dataset, table };
  },
  async run({ located: { dataset, table }, query }, ctx) {
    const releases = await detailedReleases(table.id, query.versions);
    const current = releases.find(({ isCurrent }) => isCurrent);
    const shown = current ?? releases[0];
    const freshness = (await freshnessOf([dataset.id], ctx.now(), "all"))(dataset.id).ofTable(table.id, table.slug);
    const { id, slug, name: title, description } = table;
    return {
      table: { id, slug, title, description },
      columns: (shown?.columns ?? []).map(({ name, type, nullable, unit, description: meaning }) => ({
        ...{ name, type, nullable, unit: unit ?? null, description: meaning ?? null },
      })),
      primary_key: shown?.primaryKey ?? [],
      time_column: (await timeColumnOf(shown, slug)) ?? null,
      order_by: shown?.orderBy ?? [],
      current: current ? presentRelease(current) : null,
      releases: releases.filter(({ rank }) => rank <= query.versions).map(presentRelease),
      hosted: receiptOfTable(table),
      freshness: presentFreshness(freshness.verdict, freshness.release?.continuity),
      lineage: { columns: lineageOf(shown) },
      urls: { dataset: datasetPage(ctx.baseUrl, dataset.slug), studio: `${ctx.baseUrl}/studio/${dataset.slug}` },
      next: nextOf(dataset, slug, { current, newest: releases[0] }),
    };
  },
  mcp: {},
});

function unknownTable({ tables, slug }: BuiltDataset, requested: string): string {
  const known = tables.map((table) => table.slug).join(", ");
  return known === ""
    ? `Dataset ${slug} has no table yet: a full run seals the first ones.`
    : `Unknown table: ${requested}. The dataset has: ${known}.`;
}

const presentRelease = (release: DetailedRelease): z.output<typeof releaseSchema> => ({
  version_id: release.versionId,
  run_id: release.runId,
  sealed_at: release.sealedAt.toISOString(),
  rows: release.rows,
  bytes: release.bytes,
  content_digest: `sha256:${release.digest}`,
  change: release.change,
  continuity: continuityOf(release.continuity),
  data_through: release.dataThrough,
  warnings: release.warnings,
  hosted_too_large: isTooLarge(release.bytes),
  current: release.isCurrent,
  withdrawn: release.withdrawnAt !== null,
});

/** As stated in the release's recipe. */
async function timeColumnOf(release: DetailedRelease | undefined, slug: string): Promise<string | undefined> {
  const revision = release && (await findRevisionById(release.revisionId));
  const table = revision && readRecipe(revision.document).recipe.tables.find((each) => slugOf(each) === slug);
  return table?.time_column;
}

function lineageOf(release: DetailedRelease | undefined) {
  const { columns = {} } = (JSON.parse(release?.lineage ?? "{}") ?? {}) as Partial<SealedLineage>;
  return Object.fromEntries(
    Object.entries(columns).map(([name, { from, kind }]) => [
      name,
      { sources: from.map(({ source, column }) => `${source}.${column}`), kind },
    ]),
  );
}

function nextOf(
  { slug: dataset }: BuiltDataset,
  table: string,
  { current, newest }: Record<"current" | "newest", DetailedRelease | undefined>,
): string {
  if (!newest) return `start_run {"dataset":"${dataset}"} plans a run that seals it.`;
  if (newest.isCurrent || current?.rank === 1) return `query_table {"table_id":"${dataset}/${table}"} reads it.`;
  const args = `{"dataset":"${dataset}","version_id":"${newest.versionId}"}`;
  return `promote_table ${args} makes the newest release current.`;
}
