import { writeNdjson } from "./ndjson-file";
import { packageJson } from "./package-file";
import type { Showcase, ShowcaseVersion } from "./showcase";

/**
 * Patch number of node-releases 2.0 and its npm publication date. 60 and 63 have the same data as the previous release.
 */
const RELEASES = [
  [56, "2026-09-17T08:42:42.127Z"],
  [57, "2026-09-23T08:45:55.965Z"],
  [58, "2026-10-08T10:24:14Z"],
  [59, "2026-10-15T08:12:40Z"],
  [60, "2026-10-22T08:32:03Z"],
  [61, "2026-10-29T09:48:02Z"],
  [62, "2026-10-30T09:53:46Z"],
  [63, "2026-10-31T09:30:34Z"],
  [64, "2026-11-13T10:50:14Z"],
  [65, "2026-11-17T11:41:31Z"],
] as const;

interface NodeRelease {
  name: string;
  version: string;
  date: string;
  lts: false | string;
  security: boolean;
  v8?: string;
}

function toRow(release: NodeRelease): object {
  const parts = /^(\d+)\.(\d+)\.(\d+)(?:-(.+))?$/.exec(release.version);
  if (!parts) throw new Error(`${release.version} is not a version of Node.js`);
  const [major, minor, patch] = parts.slice(1, 4).map(Number);
  return {
    name: release.name,
    version: release.version,
    major,
    minor,
    patch,
    prerelease: parts[4] ?? null,
    release_date: release.date,
    is_lts: release.lts !== false,
    lts_name: release.lts === false ? null : release.lts,
    is_security: release.security,
    v8: release.v8 ?? null,
  };
}

const folderOf = (label: string): string => `node-releases-${label.replaceAll(".", "-")}`;

const toVersion = ([patch, publishedAt]: (typeof RELEASES)[number]): ShowcaseVersion => ({
  label: `2.0.${patch}`,
  publishedAt: new Date(publishedAt),
  prepare: async (workDir) => {
    const releases = await packageJson<NodeRelease[]>(folderOf(`2.0.${patch}`), "data/processed/envs.json");
    return writeNdjson(workDir, `nodejs-releases-2.0.${patch}`, releases.map(toRow));
  },
});

const DESCRIPTION = `The minor releases of Node.js from 0.2.0 to 27.0.0-alpha: when each came out, whether its line \
had long-term support by then, whether it fixed security issues, and which V8 engine it contains.

## How it is collected

The node-releases project reads [the Node.js release index](https://nodejs.org/dist/index.json) every night and \
publishes a package when something has changed; Browserslist resolves queries such as \`maintained node versions\` \
with it. The releases 2.0.56 (17 September 2026) to 2.0.65 (17 November 2026) are offered here, built by a recipe from \
the package, as if each had been read when it came out. Two of the ten, 2.0.60 and 2.0.63, contain the same data as \
the previous one, so the table has eight versions.

## What to know before using it

- There is one row per minor release, always its \`.0\`: 24.11.0 is included, 24.11.1 is not. \`is_security\` refers \
only to that release, so it misses most security fixes, which are released as patches.
- Versions are text and must not be sorted as text (\`0.10.0\` comes after \`0.9.0\`): order by \`major\`, \`minor\`, \
\`patch\`, \`prerelease\`, which is the order of the rows.
- \`lts_name\` is null for releases made before their line became LTS: 24.10.0 has none, 24.11.0 is Krypton. The \
source has \`false\` or the name there.
- 0.2.0 to 0.5.0 all have the date 2011-08-26, which is not when they were released.
- 27.0.0 is present as alpha releases with versions such as \`27.0.0-alpha.0.1.1\`. One of them had no V8 version in \
2.0.64, where \`v8\` is null; 2.0.65 supplied it.
- Release dates do not always increase with versions, as several lines are maintained in parallel.

## What it is good for

Finding out which V8 a Node.js version has, charting the cadence of releases, and as a small table with a busy real \
history.`;

/** Node.js minor releases; ten releases of node-releases, two of them without a change. */
export const nodejsReleases: Showcase = {
  dataset: {
    slug: "nodejs-releases",
    title: "Node.js releases",
    summary:
      "Every minor release of Node.js with its date, LTS name, security flag and V8 version, as it stood at " +
      "each change from September to November 2026.",
    description: DESCRIPTION,
    publisher: { name: "Node.js", url: "https://nodejs.org" },
    license: "MIT",
    topics: ["software", "javascript", "releases"],
    sources: [
      { name: "node-releases 2.0.56 to 2.0.65", url: "https://www.npmjs.com/package/node-releases" },
      { name: "Node.js release index", url: "https://nodejs.org/dist/index.json" },
    ],
    temporalCoverage: "2011-08-26/2026-11-16",
  },
  tables: [
    {
      slug: "releases",
      name: "Releases",
      description: "One row per minor release, in the order of the version numbers.",
      columns: [
        { name: "name", type: "string", description: "The runtime, always nodejs." },
        { name: "version", type: "string", description: "Version as text; unique. Not sortable as text." },
        { name: "major", type: "int32", description: "First part of the version." },
        { name: "minor", type: "int32", description: "Second part of the version." },
        { name: "patch", type: "int32", description: "Third part of the version, always 0 here." },
        {
          name: "prerelease",
          type: "string",
          description: "What follows the hyphen, such as alpha.0.1.0; null for a final release.",
        },
        { name: "release_date", type: "date", description: "Day of release." },
        {
          name: "is_lts",
          type: "boolean",
          description: "Whether its line had long-term support when it was released.",
        },
        {
          name: "lts_name",
          type: "string",
          description: "Code name of the long-term support line; null if is_lts is false.",
        },
        { name: "is_security", type: "boolean", description: "Whether it fixes security issues." },
        {
          name: "v8",
          type: "string",
          description: "Version of the V8 engine, four numbers as text; null if the source has none yet.",
        },
      ],
      orderBy: ["major", "minor", "patch", "prerelease"],
      primaryKey: ["version"],
      versions: RELEASES.map(toVersion),
    },
  ],
  recipe: {
    source: {
      ...{ name: "node_releases", title: "node-releases", package: "node-releases", path: "data/processed/envs.json" },
      reader: {
        format: "json",
        options: {
          fields: {
            ...{ name: "/name", version: "/version", release_date: "/date", lts: "/lts" },
            ...{ is_security: "/security", v8: "/v8" },
          },
        },
      },
    },
    folderOf,
    steps: [
      {
        ...{ step: "extract", column: "version", pattern: "^([0-9]+)[.]([0-9]+)[.]([0-9]+)(?:-(.+))?$" },
        ...{ into: { major: 1, minor: 2, patch: 3, prerelease: 4 }, required: true },
      },
      { step: "parse", columns: ["major", "minor", "patch"], as: "int32" },
      { step: "null_if", columns: ["prerelease"], values: [""] },
      { step: "parse", columns: ["release_date"], as: "date" },
      // false or a name: JSON text, of which a name has quotes
      { step: "cast", columns: { lts: "string" } },
      { step: "extract", column: "lts", pattern: '^"(.+)"$', into: { lts_name: 1 }, keep: false },
      { step: "derive", columns: { is_lts: { fn: "not", args: [{ fn: "is_null", args: [{ col: "lts_name" }] }] } } },
    ],
    checks: [
      { check: "row_count", min: 378 },
      { check: "not_null", columns: ["major", "minor", "patch", "release_date"] },
    ],
    refresh: { every: "P1D", anchor: "2026-01-01T12:00", time_zone: "UTC" },
  },
};
