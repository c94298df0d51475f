import { isPathName } from "@/lib/kernel/path-name";
import type { DatasetEntry } from "@/lib/schemas/dataset";
import { xmlElement } from "./xml";

/** Every page that search engines may index (sitemaps.org); `docs` are the paths of the docs' pages. Pure. */
export function sitemapXml(datasets: readonly DatasetEntry[], base: string, docs: readonly string[] = []): string {
  const pages = ["/", "/datasets", ...docs].map((path) => entry(`${base}${path}`, datasets[0]?.published_at));
  const own = datasets.flatMap(({ url, published_at }) => [
    entry(url, published_at),
    entry(`${url}/versions`, published_at),
  ]);
  const topics = new Set(datasets.flatMap((dataset) => dataset.topics.filter(isPathName)));
  const collections = [
    ...[...topics].map((topic) => `${base}/topics/${encodeURIComponent(topic)}`),
    ...[...new Set(datasets.map(({ publisher }) => publisher.slug))].map((slug) => `${base}/publishers/${slug}`),
  ];
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n` +
    `${[...pages, ...own, ...collections.map((url) => entry(url, undefined))].join("\n")}\n</urlset>\n`
  );
}

const entry = (url: string, changedAt: string | undefined): string =>
  `  <url>${xmlElement("loc", url)}${changedAt ? xmlElement("lastmod", changedAt) : ""}</url>`;

/** What crawlers may read: everything except pages about people. Pure. */
export const robotsTxt = (base: string): string =>
  [
    "User-agent: *",
    "Disallow: /api/account",
    "Disallow: /api/auth",
    "Disallow: /datasets/*/*/rows/",
    "Disallow: /settings",
    "",
    `Sitemap: ${base}/sitemap.xml`,
    "",
  ].join("\n");
