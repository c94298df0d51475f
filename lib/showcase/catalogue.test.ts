import { describe, expect, test } from "vitest";
import { publishRequestSchema } from "@/lib/schemas/publish";
import { showcaseCatalogue } from "./catalogue";
import { packageJson } from "./package-file";
import { publishRequestOf } from "./showcase";

const CATALOGUE = showcaseCatalogue();

const LICENSES = ["MIT", "CC0-1.0", "CC-BY-4.0", "US government work", "US public domain"];
const TABLES = CATALOGUE.flatMap((showcase) =>
  showcase.tables.map((table) => ({ path: `${showcase.dataset.slug}/${table.slug}`, showcase, table })),
);

test("slugs and titles are unique", () => {
  for (const key of ["slug", "title"] as const) {
    expect(new Set(CATALOGUE.map(({ dataset }) => dataset[key])).size).toBe(CATALOGUE.length);
  }
});

describe.each(CATALOGUE.map((showcase) => ({ slug: showcase.dataset.slug, showcase })))(
  "$slug",
  ({ showcase: { dataset, tables } }) => {
    test("names its publisher, a known licence, its sources and its topics", () => {
      expect(dataset.publisher.url).toMatch(/^https:/);
      expect(LICENSES).toContain(dataset.license);
      expect(dataset.sources?.length).toBeGreaterThan(0);
      expect(dataset.topics.length).toBeGreaterThan(1);
    });

    test("has a summary and a description of several sections", () => {
      expect(dataset.summary.length).toBeGreaterThan(60);
      for (const heading of ["## How it ", "## What to know before using it", "## What it is good for"])
        expect(dataset.description).toContain(heading);
    });

    test("covers an interval that begins before it ends, if it states one", () => {
      if (!dataset.temporalCoverage) return;
      const [from = "", to = ""] = dataset.temporalCoverage.split("/");
      expect(Date.parse(from)).toBeLessThan(Date.parse(to));
    });

    test("has tables with unique slugs", () => {
      expect(new Set(tables.map(({ slug }) => slug)).size).toBe(tables.length);
    });
  },
);

describe.each(TABLES)("$path", ({ showcase, table }) => {
  test("is a valid publish request in every version", () => {
    for (const version of table.versions) {
      expect(
        publishRequestSchema.safeParse({ file: "x.csv", ...publishRequestOf(showcase, table, version) }).error,
      ).toBeUndefined();
    }
  });

  test("describes itself and every column", () => {
    expect(table.description).toMatch(/\.$/);
    for (const column of table.columns) expect(column.description, column.name).toMatch(/^[A-Z].{8,}\.$/s);
  });

  test("is sorted by its own columns", () => {
    const names = table.columns.map(({ name }) => name);
    for (const name of table.orderBy) expect(names).toContain(name);
  });

  test("has versions in the order of their release", () => {
    const times = table.versions.map(({ publishedAt }) => publishedAt.getTime());
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
    expect(new Set(table.versions.map(({ label }) => label)).size).toBe(table.versions.length);
  });
});

/** Each package whose name the label decides. */
const INSTALLED = [
  ["mime-types", "mime-db", (label: string) => `mime-db-${label.split(".").slice(0, 2).join("-")}`],
  [
    "language-subtags",
    "language-subtag-registry",
    (label: string) => `language-subtag-registry-${label.replaceAll(".", "-")}`,
  ],
  ["nodejs-releases", "node-releases", (label: string) => `node-releases-${label.replaceAll(".", "-")}`],
  [
    "browser-compatibility",
    "@mdn/browser-compat-data",
    (label: string) => `mdn-browser-compat-data-${label.replaceAll(".", "-")}`,
  ],
  ["spdx-licenses", "spdx-license-list", () => "spdx-license-list"],
  ["us-flights-2001", "vega-datasets", () => "vega-datasets"],
] as const;

test.each(INSTALLED)("the labels of %s are the versions of %s that are installed", async (slug, name, folderOf) => {
  const labels =
    TABLES.find(({ showcase }) => showcase.dataset.slug === slug)?.table.versions.map(({ label }) => label) ?? [];
  expect(labels.length).toBeGreaterThan(0);
  for (const label of labels)
    expect(await packageJson(folderOf(label), "package.json")).toMatchObject({ name, version: label });
});
