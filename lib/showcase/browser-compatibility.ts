import { featureColumnNotes, releaseColumnNotes, supportColumnNotes } from "./browser-compatibility-columns";
import { type CompatData, compatDataOf, featureRows, releaseRows, supportRows } from "./browser-compatibility-rows";
import { writeNdjson } from "./ndjson-file";
import type { Showcase, ShowcaseVersion } from "./showcase";

/** Two of the weekly releases, ten weeks apart, with their npm publication dates. */
const RELEASES = [
  ["8.0.14", "2026-09-03T14:39:50Z"],
  ["8.1.9", "2026-11-12T14:13:18Z"],
] as const;

function versionsOf(table: string, rowsOf: (data: CompatData) => Iterable<object>): ShowcaseVersion[] {
  return RELEASES.map(([label, publishedAt]) => ({
    label,
    publishedAt: new Date(publishedAt),
    ...(label === "8.0.14" && table === "releases" ? { absentColumns: ["release_index"] } : {}),
    prepare: async (workDir) =>
      writeNdjson(workDir, `browser-compatibility-${table}-${label}`, rowsOf(await compatDataOf(label))),
  }));
}

const DESCRIPTION = `Which version of which browser supports which feature of the web platform: the data behind the \
compatibility tables of MDN Web Docs and the support hints of many editors and build tools.

## How it is collected

Contributors to MDN's browser-compat-data project keep one JSON document of features, a tree by category (Web APIs, \
CSS, HTML, HTTP, JavaScript, SVG, WebAssembly, WebExtensions and others), and correct it with the help of automated \
tests in real browsers. A release comes out about once a week; two of them, 8.0.14 of 3 September and 8.1.9 of 12 \
November 2026, are the versions here. The tree is flattened into three tables:

- **Support**: one row per feature, browser and statement (295,274 in 8.1.9);
- **Features**: one row a feature (20,968);
- **Releases**: one row per version of the 17 browsers and runtimes (1,682).

Join them by \`feature\` and by \`browser\` with \`version\`.

## What to know before using it

- In the source \`version_added\` is either \`false\` or text. Here \`supported\` contains the former and \
\`version_added\` the latter. 58,407 statements are "not supported".
- A feature and browser can have **several statements**, the most relevant first: an old prefixed form, a time behind \
a flag, a removed one. To count current support, take rows with \`supported\` true, \`version_removed\` null, \
\`behind_flag\` false and \`partial_implementation\` false.
- Versions are text: \`12.1\`, \`≤79\` (5,760 statements know only an upper bound) or \`preview\` (584). Use \
\`version_added_major\` for sorting.
- A browser that is missing for a feature means "not known" or "does not apply" (a server runtime for CSS), not \
"unsupported".
- 2,103 features have no status: the three status columns are null.
- Releases extend into the future: the last planned one is dated 12 January 2027. Eight have no date.
- \`release_index\` exists since 8.1 and is absent from the older version of Releases.
- Text columns such as \`description\` and \`notes\` contain HTML markup.

## What it is good for

Deciding what can be used for a given set of browsers, measuring how browsers differ, following adoption through time, \
and as a test of nested data, lists and awkward versions.`;

/** MDN browser compatibility data in three tables; two weekly releases. */
export const browserCompatibility: Showcase = {
  dataset: {
    slug: "browser-compatibility",
    title: "Browser compatibility",
    summary:
      "Support for 20,968 features of the web platform in 17 browsers and runtimes, version by version, from " +
      "MDN's browser-compat-data.",
    description: DESCRIPTION,
    publisher: { name: "MDN Web Docs", url: "https://developer.mozilla.org" },
    license: "CC0-1.0",
    topics: ["web", "software", "browsers", "standards"],
    sources: [
      {
        name: "@mdn/browser-compat-data 8.0.14 and 8.1.9",
        url: "https://www.npmjs.com/package/@mdn/browser-compat-data",
      },
      { name: "browser-compat-data repository", url: "https://github.com/mdn/browser-compat-data" },
    ],
    temporalCoverage: "1995-08-16/2027-01-12",
  },
  tables: [
    {
      slug: "support",
      name: "Support",
      description: "One row per feature, browser and support statement, ordered by feature.",
      columns: supportColumnNotes,
      orderBy: ["feature", "browser", "statement"],
      primaryKey: ["feature", "browser", "statement"],
      versions: versionsOf("support", supportRows),
    },
    {
      slug: "features",
      name: "Features",
      description: "One row per feature of the web platform, ordered by its path.",
      columns: featureColumnNotes,
      orderBy: ["feature"],
      primaryKey: ["feature"],
      versions: versionsOf("features", featureRows),
    },
    {
      slug: "releases",
      name: "Releases",
      description: "One row per version of a browser or runtime, ordered by browser and date.",
      columns: releaseColumnNotes,
      orderBy: ["browser", "release_date", "version"],
      primaryKey: ["browser", "version"],
      versions: versionsOf("releases", releaseRows),
    },
  ],
};
