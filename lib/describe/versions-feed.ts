import type { Dataset } from "@/lib/schemas/dataset";
import type { Versions } from "@/lib/schemas/table";
import { xmlElement } from "./xml";

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
    .flatMap(({ table, versions }) => versions.map((version) => ({ table, version })))
    .sort((a, b) => (a.version.published_at < b.version.published_at ? 1 : -1))
    .map(({ table, version }) => versionEntry(dataset, table, version));
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

function versionEntry(dataset: Dataset, table: Versions["table"], version: Versions["versions"][number]): string {
  const said = `${CHANGES[version.change]}. ${version.rows} rows, ${version.bytes} bytes, ${version.content_digest}.`;
  return [
    "  <entry>",
    `    ${xmlElement("id", `urn:uuid:${version.version_id}`)}`,
    `    ${xmlElement("title", `${table.name}: ${CHANGES[version.change].toLowerCase()}`)}`,
    `    ${xmlElement("updated", version.published_at)}`,
    `    <link rel="alternate" type="text/html" href="${dataset.versions_url}#${version.version_id}"/>`,
    `    ${xmlElement("summary", said)}`,
    "  </entry>",
  ].join("\n");
}
