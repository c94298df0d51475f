import { writeNdjson } from "./ndjson-file";
import { packageJson } from "./package-file";
import type { Showcase } from "./showcase";

interface License {
  name: string;
  url?: string;
  osiApproved: boolean;
  licenseText: string;
}

const toRow = ([licenseId, license]: [string, License]): object => ({
  license_id: licenseId,
  name: license.name,
  url: license.url ?? null,
  is_osi_approved: license.osiApproved,
  license_text: license.licenseText,
});

const DESCRIPTION = `Every licence on the SPDX License List, edition 3.28.0 of 20 February 2026: its short identifier, \
full name, URL and complete text.

## How it is collected

The SPDX project of the Linux Foundation keeps the list, so that a licence can be named by an identifier such as \
\`MIT\` or \`Apache-2.0\` in source files, packages and bills of materials. The spdx-license-list package turns it \
into JSON, from which a recipe built this table (release 6.12.0).

## What to know before using it

- All 727 identifiers are listed, deprecated ones such as \`LGPL-3.0+\` included; the package does not say which are \
deprecated.
- 149 are approved by the Open Source Initiative. False means "not approved", which includes "never submitted".
- \`license_text\` is the complete text, with line breaks: from 87 characters (\`diffmark\`) to 46,063 (\`APL-1.0\`); \
161 texts contain non-ASCII characters. Some are templates with valueNames for year and holder.
- Texts repeat: 687 of the 727 are different.
- Three licences have no URL: ALGLIB-Documentation, HPND-Netrek and SchemeReport.
- \`any-OSI\` is an identifier without a licence behind it.

## What it is good for

Checking licence fields, showing a licence's text, comparing texts, and as an example of a small table with long text \
cells.`;

/** The SPDX License List with full texts. */
export const spdxLicenses: Showcase = {
  dataset: {
    slug: "spdx-licenses",
    title: "SPDX licences",
    summary: "The 727 open source and other licences of the SPDX License List 3.28.0, with their full texts.",
    description: DESCRIPTION,
    publisher: { name: "SPDX", url: "https://spdx.org" },
    license: "CC0-1.0",
    topics: ["software", "licences", "reference", "law"],
    sources: [
      { name: "SPDX License List", url: "https://spdx.org/licenses/" },
      { name: "spdx-license-list 6.12.0", url: "https://www.npmjs.com/package/spdx-license-list" },
    ],
    temporalCoverage: null,
  },
  tables: [
    {
      slug: "licenses",
      name: "Licences",
      description: "One row per licence identifier, in the order of the identifiers.",
      columns: [
        { name: "license_id", type: "string", description: "SPDX identifier, such as Apache-2.0; unique." },
        { name: "name", type: "string", description: "Full name." },
        { name: "url", type: "string", description: "Where the licence is published; null for three." },
        {
          name: "is_osi_approved",
          type: "boolean",
          description: "Whether the Open Source Initiative has approved it.",
        },
        { name: "license_text", type: "string", description: "The complete text, up to 46,063 characters." },
      ],
      orderBy: ["license_id"],
      primaryKey: ["license_id"],
      versions: [
        {
          label: "6.12.0",
          publishedAt: new Date("2026-07-25T00:13:11.758Z"),
          prepare: async (workDir) => {
            const licenses = await packageJson<Record<string, License>>("spdx-license-list", "spdx-full.json");
            return writeNdjson(workDir, "spdx-licenses-6.12.0", Object.entries(licenses).map(toRow));
          },
        },
      ],
    },
  ],
  recipe: {
    source: {
      ...{ name: "spdx", title: "spdx-license-list", package: "spdx-license-list", path: "spdx-full.json" },
      reader: {
        format: "json",
        options: {
          ...{ records: "", shape: "map", key_column: "license_id", missing_records: "error" },
          fields: { name: "/name", url: "/url", is_osi_approved: "/osiApproved", license_text: "/licenseText" },
        },
      },
    },
    folderOf: () => "spdx-license-list",
    steps: [],
    checks: [
      { check: "row_count", min: 700 },
      { check: "not_null", columns: ["name", "is_osi_approved", "license_text"] },
    ],
    refresh: { every: "P1W", anchor: "2026-01-05T06:00", time_zone: "UTC" },
  },
};
