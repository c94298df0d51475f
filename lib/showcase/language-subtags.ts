import { languageSubtagColumns } from "./language-subtags-columns";
import { writeNdjson } from "./ndjson-file";
import { packageJson } from "./package-file";
import type { Showcase, ShowcaseVersion } from "./showcase";

/** Package version and the File-Date of that edition of IANA's registry. */
const RELEASES = [
  ["0.3.9", "2015-04-03"],
  ["0.3.14", "2016-06-10"],
  ["0.3.17", "2016-10-12"],
  ["0.3.18", "2017-03-03"],
  ["0.3.19", "2019-04-30"],
  ["0.3.20", "2019-09-16"],
  ["0.3.21", "2020-09-29"],
  ["0.3.22", "2022-06-28"],
  ["0.3.23", "2024-05-16"],
  ["0.4.2", "2025-08-25"],
] as const;

interface Subtag {
  Type: string;
  Subtag?: string;
  Tag?: string;
  Description: string[];
  Added: string;
  Deprecated?: string;
  "Preferred-Value"?: string;
  Prefix?: string[];
  "Suppress-Script"?: string;
  Macrolanguage?: string;
  Scope?: string;
  Comments?: string[];
}

const toRow = (entry: Subtag): object => ({
  type: entry.Type,
  subtag: entry.Subtag ?? null,
  tag: entry.Tag ?? null,
  name: entry.Description[0] ?? null,
  descriptions: entry.Description,
  added: entry.Added,
  deprecated: entry.Deprecated ?? null,
  preferred_value: entry["Preferred-Value"] ?? null,
  prefixes: entry.Prefix ?? null,
  suppress_script: entry["Suppress-Script"] ?? null,
  macrolanguage: entry.Macrolanguage ?? null,
  scope: entry.Scope ?? null,
  comments: entry.Comments ?? null,
});

const folderOf = (label: string): string => `language-subtag-registry-${label.replaceAll(".", "-")}`;

const toVersion = ([label, day]: (typeof RELEASES)[number]): ShowcaseVersion => ({
  label,
  publishedAt: new Date(`${day}T00:00:00Z`),
  prepare: async (workDir) => {
    const entries = await packageJson<Subtag[]>(folderOf(label), "data/json/registry.json");
    return writeNdjson(workDir, `language-subtags-${label}`, entries.map(toRow));
  },
});

const DESCRIPTION = `The vocabulary of language tags such as \`zh-Hant-TW\` or \`sr-Latn\`: every language, extended \
language, script, region and variant subtag that IANA has registered, with the complete tags that older rules allowed.

## How it is collected

IANA keeps [the Language Subtag Registry]\
(https://www.iana.org/assignments/language-subtag-registry/language-subtag-registry) that BCP 47 (RFC 5646) defines, \
fed by the ISO 639, 15924 and 3166 code lists and by registrations. The language-subtag-registry project turns the \
registry's text into JSON. Ten of its releases are versions of this table, from the registry of 3 April 2015 (8,957 \
entries) to that of 25 August 2025 (9,281). A recipe built each from the package, as if it had been read on the day \
that IANA gives that edition. Nothing is ever removed from the registry: entries are added, corrected or marked as \
deprecated.

## What to know before using it

- A row has either a \`subtag\` (9,188 rows) or, if its type is grandfathered or redundant, a complete \`tag\` (93 \
rows).
- A subtag is unique only within its type, and its case has a meaning only by convention: \`la\` is Latin, \`LA\` Laos.
- Four rows are ranges reserved for private use: \`qaa..qtz\`, \`Qaaa..Qabx\`, \`QM..QZ\`, \`XA..XZ\`.
- 13 entries were deprecated **before** they were added: ISO had withdrawn them before the registry began in 2005, \
such as Hebrew \`iw\` in 1989 and the region \`SU\` in 1992. 298 are deprecated in all, 132 of them without a \
preferred value.
- 251 entries have a preferred value although they are not deprecated. All are extended languages, which may be \
written without their prefix.
- 7,537 entries share the date 2009-07-29, when ISO 639-3 was incorporated.
- Names are in Unicode (Norwegian Bokmål); 514 entries have a non-ASCII character in their names, and 454 have more \
than one name.

## What it is good for

Checking and canonicalising language tags, filling a menu of languages, and following how the world's list of \
languages changes.

## Licence

The project has published its JSON under CC0-1.0 since release 0.3.22; earlier releases were under ODC-By-1.0.`;

/** IANA's language subtag registry; ten editions. */
export const languageSubtags: Showcase = {
  dataset: {
    slug: "language-subtags",
    title: "Language subtags",
    summary:
      "IANA's registry of languages, scripts, regions and variants for language tags (BCP 47), in ten editions " +
      "from 2015 to 2025.",
    description: DESCRIPTION,
    publisher: { name: "IANA", url: "https://www.iana.org" },
    license: "CC0-1.0",
    topics: ["languages", "reference", "standards", "web"],
    sources: [
      {
        name: "IANA Language Subtag Registry",
        url: "https://www.iana.org/assignments/language-subtag-registry/language-subtag-registry",
      },
      {
        name: "language-subtag-registry 0.3.9 to 0.4.2",
        url: "https://www.npmjs.com/package/language-subtag-registry",
      },
    ],
    temporalCoverage: "1995-08-23/2025-08-25",
  },
  tables: [
    {
      slug: "subtags",
      name: "Subtags",
      description: "One row per entry of the registry, ordered by type and subtag.",
      columns: languageSubtagColumns,
      orderBy: ["type", "subtag", "tag"],
      versions: RELEASES.map(toVersion),
    },
  ],
  recipe: {
    source: {
      ...{ name: "registry", title: "language-subtag-registry", package: "language-subtag-registry" },
      path: "data/json/registry.json",
      reader: {
        format: "json",
        options: {
          fields: {
            ...{ type: "/Type", subtag: "/Subtag", tag: "/Tag", name: "/Description/0", descriptions: "/Description" },
            ...{ added: "/Added", deprecated: "/Deprecated", preferred_value: "/Preferred-Value", prefixes: "/Prefix" },
            ...{ suppress_script: "/Suppress-Script", macrolanguage: "/Macrolanguage", scope: "/Scope" },
            comments: "/Comments",
          },
        },
      },
    },
    folderOf,
    steps: [{ step: "parse", columns: ["added", "deprecated"], as: "date" }],
    checks: [
      { check: "row_count", min: 8_957 },
      { check: "not_null", columns: ["type", "name", "added"] },
    ],
    refresh: { every: "P1W", anchor: "2026-01-05T06:00", time_zone: "UTC" },
  },
};
