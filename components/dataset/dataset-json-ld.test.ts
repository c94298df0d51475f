import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { Dataset } from "@/lib/schemas/dataset";
import { DatasetJsonLd, datasetJsonLd } from "./dataset-json-ld";

const dataset: Dataset = {
  schema_version: "service-public-dataset.v1",
  title: "Strikes </script><script>alert(1)</script>",
  slug: "strikes",
  summary: "Bird strikes.",
  url: "https://data.example.org/datasets/strikes",
  publisher: { name: "FAA", slug: "faa", url: null },
  topics: ["aviation"],
  license: "CC0-1.0",
  published_at: "2026-11-20T10:00:00.000Z",
  created_at: "2025-01-01T10:00:00.000Z",
  metadata_url: "https://data.example.org/m",
  markdown_url: "https://data.example.org/l",
  versions_url: "https://data.example.org/v",
  croissant_url: "https://data.example.org/c",
  description: "",
  citation: { text: "", bibtex: "" },
  sources: [
    { name: "nowhere", url: null, license: null },
    { name: "FAA", url: "https://data.example.org/faa.csv", license: "CC0-1.0" },
  ],
  temporal_coverage: "1990/2002",
  freshness: { state: "unknown", reason_code: "no_observation" },
  tables: [],
};

test("no publisher's text can end the script element", () => {
  const html = renderToStaticMarkup(DatasetJsonLd({ dataset }));
  expect(html.match(/<\/?script/g)).toEqual(["<script", "</script"]);
  const json = html.replace(/^<script[^>]*>|<\/script>$/g, "");
  expect(JSON.parse(json)).toMatchObject({ "@type": "Dataset", name: dataset.title });
});

test("an SPDX licence is its text's URL, other licences remain text", () => {
  expect(datasetJsonLd(dataset).license).toBe("https://spdx.org/licenses/CC0-1.0.html");
  expect(datasetJsonLd({ ...dataset, license: "US government work" }).license).toEqual({
    "@type": "CreativeWork",
    name: "US government work",
  });
});

test("sources with a URL are listed with their licence", () => {
  expect(datasetJsonLd(dataset).isBasedOn).toEqual([
    {
      "@type": "CreativeWork",
      name: "FAA",
      url: "https://data.example.org/faa.csv",
      license: "https://spdx.org/licenses/CC0-1.0.html",
    },
  ]);
});

test("whether it is current is included only if its sources are watched", () => {
  expect(datasetJsonLd(dataset).creativeWorkStatus).toBeUndefined();
  const freshness = { state: "stale", reason_code: "expected_window_passed" } as const;
  expect(datasetJsonLd({ ...dataset, freshness }).creativeWorkStatus).toMatchObject({ name: "stale" });
});
