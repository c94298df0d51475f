/** Names of pages below a dataset, which a table's URL must not collide with. */
const TAKEN: ReadonlySet<string> = new Set(["versions"]);

/**
 * The last part of a table's URL: its slug, followed by a hyphen, in which no slug ends, if the dataset has a page of
 * that name.
 */
export const tableSegment = (slug: string): string => (TAKEN.has(slug) ? `${slug}-` : slug);

/** The Atom feed of the whole catalogue. */
export const CATALOGUE_FEED_PATH = "/datasets.atom";

/** Every public URL of the service, in one place. `base` has no trailing slash. */
export const datasetPage = (base: string, slug: string) => `${base}/datasets/${slug}`;
export const datasetVersions = (base: string, slug: string) => `${base}/datasets/${slug}/versions`;
export const versionPage = (base: string, slug: string, versionId: string) =>
  `${datasetVersions(base, slug)}/${versionId}`;
/** One row of an immutable version, by its position from 1. */
export const rowPage = (
  base: string,
  { datasetSlug, tableSlug, versionId }: { datasetSlug: string; tableSlug: string; versionId: string },
  position: number,
) => `${datasetPage(base, datasetSlug)}/${tableSegment(tableSlug)}/rows/${position}?version=${versionId}`;
/** Two versions of one table compared. */
export const comparisonPage = (base: string, slug: string, named: { table: string; from: string; to: string }) =>
  `${datasetVersions(base, slug)}?${new URLSearchParams(named)}#comparison`;
export const datasetMetadata = (base: string, slug: string) => `${base}/api/v2/public/datasets/${slug}`;
export const datasetMarkdown = (base: string, slug: string) => `${base}/datasets/${slug}/llms.txt`;
export const datasetCroissant = (base: string, slug: string) => `${base}/api/v2/public/datasets/${slug}/croissant.json`;
export const datasetArchive = (base: string, slug: string) => `${base}/api/v2/public/datasets/${slug}/archive.zip`;
export const publisherPage = (base: string, slug: string) => `${base}/datasets?publisher=${slug}`;
export const tableRoute = (
  base: string,
  tableId: string,
  route: "schema" | "preview" | "query" | "changes" | "current" | "versions" | "lineage" | "readings",
) => `${base}/api/v2/public/tables/${tableId}/${route}`;
/** One row of a version as JSON. */
export const tableRow = (base: string, tableId: string, position: number, versionId: string) =>
  `${base}/api/v2/public/tables/${tableId}/rows/${position}?version_id=${versionId}`;
/** How a version was built, with the recipe's document. */
export const versionRecipe = (base: string, tableId: string, versionId: string) =>
  `${tableRoute(base, tableId, "lineage")}?version_id=${versionId}&recipe=true`;
/** The file of one immutable version: its bytes never change. */
export const versionFile = ({ current_url, version_id }: { current_url: string; version_id: string }) =>
  `${current_url}?version_id=${version_id}`;
export const anonymousQuery = (base: string, tableId: string) => `${base}/api/public/tables/${tableId}/query`;
/** The short link of a saved view. */
export const savedView = (base: string, id: string) => `${base}/v/${id}`;
/** What a signed-in person's own browser reads, for a workspace. */
export const browserArchive = (base: string, workspaceId: string, slug: string) =>
  `${base}/api/account/workspaces/${workspaceId}/datasets/${slug}/archive.zip`;
export const browserTable = (
  base: string,
  workspaceId: string,
  tableId: string,
  route:
    | "query"
    | "changes"
    | "profile"
    | "schema"
    | "current"
    | "current.csv"
    | `rows.${string}`
    | `versions/difference.${"csv" | "parquet"}`,
) => `${base}/api/account/workspaces/${workspaceId}/tables/${tableId}/${route}`;
/** What a member's own browser queries of what a run made. */
export const browserRun = (base: string, workspaceId: string, runId: string, table: string) =>
  `${base}/api/account/workspaces/${workspaceId}/runs/${runId}/tables/${encodeURIComponent(table)}/query`;
