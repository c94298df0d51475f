import { createElement, type FunctionComponent } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { DownloadPage } from "@/components/explorer/answer/download-page";
import { DifferenceFiles } from "@/components/versions/comparison-view";
import type { Dataset } from "@/lib/schemas/dataset";
import type { Version } from "@/lib/schemas/table";
import { DatasetHead } from "./dataset-head";
import { VersionHead } from "./version-head";

const WORDS = "2 GB of Parquet cannot be downloaded as one file.";

const table = { slug: "rows", name: "Rows", rows: 1, bytes: 1 } as Dataset["tables"][number];
const dataset = {
  slug: "d",
  title: "D",
  summary: "",
  topics: [],
  publisher: { name: "P", slug: "p" },
  tables: [table],
};
const version = {
  version_id: "0f4b1b9e-6f0c-4c79-8f53-1b1f5a4c0a01",
  content_digest: "sha256:00",
  published_at: "2026-01-01T00:00:00.000Z",
  change: "first",
  other_labels: [],
  is_current: true,
};
const found = { dataset, table: { ...table, id: "t", license: "MIT" }, version, columns: [] };
const explorer = { formats: [], route: { url: "/q" }, body: "{}", name: "v", rowsMax: 1, onProblem: () => undefined };

const drawn = <P extends object>(part: FunctionComponent<P>, props: P) =>
  renderToStaticMarkup(createElement(part, props));

test.each<[string, (words: string | undefined) => string]>([
  [
    "a dataset's page",
    (words) =>
      drawn(DatasetHead, {
        dataset: dataset as unknown as Dataset,
        owner: undefined,
        table,
        tooLarge: { table: words, archive: words },
      }),
  ],
  [
    "a version's page",
    (tooLarge) =>
      drawn(VersionHead, { found: found as unknown as Version, owner: undefined, now: new Date(), tooLarge }),
  ],
  ["a comparison", (tooLarge) => drawn(DifferenceFiles, { slug: "d", table: "rows", from: "a", to: "b", tooLarge })],
  [
    "the explorer",
    (words) =>
      drawn(DownloadPage, {
        ...{ ...explorer, isGrouped: false, hasCoordinates: false, missing: undefined },
        ...{ before: 0, total: undefined, all: { formats: [], urlOf: undefined, signInUrl: "" } },
        whole: words === undefined ? { url: "/datasets/d/rows/download" } : { tooLarge: words },
      }),
  ],
])("%s offers no download of a table that is too large, and says why", (_page, draw) => {
  expect(draw(undefined)).toMatch(/href="[^"]*\/download/);
  expect(draw(WORDS)).not.toMatch(/href="[^"]*\/download/);
  expect(draw(WORDS)).toContain(WORDS);
});
