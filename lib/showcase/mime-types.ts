import { writeNdjson } from "./ndjson-file";
import { packageJson } from "./package-file";
import type { Showcase, ShowcaseVersion } from "./showcase";

/** Minor version and its release date in the package's HISTORY.md. */
const RELEASES = [
  [45, "2020-09-22"],
  [46, "2021-02-13"],
  [47, "2021-04-01"],
  [48, "2021-05-30"],
  [49, "2021-07-26"],
  [50, "2021-09-15"],
  [51, "2021-11-08"],
  [52, "2022-02-21"],
  [53, "2024-07-12"],
  [54, "2025-03-17"],
] as const;

interface MimeEntry {
  source?: string;
  charset?: string;
  compressible?: boolean;
  extensions?: string[];
}

function toRow([mimeType, entry]: [string, MimeEntry]): object {
  const slash = mimeType.indexOf("/");
  return {
    mime_type: mimeType,
    top_level_type: mimeType.slice(0, slash),
    subtype: mimeType.slice(slash + 1),
    source: entry.source ?? null,
    charset: entry.charset ?? null,
    compressible: entry.compressible ?? null,
    extensions: entry.extensions ?? null,
  };
}

const folderOf = (label: string): string => `mime-db-${label.split(".").slice(0, 2).join("-")}`;

const toVersion = ([minor, day]: (typeof RELEASES)[number]): ShowcaseVersion => ({
  label: `1.${minor}.0`,
  publishedAt: new Date(`${day}T00:00:00Z`),
  prepare: async (workDir) => {
    const entries = await packageJson<Record<string, MimeEntry>>(folderOf(`1.${minor}.0`), "db.json");
    return writeNdjson(workDir, `mime-types-1.${minor}.0`, Object.entries(entries).map(toRow));
  },
});

const DESCRIPTION = `Every media type that IANA has registered, plus those known to the Apache and nginx web servers: \
file extensions, default character set, and whether compression pays off.

## How it is collected

The mime-db project merges three lists, [IANA's media type registry]\
(https://www.iana.org/assignments/media-types/media-types.xhtml), \
[Apache's \`mime.types\`](https://svn.apache.org/repos/asf/httpd/httpd/trunk/docs/conf/mime.types) and \
[nginx's \`mime.types\`](https://hg.nginx.org/nginx/raw-file/default/conf/mime.types), with entries of its own, and \
releases them as one file. Each of its ten releases from 1.45.0 (September 2020) to 1.54.0 (March 2025) is a version \
of this table. A recipe built it from the package, as if it had been read on the day given by the project's own \
history. Between the first and the last the list grew from 2,204 types to 2,522.

## What to know before using it

- \`compressible\` has three values: true, false, and null if unknown. Null is by far the most common (1,700 of \
2,522). Do not read it as false.
- \`source\` is null for the 98 types that the project added itself.
- \`extensions\` is null, not empty, if none are known. An extension can belong to several types.
- \`charset\` is set for only 41 types; most say UTF-8. "7-BIT" and "XML-BASED" are IANA's words, not names of \
character sets.
- Types are in lower case, as the project writes them; registrations may use a different case.

## What it is good for

Mapping file names to media types and back, deciding what a server compresses, and observing how a registry grows: \
compare two versions to find what was registered in between.`;

/** IANA, Apache and nginx media types; ten releases of mime-db. */
export const mimeTypes: Showcase = {
  dataset: {
    slug: "mime-types",
    title: "MIME types",
    summary:
      "All registered media types with their file extensions, default character set and compressibility, in " +
      "ten successive releases from 2020 to 2025.",
    description: DESCRIPTION,
    publisher: { name: "mime-db (jshttp)", url: "https://github.com/jshttp/mime-db" },
    license: "MIT",
    topics: ["web", "reference", "file formats", "standards"],
    sources: [
      { name: "mime-db 1.45.0 to 1.54.0", url: "https://www.npmjs.com/package/mime-db" },
      { name: "IANA media types", url: "https://www.iana.org/assignments/media-types/media-types.xhtml" },
      {
        name: "Apache HTTP Server mime.types",
        url: "https://svn.apache.org/repos/asf/httpd/httpd/trunk/docs/conf/mime.types",
      },
      { name: "nginx mime.types", url: "https://hg.nginx.org/nginx/raw-file/default/conf/mime.types" },
    ],
    temporalCoverage: null,
  },
  tables: [
    {
      slug: "types",
      name: "Media types",
      description: "One row per media type, in alphabetical order.",
      columns: [
        {
          name: "mime_type",
          type: "string",
          description: "The complete type in lower case, such as application/json; unique.",
        },
        {
          name: "top_level_type",
          type: "string",
          description: "The part before the slash: one of 12, such as application, image or text.",
        },
        { name: "subtype", type: "string", description: "The part after the slash." },
        {
          name: "source",
          type: "string",
          description: "Where the type is defined: iana, apache or nginx; null for the project's own additions.",
        },
        { name: "charset", type: "string", description: "Default character set; null if none is known." },
        {
          name: "compressible",
          type: "boolean",
          description: "Whether such files shrink with gzip; null if unknown.",
        },
        {
          name: "extensions",
          type: "list<string>",
          description: "File name extensions without the dot, in the project's order; null if none are known.",
        },
      ],
      orderBy: ["mime_type"],
      primaryKey: ["mime_type"],
      versions: RELEASES.map(toVersion),
    },
  ],
  recipe: {
    source: {
      ...{ name: "mime_db", title: "mime-db", package: "mime-db", path: "db.json" },
      reader: {
        format: "json",
        options: { records: "", shape: "map", key_column: "mime_type", missing_records: "error" },
      },
    },
    folderOf,
    steps: [
      {
        ...{ step: "extract", column: "mime_type", pattern: "^([^/]+)/(.+)$" },
        ...{ into: { top_level_type: 1, subtype: 2 }, required: true },
      },
    ],
    checks: [
      { check: "row_count", min: 2_000 },
      { check: "accepted_values", column: "source", values: ["iana", "apache", "nginx"] },
      { check: "row_count_change", fall: "2%", rise: "25%", severity: "warn" },
    ],
    refresh: { every: "P1W", anchor: "2026-01-05T06:00", time_zone: "UTC" },
  },
};
