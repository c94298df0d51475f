import { formatPlural } from "@/lib/kernel/format";
import type { DatasetEntry } from "@/lib/schemas/dataset";
import { CATALOGUE_FEED_PATH } from "./links";
import type { Batches, CatalogueFacts } from "./listed-dataset";
import { xmlElement, xmlText } from "./xml";

const ENTRIES_MAX = 50;

/**
 * The Atom feed (RFC 4287) of the catalogue: the most recently published datasets, newest first, as they are passed in.
 * Pure.
 */
export async function* catalogueFeed(batches: Batches, { base }: CatalogueFacts): AsyncGenerator<string> {
  const datasets: DatasetEntry[] = [];
  for await (const batch of batches) {
    datasets.push(...batch);
    if (datasets.length >= ENTRIES_MAX) break;
  }
  const newest = datasets.sort((a, b) => b.published_at.localeCompare(a.published_at)).slice(0, ENTRIES_MAX);
  yield [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `  ${xmlElement("id", `${base}/datasets`)}`,
    `  ${xmlElement("title", "Latest releases")}`,
    `  ${xmlElement("updated", newest[0]?.published_at ?? "1970-01-01T00:00:00.000Z")}`,
    `  <author>${xmlElement("name", "Parquetry")}</author>`,
    `  <link rel="self" type="application/atom+xml" href="${xmlText(`${base}${CATALOGUE_FEED_PATH}`)}"/>`,
    `  <link rel="alternate" type="text/html" href="${xmlText(`${base}/datasets`)}"/>`,
    ...newest.map(entryOf),
    "</feed>",
    "",
  ].join("\n");
}

/** A dataset as of its last publication: a later publication is a new entry. */
function entryOf({ title, summary, url, publisher, topics, published_at, tables }: DatasetEntry): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const labels = [...new Set(tables.flatMap(({ version_label }) => version_label ?? []))];
  const [label] = labels.length === 1 ? labels : [];
  const size = `${formatPlural(rows, "row")} in ${formatPlural(tables.length, "table")}.`;
  return [
    "  <entry>",
    `    ${xmlElement("id", `${url}#${published_at}`)}`,
    `    ${xmlElement("title", label === undefined ? title : `${title}: ${label}`)}`,
    `    ${xmlElement("updated", published_at)}`,
    `    <author>${xmlElement("name", publisher.name)}</author>`,
    ...topics.map((topic) => `    <category term="${xmlText(topic)}"/>`),
    `    <link rel="alternate" type="text/html" href="${xmlText(url)}"/>`,
    `    <link rel="related" type="text/html" title="Versions" href="${xmlText(`${url}/versions`)}"/>`,
    `    ${xmlElement("summary", `${summary} ${size}`)}`,
    "  </entry>",
  ].join("\n");
}
