import { oneLine } from "@/lib/kernel/format";
import type { DatasetRecord } from "@/lib/store/catalogue";
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
  url: string;
  versions: readonly { table: string; label: string | null; versionId: string; digest: string }[];
}

/** A citation in each form. */
export interface Citation {
  text: string;
  bibtex: string;
  ris: string;
}

type CitedVersion = Pick<Cited["versions"][number], "label" | "versionId" | "digest"> & {
  tableName: string;
  publishedAt: Date;
};

/** The current versions of a dataset, for citing. */
export const citedDataset = (record: DatasetRecord, base: string): Cited => ({
  ...citedHead(record, record.publishedAt ?? record.createdAt),
  url: datasetPage(base, record.slug),
  versions: record.tables.flatMap(({ name, currentVersion }) =>
    currentVersion
      ? [{ table: name, label: currentVersion.label, versionId: currentVersion.id, digest: currentVersion.digest }]
      : [],
  ),
});

/** One version of one table, for citing: its page remains when newer versions are published. */
export function citedVersion(record: DatasetRecord, version: CitedVersion, base: string): Cited {
  const head = citedHead(record, version.publishedAt);
  return {
    ...head,
    key: `${head.key}-${version.versionId.slice(0, 8)}`,
    url: versionPage(base, record.slug, version.versionId),
    versions: [{ ...version, table: version.tableName }],
  };
}

const citedHead = ({ slug, title, summary, topics, publisher }: DatasetRecord, publishedAt: Date) => ({
  key: `${slug}-${publishedAt.getUTCFullYear()}`,
  title,
  summary,
  topics,
  publisher: publisher.name,
  publishedAt,
});

/** Publisher, year, title, the immutable versions with their digests, URL. */
export function citeAs(cited: Cited): Citation {
  return { text: citationText(cited), bibtex: bibtexEntry(cited), ris: risRecord(cited) };
}

const yearOf = ({ publishedAt }: Cited): string => String(publishedAt.getUTCFullYear());
const dayOf = ({ publishedAt }: Cited): string => publishedAt.toISOString().slice(0, 10);
const versionsOf = ({ versions }: Cited): string => versions.map(versionText).join("; ");

/** `Types, version 1.54.0 (0f4b…), sha256:…`; the label is the source's, the id ours. */
const versionText = ({ table, label, versionId, digest }: Cited["versions"][number]): string =>
  `${oneLine(table)}, version ${label === null ? versionId : `${label} (${versionId})`}, sha256:${digest}`;

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
    ...cited.versions.map((version): [string, string] => ["N1", versionText(version)]),
    ["ER", ""],
  ];
  return fields.map(([tag, value]) => `${tag}  - ${oneLine(value)}\r\n`).join("");
}
