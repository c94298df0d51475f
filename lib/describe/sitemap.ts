import { isPathName } from "@/lib/kernel/path-name";
import { datasetPage, datasetVersions } from "./links";
import { xmlElement } from "./xml";

/** What the sitemap says about a dataset. */
interface MappedDataset {
  id: string;
  slug: string;
  publishedMs: number;
  topics: readonly string[];
  publisherSlug: string;
}

export interface SitemapFacts {
  base: string;
  /** Paths of the docs' pages. */
  docs: readonly string[];
}

/** The maximum number of URLs in a sitemap (sitemaps.org); larger catalogues have an index of several sitemaps. */
const ADDRESSES_MAX = 50_000;
/** Each dataset has two URLs, and datasets are distributed by their ids, so some sitemaps have more than others. */
const DATASETS_A_PART = 20_000;
const BATCH = 1_000;

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

/** Every page that search engines may index, or the sitemaps that list them. Pure. */
export function* sitemapXml(datasets: readonly MappedDataset[], facts: SitemapFacts): Generator<string> {
  const shared = sharedPages(datasets, facts);
  if (shared.length + datasets.length * 2 <= ADDRESSES_MAX) yield* urlSet(shared, datasets, facts.base);
  else yield indexOf(datasets, facts.base);
}

/**
 * A part of the sitemap of a large catalogue: 0 has the pages that do not belong to a dataset, each of the others some
 * of the datasets. Pure.
 */
export function sitemapPart(part: number, datasets: readonly MappedDataset[], facts: SitemapFacts): Iterable<string> {
  const parts = sitemapParts(datasets);
  if (part === 0) return urlSet(sharedPages(datasets, facts).slice(0, ADDRESSES_MAX), [], facts.base);
  return urlSet([], membersOf(part, parts, datasets), facts.base);
}

/** The number of the last part. */
export const sitemapParts = (datasets: readonly MappedDataset[]): number =>
  Math.ceil(datasets.length / DATASETS_A_PART);

/** By their ids, so that a new dataset changes one part. */
const membersOf = (part: number, parts: number, datasets: readonly MappedDataset[]): MappedDataset[] =>
  datasets.filter(({ id }) => Number.parseInt(id.slice(0, 8), 16) % parts === part - 1);

function indexOf(datasets: readonly MappedDataset[], base: string): string {
  const parts = sitemapParts(datasets);
  const sitemaps = Array.from({ length: parts + 1 }, (_, part) => {
    const changedAt = newestOf(part === 0 ? datasets : membersOf(part, parts, datasets));
    return `  <sitemap>${xmlElement("loc", `${base}/sitemaps/${part}.xml`)}${lastmod(changedAt)}</sitemap>`;
  });
  return `${HEAD}<sitemapindex ${NAMESPACE}>\n${sitemaps.join("\n")}\n</sitemapindex>\n`;
}

function* urlSet(shared: readonly string[], datasets: readonly MappedDataset[], base: string): Generator<string> {
  yield [`${HEAD}<urlset ${NAMESPACE}>`, ...shared, ""].join("\n");
  for (let first = 0; first < datasets.length; first += BATCH)
    yield datasets
      .slice(first, first + BATCH)
      .flatMap(({ slug, publishedMs }) => [
        entry(datasetPage(base, slug), publishedMs),
        entry(datasetVersions(base, slug), publishedMs),
      ])
      .join("");
  yield "</urlset>\n";
}

/** Entries of the pages that do not belong to a dataset. */
function sharedPages(datasets: readonly MappedDataset[], { base, docs }: SitemapFacts): string[] {
  const newest = newestOf(datasets);
  const topics = new Set(datasets.flatMap(({ topics }) => topics.filter(isPathName)));
  return [
    ...["/", "/datasets", ...docs].map((path) => entry(`${base}${path}`, newest)),
    ...[...topics].map((topic) => entry(`${base}/topics/${encodeURIComponent(topic)}`)),
    ...[...new Set(datasets.map(({ publisherSlug }) => publisherSlug))].map((slug) =>
      entry(`${base}/publishers/${slug}`),
    ),
  ].map((line) => line.trimEnd());
}

const newestOf = (datasets: readonly MappedDataset[]): number | undefined =>
  datasets.reduce<number | undefined>((most, { publishedMs }) => Math.max(most ?? 0, publishedMs), undefined);

const entry = (url: string, changedMs?: number): string =>
  `  <url>${xmlElement("loc", url)}${lastmod(changedMs)}</url>\n`;

const lastmod = (changedMs: number | undefined): string =>
  changedMs === undefined ? "" : xmlElement("lastmod", new Date(changedMs).toISOString());

/**
 * What crawlers may read: everything except pages about people, and pages whose mutual links are endless, such as facet
 * selections; everything that these lead to is in the sitemap. Pure.
 */
export const robotsTxt = (base: string): string =>
  [
    "User-agent: *",
    "Disallow: /api/account",
    "Disallow: /api/auth",
    "Allow: /datasets?cursor=",
    "Disallow: /datasets?",
    "Disallow: /datasets/*/*/rows/",
    "Disallow: /datasets/*/versions?",
    "Disallow: /docs/search",
    "Disallow: /settings",
    "",
    `Sitemap: ${base}/sitemap.xml`,
    "",
  ].join("\n");
