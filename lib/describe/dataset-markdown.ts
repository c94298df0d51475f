import { env } from "@/lib/kernel/env";
import { oneLine } from "@/lib/kernel/format";
import type { Column } from "@/lib/schemas/column";
import type { Dataset, DatasetEntry } from "@/lib/schemas/dataset";
import { freshnessText, knownState } from "./freshness-text";
import type { Batches, CatalogueFacts } from "./listed-dataset";
import { inlineMarkdown, quotedMarkdown } from "./quoted-markdown";

const count = new Intl.NumberFormat("en-US");

/**
 * One dataset as Markdown: what it is, its tables with their columns, and how to read them; the API's `addresses` are
 * omitted for readers who cannot call it. Pure.
 */
export function datasetMarkdown(dataset: Dataset, { addresses = true } = {}): string {
  return [
    `# ${inlineMarkdown(dataset.title)}`,
    `> ${inlineMarkdown(dataset.summary)}`,
    [
      `- Publisher: ${link(dataset.publisher.name, dataset.publisher.url)}`,
      `- Licence: ${inlineMarkdown(dataset.license)}`,
      `- Topics: ${inlineMarkdown(dataset.topics.join(", ")) || "none"}`,
      `- Published: ${dataset.published_at}`,
      ...(dataset.temporal_coverage ? [`- Covers: ${dataset.temporal_coverage}`] : []),
      `- Page: ${dataset.url}`,
      ...(addresses ? [`- Metadata: ${dataset.metadata_url}`] : []),
    ].join("\n"),
    "## Description",
    dataset.description.trim() === "" ? "None given." : quotedMarkdown(dataset.description),
    ...dataset.tables.flatMap((table) => tableSections(table, addresses)),
    "## Sources",
    dataset.sources.map(sourceLine).join("\n") || "None named.",
    "## Cite",
    `> ${inlineMarkdown(dataset.citation.text)}`,
    "",
  ].join("\n\n");
}

const sourceLine = ({ name, url, license }: Dataset["sources"][number]): string =>
  `- ${link(name, url)}${license === null ? "" : `, licence ${inlineMarkdown(license)}`}`;

function tableSections(table: Dataset["tables"][number], addresses: boolean): string[] {
  return [
    `## Table: ${inlineMarkdown(table.name)}`,
    ...(table.description ? [quotedMarkdown(table.description)] : []),
    [
      `- Table id: ${table.tableId}`,
      `- Version: ${labelOf(table)}number ${table.version_number}, ` + `version_id ${table.version_id}`,
      ...freshnessLine(table),
      `- Size: ${count.format(table.rows)} rows, ${count.format(table.bytes)} bytes of Parquet`,
      ...(addresses ? addressLines(table) : []),
    ].join("\n"),
    ["| column | type | unit | meaning |", "| --- | --- | --- | --- |", ...table.columns.map(columnRow)].join("\n"),
  ];
}

const labelOf = ({ version_label }: Dataset["tables"][number]): string =>
  version_label === null ? "" : `${inlineMarkdown(version_label)}, `;

/** Only if it is known. */
function freshnessLine({ freshness }: Dataset["tables"][number]): string[] {
  const state = knownState(freshness);
  return state === undefined ? [] : [`- Freshness: ${state}. ${inlineMarkdown(freshnessText(freshness).join(" "))}`];
}

const addressLines = ({ schema_url, preview_url, query_url, current_url }: Dataset["tables"][number]): string[] => [
  `- Schema: ${schema_url}`,
  `- Preview: ${preview_url}`,
  `- Query without a key (POST, public datasets, ${count.format(env().ROWS_ANONYMOUS)} rows per page): ` +
    `${openQuery(query_url)}`,
  `- Query with a key (POST, header x-api-key, ${count.format(env().ROWS_KEY)} rows per page): ${query_url}`,
  `- Download (Parquet, header x-api-key): ${current_url}`,
];

/** The same table's query route for requests without a key. */
const openQuery = (url: string): string => url.replace("/api/v2/public/", "/api/public/");

/** The name is left as it must be sent, as far as a table allows. */
const columnRow = ({ name, type, unit, description }: Column) =>
  `| ${[oneLine(name).replace(/[\\|]/g, "\\$&"), cell(type), cell(unit ?? ""), cell(description ?? "")].join(" | ")} |`;

/** Every public dataset and table, one section per dataset. Pure. */
export async function* catalogueMarkdown(batches: Batches, { base }: CatalogueFacts): AsyncGenerator<string> {
  const head = [
    "# Parquetry",
    "> Open datasets as immutable Parquet versions: search, preview, query and download. Every response names the " +
      "version and digest it was read from.",
    [
      `- [OpenAPI](${base}/api/v2/public/openapi.json): every route, with request and response schemas`,
      `- [Docs](${base}/docs.md): quick start; [query grammar](${base}/docs/query.md), ` +
        `[errors](${base}/docs/errors.md), [limits](${base}/docs/limits.md)`,
      `- [Catalogue](${base}/api/v2/public/datasets): search with ?q=`,
      `- Query without a key: POST ${base}/api/public/tables/{table_id}/query with {"columns": […], "filters": ` +
        `[…], "limit": ${env().ROWS_ANONYMOUS}}, at most ${count.format(env().ROWS_ANONYMOUS)} rows per page`,
    ].join("\n"),
  ];
  yield `${head.join("\n\n")}\n\n`;
  for await (const datasets of batches)
    yield datasets
      .flatMap(entrySections)
      .map((section) => `${section}\n\n`)
      .join("");
}

function entrySections(entry: DatasetEntry): string[] {
  const tables = entry.tables.map(
    (table) =>
      `- Table ${inlineMarkdown(table.name)}: ${table.tableId}, ${count.format(table.rows)} rows, licence ` +
      `${inlineMarkdown(table.license)}. ` +
      `[schema](${table.schema_url}), [preview](${table.preview_url}), [query](${openQuery(table.query_url)}), ` +
      `[query with a key](${table.query_url}), [current](${table.current_url})`,
  );
  return [
    `## ${inlineMarkdown(entry.title)}`,
    `> ${inlineMarkdown(entry.summary)}`,
    [
      `- [Page](${entry.url}), [Markdown](${entry.markdown_url}), [metadata](${entry.metadata_url})`,
      `- Publisher: ${inlineMarkdown(entry.publisher.name)}; licence: ${inlineMarkdown(entry.license)}; topics: ` +
        `${inlineMarkdown(entry.topics.join(", ")) || "none"}; published: ${entry.published_at}` +
        (knownState(entry.freshness) === undefined ? "" : `; freshness: ${entry.freshness.state}`),
      ...tables,
    ].join("\n"),
  ];
}

const cell = (text: string) => inlineMarkdown(text).replace(/\|/g, "\\|");
const link = (name: string, url: string | null) =>
  url ? `[${inlineMarkdown(name)}](${url.replaceAll("(", "%28").replaceAll(")", "%29")})` : inlineMarkdown(name);
