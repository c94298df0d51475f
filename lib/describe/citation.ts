import { oneLine } from "@/lib/kernel/format";
import type { DatasetRecord } from "@/lib/store/catalogue/catalogue";
import { licenseUrl } from "./license-url";
import { datasetPage, versionPage } from "./links";

/** What a citation names: the immutable versions of one publication, and the page where they are found. */
export interface Cited {
  /** Of letters, digits and hyphens; identifies the entry in a bibliography. */
  key: string;
  title: string;
  publisher: string;
  summary: string;
  topics: readonly string[];
  publishedAt: Date;
  license: string;
  /** The page of the version; of the dataset if there are several. */
  url: string;
  versions: readonly { table: string; label: string | null; versionId: string; digest: string; url: string }[];
}

/** A citation in each form. */
export interface Citation {
  text: string;
  bibtex: string;
  ris: string;
  csl_json: string;
  cff: string;
}

type CitedVersion = Pick<Cited["versions"][number], "label" | "versionId" | "digest"> & {
  tableName: string;
  publishedAt: Date;
};

/** The current versions of a dataset, for citing. */
export function citedDataset(record: DatasetRecord, base: string): Cited {
  const versions = record.tables.flatMap(({ name, currentVersion: version }) =>
    version ? [citedAs(record, { ...version, versionId: version.id, tableName: name }, base)] : [],
  );
  const [only] = versions.length === 1 ? versions : [];
  return {
    ...citedHead(record, record.publishedAt ?? record.createdAt),
    url: only?.url ?? datasetPage(base, record.slug),
    versions,
  };
}

/** One version of one table, for citing. */
export function citedVersion(record: DatasetRecord, version: CitedVersion, base: string): Cited {
  const head = citedHead(record, version.publishedAt);
  const cited = citedAs(record, version, base);
  return { ...head, key: `${head.key}-${version.versionId.slice(0, 8)}`, url: cited.url, versions: [cited] };
}

/** A version's page remains when newer versions are published. */
const citedAs = ({ slug }: DatasetRecord, version: Omit<CitedVersion, "publishedAt">, base: string) => ({
  table: version.tableName,
  label: version.label,
  versionId: version.versionId,
  digest: version.digest,
  url: versionPage(base, slug, version.versionId),
});

const citedHead = ({ slug, title, summary, topics, publisher, license }: DatasetRecord, publishedAt: Date) => ({
  key: `${slug}-${publishedAt.getUTCFullYear()}`,
  title,
  summary,
  topics,
  publisher: publisher.name,
  license,
  publishedAt,
});

/** Publisher, year, title, the immutable versions with their digests, URL. */
export function citeAs(cited: Cited): Citation {
  return {
    text: citationText(cited),
    bibtex: bibtexEntry(cited),
    ris: risRecord(cited),
    csl_json: cslItem(cited),
    cff: citationFile(cited),
  };
}

const yearOf = ({ publishedAt }: Cited): string => String(publishedAt.getUTCFullYear());
const dayOf = ({ publishedAt }: Cited): string => publishedAt.toISOString().slice(0, 10);
const versionsOf = (cited: Cited): string => cited.versions.map(versionText(cited)).join("; ");

/** `Types, version 1.54.0 (0f4b…), sha256:…`; the label is the source's, the id ours. Several have a page each. */
const versionText =
  ({ versions: { length } }: Cited) =>
  ({ table, label, versionId, digest, url }: Cited["versions"][number]): string => {
    const name = label === null ? versionId : `${label} (${versionId})`;
    return `${oneLine(table)}, version ${name}, sha256:${digest}${length > 1 ? `, ${url}` : ""}`;
  };

const citationText = (cited: Cited): string =>
  `${oneLine(cited.publisher)} (${yearOf(cited)}). ${oneLine(cited.title)} [data set]. ${versionsOf(cited)}. ` +
  "Version of " +
  `${dayOf(cited)}, Parquetry. ${cited.url}`;

function bibtexEntry(cited: Cited): string {
  const fields = {
    title: `{${escapeTex(cited.title)}}`,
    author: `{${escapeTex(cited.publisher)}}`,
    year: yearOf(cited),
    howpublished: "Parquetry",
    url: cited.url,
    note: escapeTex(versionsOf(cited)),
  };
  const lines = Object.entries(fields).map(([name, value]) => `  ${name} = {${value}}`);
  return `@misc{${cited.key},\n${lines.join(",\n")}\n}`;
}

/** BibTeX counts braces before TeX reads them, even those after a backslash, so they are written as commands. */
const TEX_COMMANDS: Readonly<Record<string, string>> = {
  "\\": "\\textbackslash{}",
  "{": "\\textbraceleft{}",
  "}": "\\textbraceright{}",
  "^": "\\^{}",
  "~": "\\~{}",
};

const escapeTex = (text: string) =>
  oneLine(text).replace(/[\\{}$&#%_^~]/g, (sign) => TEX_COMMANDS[sign] ?? `\\${sign}`);

/** RIS, which reference managers import: one tag per line, lines that end in CR LF, `ER` last. */
function risRecord(cited: Cited): string {
  const fields: [string, string][] = [
    ["TY", "DATA"],
    ["ID", cited.key],
    ["TI", cited.title],
    ["AU", cited.publisher],
    ["PY", yearOf(cited)],
    ["DA", dayOf(cited).replaceAll("-", "/")],
    ["PB", "Parquetry"],
    ["UR", cited.url],
    ["AB", cited.summary],
    ...cited.topics.map((topic): [string, string] => ["KW", topic]),
    ...cited.versions.map((version): [string, string] => ["N1", versionText(cited)(version)]),
    ["ER", ""],
  ];
  return fields.map(([tag, value]) => `${tag}  - ${oneLine(value)}\r\n`).join("");
}

/** CSL-JSON, which citation processors such as Pandoc's and Zotero's read: an array of one item. */
function cslItem(cited: Cited): string {
  const [version] = cited.versions.length === 1 ? cited.versions : [];
  const item = {
    id: cited.key,
    type: "dataset",
    title: oneLine(cited.title),
    author: [{ literal: oneLine(cited.publisher) }],
    issued: { "date-parts": [dayOf(cited).split("-").map(Number)] },
    publisher: "Parquetry",
    ...(version && { version: version.label ?? version.versionId }),
    URL: cited.url,
    abstract: oneLine(cited.summary),
    keyword: cited.topics.join(", "),
    note: versionsOf(cited),
  };
  return `${JSON.stringify([item], null, 2)}\n`;
}

/** Citation File Format 1.2.0: each string is a JSON string, which YAML reads as it is. */
function citationFile(cited: Cited): string {
  const text = (value: string) => JSON.stringify(oneLine(value));
  const identifiers = cited.versions.flatMap(({ table, versionId, digest, url }) => [
    "  - type: other",
    `    value: ${text(`sha256:${digest}`)}`,
    `    description: ${text(`${table}, version ${versionId}: ${url}`)}`,
  ]);
  return [
    "cff-version: 1.2.0",
    "message: If you use this dataset, please cite it as below.",
    "type: dataset",
    `title: ${text(cited.title)}`,
    "authors:",
    `  - name: ${text(cited.publisher)}`,
    `date-released: ${dayOf(cited)}`,
    `url: ${text(cited.url)}`,
    ...(licenseUrl(cited.license) ? [`license: ${cited.license}`] : []),
    `abstract: ${text(cited.summary || cited.title)}`,
    "identifiers:",
    ...identifiers,
    "",
  ].join("\n");
}
