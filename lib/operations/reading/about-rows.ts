import { readerOf } from "@/lib/access/actor";
import type { Context } from "@/lib/access/context";
import { versionPage } from "@/lib/describe/links";
import type { Fact } from "@/lib/formats/page-rows";
import { type DatasetRecord, findDataset } from "@/lib/store/catalogue/catalogue";
import type { TableVersion } from "@/lib/store/datasets/tables";
import type { ChosenView } from "./view-rows";

/** Where rows of a version are from. */
const aboutVersion = (version: TableVersion, { baseUrl }: Pick<Context, "baseUrl">): Fact[] => [
  { key: "dataset", name: "Dataset", value: version.datasetSlug },
  { key: "table", name: "Table", value: version.tableName },
  { key: "version", name: "Version", value: version.label ?? `number ${version.sequence}` },
  { key: "version_id", name: "Version ID", value: version.versionId },
  { key: "sha256", name: "SHA-256", value: version.digest },
  { key: "published", name: "Published", value: version.publishedAt.toISOString() },
  { key: "page", name: "Page", value: versionPage(baseUrl, version.datasetSlug, version.versionId) },
];

/** The same, and where columns that are looked up are from. */
export const aboutVersions = (
  version: TableVersion,
  lookups: readonly TableVersion[],
  ctx: Pick<Context, "baseUrl">,
): Fact[] => [
  ...aboutVersion(version, ctx),
  ...lookups.flatMap((other, at) =>
    aboutVersion(other, ctx).map(({ key, name, value }) => ({
      key: `lookup_${at + 1}_${key}`,
      name: `${name} of lookup ${at + 1}`,
      value,
    })),
  ),
];

/** A cell of a workbook holds little more. */
const QUERY_MAX = 32_000;

/** What was asked, and how many rows are there. */
export const aboutQuery = (query: string, rows: number): Fact[] => [
  {
    key: "query",
    name: "Query",
    value: query.length > QUERY_MAX ? `${query.slice(0, QUERY_MAX)}… (the rest is left out)` : query,
  },
  { key: "rows", name: "Rows", value: String(rows) },
];

/** What a file of all rows of a view says about itself. It contains no time: equal views give equal files. */
export async function aboutRows({ version, lookups, text }: ChosenView, rows: number, ctx: Context): Promise<Fact[]> {
  const dataset = await findDataset(version.datasetSlug, readerOf(ctx));
  const texts: Fact[] = dataset
    ? [
        { key: "title", name: "Title", value: dataset.title },
        { key: "publisher", name: "Publisher", value: dataset.publisher.name },
        { key: "license", name: "Licence", value: licenseOf(dataset, version) },
      ]
    : [];
  return [...texts, ...aboutVersions(version, lookups, ctx), ...aboutQuery(text, rows)];
}

/** A table may have its own. */
const licenseOf = ({ tables, license }: DatasetRecord, { tableId }: TableVersion): string =>
  tables.find(({ id }) => id === tableId)?.license ?? license;
