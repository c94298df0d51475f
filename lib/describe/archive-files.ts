import { stringifyExactJson } from "@/lib/formats/exact-json";
import { CSV_FORMAT } from "@/lib/formats/page-formats";
import type { Dataset } from "@/lib/schemas/dataset";
import type { TableSchema } from "@/lib/schemas/table";
import { dataPackage, parquetResource, type ResourceFile } from "./data-package";
import { datasetMarkdown } from "./dataset-markdown";
import { licenseUrl } from "./license-url";
import { inlineMarkdown } from "./quoted-markdown";
import type { SealedFacts } from "./sealed-facts";

/** The format of an archive's tables. */
export const ARCHIVE_FORMS = ["parquet", "csv"] as const;
export type ArchiveForm = (typeof ARCHIVE_FORMS)[number];

/** Path of a table's file in its dataset's archive. */
export const tablePath = (table: string, form: ArchiveForm): string => `data/${table}.${form}`;

export const PACKAGE_FILE = "datapackage.json";

/** Full licence texts by SPDX identifier. */
export type LicenseTexts = Readonly<Record<string, { readonly licenseText: string }>>;

/** The generated files of an archive, by path: everything except the tables and the files with their digests. */
export function archiveTexts(
  dataset: Dataset,
  schemas: readonly { slug: string; schema: TableSchema }[],
  factsOf: (tableId: string) => SealedFacts,
  { licenseTexts, form }: { licenseTexts: LicenseTexts; form: ArchiveForm },
): Record<string, string> {
  return {
    "README.md": `${datasetMarkdown(dataset)}\n${filesText(dataset, form)}`,
    "LICENSE.txt": licenseText(dataset, licenseTexts),
    "CITATION.cff": citationFile(dataset, factsOf),
    "CITATION.bib": `${dataset.citation.bibtex}\n`,
    ...Object.fromEntries(schemas.map(({ slug, schema }) => [`schema/${slug}.json`, pretty(schema)])),
  };
}

/** The facts of a written CSV file. */
export interface CsvFacts {
  bytes: number;
  /** Hex SHA-256. */
  digest: string;
}

/** The Data Package of an archive of Parquet files. */
export const parquetPackage = (dataset: Dataset, factsOf: (tableId: string) => SealedFacts): string =>
  pretty(
    dataPackage(
      dataset,
      factsOf,
      parquetResource(factsOf, ({ slug }) => tablePath(slug, "parquet")),
    ),
  );

/** The same for CSV files, once they are written: each also names the Parquet file that it was made from. */
export function csvPackage(
  dataset: Dataset,
  factsOf: (tableId: string) => SealedFacts,
  writtenOf: (table: string) => CsvFacts,
): string {
  const fileOf = ({ slug, tableId }: Dataset["tables"][number]): ResourceFile & { sourceHash: string } => {
    const { bytes, digest } = writtenOf(slug);
    const file = { path: tablePath(slug, "csv"), format: "csv", mediatype: CSV_FORMAT.media, encoding: "utf-8" };
    return { ...file, bytes, hash: `sha256:${digest}`, sourceHash: `sha256:${factsOf(tableId).digest}` };
  };
  return pretty(dataPackage(dataset, factsOf, fileOf));
}

const pretty = (value: unknown): string => `${stringifyExactJson(value, 2)}\n`;

function filesText({ tables }: Dataset, form: ArchiveForm): string {
  const lines = tables.map(
    ({ slug, name }) =>
      `- \`${tablePath(slug, form)}\`: ${inlineMarkdown(name)}, with its columns and their profiles in ` +
      `\`schema/${slug}.json\``,
  );
  return [
    "## Files in this archive",
    "",
    ...lines,
    `- \`${PACKAGE_FILE}\`: all of them with SHA-256 and types, as a Frictionless Data Package` +
      (form === "csv" ? "; `sourceHash` is that of the Parquet file whose rows they are" : ""),
    "- `LICENSE.txt`, `CITATION.cff`, `CITATION.bib`",
    "",
  ].join("\n");
}

/** What each part is licensed under, then the full text of each licence that has one. */
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
