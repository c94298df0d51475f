import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { packageFile } from "@/lib/showcase/package-file";
import { readProviderDocument } from "./source-document";

test("a Data Package's resources, with columns and URLs; only a resource's own licence counts", () => {
  const document = readFileSync(packageFile("vega-datasets", "datapackage.json"), "utf8");
  const { provider, listed, sources } = readProviderDocument(document, "https://example.org/data/");
  expect([provider, listed, sources.length, sources.filter(({ license }) => license === null).length]).toEqual([
    "vega-datasets",
    73,
    73,
    15,
  ]);
  expect(sources.find(({ name }) => name === "airports")).toMatchObject({
    url: "https://example.org/data/airports.csv",
    format: "csv",
    license: "https://www.usa.gov/government-works",
    columns: ["iata", "name", "city", "state", "country", "latitude", "longitude"],
    origins: [{ name: "Airports (Data.gov)", url: "https://catalog.data.gov/dataset/airports-5e97a" }],
  });
});

test("a CKAN search reply counts what the portal has, not only what the reply holds", () => {
  const entry = {
    name: "trees",
    title: "Trees",
    notes: "All\n trees.",
    license_title: "License not specified",
    resources: [{ url: "javascript:alert(1)", format: "CSV" }],
  };
  const { listed, sources } = readProviderDocument(
    JSON.stringify({ success: true, result: { count: 1200, results: [entry] } }),
  );
  expect(listed).toBe(1200);
  expect(sources[0]).toMatchObject({
    name: "trees",
    description: "All trees.",
    license: null,
    url: null,
    format: "csv",
  });
});

test("a DCAT catalogue's datasets with their first distribution", () => {
  const license = "https://creativecommons.org/licenses/by/4.0/";
  const dataset = {
    identifier: "t-1",
    title: "Trees",
    license,
    publisher: { name: "City" },
    distribution: [{ downloadURL: "https://example.org/t.csv", mediaType: "text/csv" }],
  };
  const [source] = readProviderDocument(
    JSON.stringify({ conformsTo: "https://project-open-data.cio.gov/v1.1/schema", dataset: [dataset] }),
  ).sources;
  expect(source).toMatchObject({
    name: "t-1",
    license,
    licenseUrl: license,
    url: "https://example.org/t.csv",
    origins: [{ name: "City", url: null }],
  });
});

test("anything else is rejected with a message", () => {
  expect(() => readProviderDocument("{")).toThrow(/not valid JSON/);
  expect(() => readProviderDocument('{"datasets":[]}')).toThrow(/Unsupported document/);
});
