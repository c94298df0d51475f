import { stringifyExactJson } from "@/lib/formats/exact-json";
import { CSV_FORMAT } from "@/lib/formats/page-formats";
import type { Dataset } from "@/lib/schemas/dataset";
import type { TableSchema } from "@/lib/schemas/table";
import type { Citation } from "./citation";
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
/** One line per file, as sha256sum writes and checks them. */
export const DIGESTS_FILE = "SHA256SUMS";

/** Full licence texts by SPDX identifier. */
export type LicenseTexts = Readonly<Record<string, { readonly licenseText: string }>>;

/** The generated files of an archive, by path: everything except the tables and the files with their digests. */
export function archiveTexts(
  dataset: Dataset,
  schemas: readonly { slug: string; schema: TableSchema }[],
  citation: Citation,
  { licenseTexts, form }: { licenseTexts: LicenseTexts; form: ArchiveForm },
): Record<string, string> {
  return {
    "README.md": `${datasetMarkdown(dataset)}\n${filesText(dataset, form)}`,
    "LICENSE.txt": licenseText(dataset, licenseTexts),
    "CITATION.cff": citation.cff,
    "CITATION.bib": `${citation.bibtex}\n`,
    "CITATION.json": citation.csl_json,
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
    "- `LICENSE.txt`; `CITATION.cff`, `CITATION.bib` and, in CSL-JSON, `CITATION.json`",
    `- \`${DIGESTS_FILE}\`: the SHA-256 of every other file; check them with \`sha256sum -c ${DIGESTS_FILE}\``,
    "",
  ].join("\n");
}

/** What each part is licensed under, then the full text of each licence that has one. */
function licenseText(dataset: Dataset, texts: LicenseTexts): string {
  const { title, license, publisher, url, tables } = dataset;
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
      .map((name) => `${"-".repeat(72)}\n${name}\n\n${withHolders(texts[name]?.licenseText ?? "", dataset)}\n`),
  ].join("\n");
}

/** Beginnings of licences in which the copyright line is to be filled in: `Copyright (c) <year> <copyright holders>`. */
const HEAD_LINES = 5;

/** A licence's text without the template's placeholders: who holds the copyright is for the publisher to state. */
function withHolders(text: string, { publisher, url }: Dataset): string {
  const holders = `Copyright (c) the holders that the publisher, ${publisher.name}, names: ${url}`;
  const fill = (line: string, at: number) =>
    at < HEAD_LINES && /^\s*copyright /i.test(line) && line.includes("<") ? holders : line;
  return text.trim().split("\n").map(fill).join("\n");
}
