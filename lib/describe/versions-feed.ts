import { formatBytes, formatCount, formatPlural } from "@/lib/kernel/format";
import type { Dataset } from "@/lib/schemas/dataset";
import { FRESHNESS_REASONS } from "@/lib/schemas/freshness";
import type { NewsEvent } from "@/lib/schemas/news";
import type { Versions } from "@/lib/schemas/table";
import { knownState } from "./freshness-text";
import { comparisonPage, versionPage } from "./links";
import { newsPage } from "./news-payload";
import { newsText } from "./news-text";
import { xmlElement, xmlText } from "./xml";

const CHANGES: Readonly<Record<Versions["versions"][number]["change"], string>> = {
  first: "First version",
  appended: "Rows were added",
  restated: "Rows were changed or removed",
  columns_added: "Columns were added",
  breaking: "Columns were changed or removed",
  metadata: "Column descriptions were changed",
};

/** What a feed contains in addition to versions: tables that went stale, or recovered. */
interface FeedNews {
  id: string;
  event: NewsEvent;
}

interface FeedContents {
  histories: readonly Versions[];
  news?: readonly FeedNews[];
  /** A table's slug, to limit the feed to that table. */
  table?: string;
}

/** The Atom feed (RFC 4287) of a dataset's versions, or of one of its tables', newest first. Pure. */
export function versionsFeed(
  dataset: Dataset,
  { histories, news = [], table: only }: FeedContents,
  base: string,
): string {
  const versions = histories
    .filter(({ table }) => only === undefined || table.slug === only)
    .flatMap(({ table, versions: all }) =>
      all.map((version) => ({
        at: version.published_at,
        text: versionEntry(dataset, { table, version, before: beforeIn(all, version) }, base),
      })),
    );
  const verdicts = news
    .filter(({ event }) => event.kind === "went_stale" || event.kind === "recovered")
    .filter(({ event }) => only === undefined || ("tables" in event.data && event.data.tables.some(isTable(only))))
    .map(({ id, event }) => ({ at: event.at, text: newsEntry(id, event, base) }));
  const entries = [...versions, ...verdicts].sort((a, b) => (a.at < b.at ? 1 : -1));
  const link = (rel: string, href: string, type: string) => `  <link rel="${rel}" type="${type}" href="${href}"/>`;
  const of = only === undefined ? dataset.title : `${only}, ${dataset.title}`;
  const path = only === undefined ? dataset.slug : `${dataset.slug}/${only}`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `  ${xmlElement("id", only === undefined ? dataset.versions_url : `${dataset.versions_url}?table=${only}`)}`,
    `  ${xmlElement("title", `Versions of ${of}`)}`,
    `  ${xmlElement("updated", entries[0]?.at ?? dataset.published_at)}`,
    ...subtitleOf(dataset, only),
    `  <author>${xmlElement("name", dataset.publisher.name)}</author>`,
    link("self", `${base}/datasets/${path}/versions.atom`, "application/atom+xml"),
    link("alternate", dataset.versions_url, "text/html"),
    ...entries.map(({ text }) => text),
    "</feed>",
    "",
  ].join("\n");
}

/** Whether the table, or the dataset, is current; only if that is known. */
function subtitleOf(dataset: Dataset, table: string | undefined): string[] {
  const judged = dataset.tables.find(({ slug }) => slug === table)?.freshness ?? dataset.freshness;
  const state = knownState(judged);
  if (state === undefined) return [];
  return [`  ${xmlElement("subtitle", `Freshness: ${state}. ${FRESHNESS_REASONS[judged.reason_code].meaning}`)}`];
}

const isTable =
  (slug: string) =>
  (table: { slug: string }): boolean =>
    table.slug === slug;

function newsEntry(id: string, event: NewsEvent, base: string): string {
  const { subject, sentences } = newsText(event);
  return [
    "  <entry>",
    `    ${xmlElement("id", `urn:uuid:${id}`)}`,
    `    ${xmlElement("title", subject)}`,
    `    ${xmlElement("updated", event.at)}`,
    `    <link rel="alternate" type="text/html" href="${xmlText(newsPage(event, base))}"/>`,
    `    ${xmlElement("summary", sentences.join(" "))}`,
    "  </entry>",
  ].join("\n");
}

type Entry = Versions["versions"][number];

/** The version that this one followed; undefined for the first. */
const beforeIn = (versions: readonly Entry[], { number }: Entry): Entry | undefined =>
  versions.filter((other) => other.number < number).sort((a, b) => b.number - a.number)[0];

interface FeedVersion {
  table: Versions["table"];
  version: Entry;
  before: Entry | undefined;
}

function versionEntry(dataset: Dataset, { table, version, before }: FeedVersion, base: string): string {
  const { slug } = dataset;
  const counted = rowsText(version.rows, before?.rows);
  const said = `${CHANGES[version.change]}: ${counted}. ${formatBytes(version.bytes)}, ${version.content_digest}.`;
  const name = version.label === null ? "" : ` ${version.label}`;
  const page = versionPage(base, slug, version.version_id);
  const compared =
    before && comparisonPage(base, slug, { table: table.slug, from: before.version_id, to: version.version_id });
  return [
    "  <entry>",
    `    ${xmlElement("id", `urn:uuid:${version.version_id}`)}`,
    `    ${xmlElement("title", `${table.name}${name}: ${CHANGES[version.change].toLowerCase()}, ${counted}`)}`,
    `    ${xmlElement("updated", version.published_at)}`,
    `    <link rel="alternate" type="text/html" href="${xmlText(page)}"/>`,
    ...(compared ? [`    <link rel="related" type="text/html" title="Comparison" href="${xmlText(compared)}"/>`] : []),
    `    ${xmlElement("summary", said)}`,
    ...(version.notes === null ? [] : [`    ${xmlElement("content", version.notes)}`]),
    "  </entry>",
  ].join("\n");
}

/** `2,446 rows (12 more)` */
function rowsText(rows: number, before: number | undefined): string {
  const difference = rows - (before ?? rows);
  const than = difference === 0 ? "" : ` (${formatCount(Math.abs(difference))} ${difference > 0 ? "more" : "fewer"})`;
  return `${formatPlural(rows, "row")}${than}`;
}
