import { formatBytes, formatCount, formatPlural } from "@/lib/kernel/format";
import type { Dataset } from "@/lib/schemas/dataset";
import type { Versions } from "@/lib/schemas/table";
import { comparisonPage, versionPage } from "./links";
import { xmlElement, xmlText } from "./xml";

const CHANGES: Readonly<Record<Versions["versions"][number]["change"], string>> = {
  first: "First version",
  appended: "Rows were added",
  restated: "Rows were changed or removed",
  columns_added: "Columns were added",
  breaking: "Columns were changed or removed",
  metadata: "Column descriptions were changed",
};

/** The Atom feed (RFC 4287) of a dataset's versions, newest first. Pure. */
export function versionsFeed(dataset: Dataset, histories: readonly Versions[], base: string): string {
  const entries = histories
    .flatMap(({ table, versions }) =>
      versions.map((version) => ({ table, version, before: beforeIn(versions, version) })),
    )
    .sort((a, b) => (a.version.published_at < b.version.published_at ? 1 : -1))
    .map((entry) => versionEntry(dataset, entry, base));
  const link = (rel: string, href: string, type: string) => `  <link rel="${rel}" type="${type}" href="${href}"/>`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `  ${xmlElement("id", dataset.versions_url)}`,
    `  ${xmlElement("title", `Versions of ${dataset.title}`)}`,
    `  ${xmlElement("updated", dataset.published_at)}`,
    `  <author>${xmlElement("name", dataset.publisher.name)}</author>`,
    link("self", `${base}/datasets/${dataset.slug}/versions.atom`, "application/atom+xml"),
    link("alternate", dataset.versions_url, "text/html"),
    ...entries,
    "</feed>",
    "",
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
