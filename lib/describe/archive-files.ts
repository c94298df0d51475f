import { stringifyExactJson } from "@/lib/formats/exact-json";
import type { Dataset } from "@/lib/schemas/dataset";
import type { TableSchema } from "@/lib/schemas/table";
import { dataPackage } from "./data-package";
import { datasetMarkdown } from "./dataset-markdown";
import { licenseUrl } from "./license-url";
import type { SealedFacts } from "./sealed-facts";

/** Path of a table's Parquet file in its dataset's archive. */
export const tablePath = (table: string): string => `data/${table}.parquet`;

/** Whole texts by SPDX identifier. */
export type LicenseTexts = Readonly<Record<string, { readonly licenseText: string }>>;

/** The generated files of an archive, by path: all but the Parquet files. */
export function archiveTexts(
  dataset: Dataset,
  schemas: readonly { slug: string; schema: TableSchema }[],
  factsOf: (tableId: string) => SealedFacts,
  licenseTexts: LicenseTexts,
): Record<string, string> {
  return {
    "README.md": `${datasetMarkdown(dataset)}\n${filesText(dataset)}`,
    "LICENSE.txt": licenseText(dataset, licenseTexts),
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

/** What each part is licensed under, then the whole text of each licence that has one. */
function licenseText({ title, license, publisher, url, tables }: Dataset, texts: LicenseTexts): string {
  const link = (name: string) => (licenseUrl(name) ? `\nText: ${licenseUrl(name)}` : "");
  const others = tables
    .filter((table) => table.license !== license)
    .map((table) => `\nTable ${table.name}: ${table.license}${link(table.license)}`);
  return [
    `${title}, published by ${publisher.name}.\n\nLicence: ${license}${link(license)}`,
    ...others,
    `\n\nThe publisher states the licence; see ${url}\n`,
    ...[...new Set([license, ...tables.map((table) => table.license)])]
      .filter((name) => Object.hasOwn(texts, name))
      .map((name) => `${"-".repeat(72)}\n${name}\n\n${texts[name]?.licenseText.trim()}\n`),
  ].join("\n");
}

/** Citation File Format 1.2.0: each string is a JSON string, which YAML reads as it is. */
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
