import { stringifyExactJson } from "@/lib/formats/exact-json";
import type { Dataset } from "@/lib/schemas/dataset";
import type { TableSchema } from "@/lib/schemas/table";
import { dataPackage } from "./data-package";
import { datasetMarkdown } from "./dataset-markdown";
import { licenseUrl } from "./license-url";
import type { SealedFacts } from "./sealed-facts";

/** Where a table's Parquet file stands in its dataset's archive. */
export const tablePath = (table: string): string => `data/${table}.parquet`;

/** The files of an archive that are written for it, by path: all but the Parquet. */
export function archiveTexts(
  dataset: Dataset,
  schemas: readonly { slug: string; schema: TableSchema }[],
  factsOf: (tableId: string) => SealedFacts,
): Record<string, string> {
  return {
    "README.md": `${datasetMarkdown(dataset)}\n${filesText(dataset)}`,
    "LICENSE.txt": licenseText(dataset),
    "CITATION.cff": citationFile(dataset, factsOf),
    "CITATION.bib": `${dataset.citation.bibtex}\n`,
    "datapackage.json": pretty(dataPackage(dataset, factsOf, ({ slug }) => tablePath(slug))),
    ...Object.fromEntries(schemas.map(({ slug, schema }) => [`schema/${slug}.json`, pretty(schema)])),
  };
}

const pretty = (value: unknown): string => `${stringifyExactJson(value, 2)}\n`;

function filesText({ tables }: Dataset): string {
  const lines = tables.map(
    ({ slug, name }) =>
      `- \`${tablePath(slug)}\`: ${name}, with its columns and their profiles in \`schema/${slug}.json\``,
  );
  return [
    "## Files of this archive",
    "",
    ...lines,
    "- `datapackage.json`: all of them with SHA-256 and types, as a Frictionless Data Package",
    "- `LICENSE.txt`, `CITATION.cff`, `CITATION.bib`",
    "",
  ].join("\n");
}

function licenseText({ title, license, publisher, url, tables }: Dataset): string {
  const link = (name: string) => (licenseUrl(name) ? `\nText: ${licenseUrl(name)}` : "");
  const others = tables
    .filter((table) => table.license !== license)
    .map((table) => `\nTable ${table.name}: ${table.license}${link(table.license)}`);
  return [
    `${title}, published by ${publisher.name}.\n\nLicence: ${license}${link(license)}`,
    ...others,
    `\n\nThe publisher states the licence; see ${url}\n`,
  ].join("\n");
}

/** Citation File Format 1.2.0: each text a JSON string, which YAML reads as it is. */
function citationFile(dataset: Dataset, factsOf: (tableId: string) => SealedFacts): string {
  const text = (value: string) => JSON.stringify(value);
  const identifiers = dataset.tables.flatMap((table) => [
    "  - type: other",
    `    value: ${text(`sha256:${factsOf(table.tableId).digest}`)}`,
    `    description: ${text(`${table.name}, version ${table.version_id}`)}`,
  ]);
  return [
    "cff-version: 1.2.0",
    "message: If you use this dataset, please cite it as below.",
    "type: dataset",
    `title: ${text(dataset.title)}`,
    "authors:",
    `  - name: ${text(dataset.publisher.name)}`,
    `date-released: ${dataset.published_at.slice(0, 10)}`,
    `url: ${text(dataset.url)}`,
    ...(licenseUrl(dataset.license) ? [`license: ${dataset.license}`] : []),
    `abstract: ${text(dataset.summary || dataset.title)}`,
    "identifiers:",
    ...identifiers,
    "",
  ].join("\n");
}
