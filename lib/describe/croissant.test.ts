import { expect, test } from "vitest";
import type { Column } from "@/lib/schemas/column";
import type { Dataset } from "@/lib/schemas/dataset";
import { croissant } from "./croissant";

const column = (name: string, type: string, profile: Column["profile"]) =>
  ({ name, type, description: null, unit: null, profile }) as Column;
const columns = [
  column("id", "int64", {
    null_count: 0,
    distinct_count: { value: 3, exact: true },
    min: 1,
    max: 3,
    mean: 2,
    stddev: 1,
    quantiles: { p05: 1, p25: 1, p50: 2, p75: 3, p95: 3 },
  }),
  column("a b/c#é", "list<string>", { null_count: 2 }),
  column("word", "string", { null_count: 0, min: "a", max: "z" }),
];
const dataset = {
  title: "Words",
  slug: "words",
  summary: "Words.",
  url: "https://data.example.org/datasets/words",
  publisher: { name: "P", slug: "p", url: "https://p.example" },
  license: "CC0-1.0",
  topics: ["language"],
  freshness: { state: "unknown", reason_code: "no_observation" },
  published_at: "2025-03-07T00:00:00.000Z",
  created_at: "2024-01-01T00:00:00.000Z",
  citation: { text: "", bibtex: "@misc{}" },
  sources: [{ name: "S", url: "https://s.example/x" }],
  temporal_coverage: null,
  tables: [
    {
      name: "Rows",
      slug: "rows",
      description: "All.",
      version_id: "v1",
      version_number: 2,
      version_label: "1.54.0",
      tableId: "t1",
      rows: 3,
      bytes: 9,
      current_url: "https://data.example.org/current",
      freshness: { state: "unknown", reason_code: "no_observation" },
      columns,
    },
    {
      name: "More",
      slug: "rows-rows",
      description: "",
      version_id: "v2",
      version_number: 1,
      version_label: null,
      tableId: "t2",
      rows: 0,
      bytes: 1,
      current_url: "https://data.example.org/c2",
      freshness: { state: "fresh", reason_code: "within_expected_window" },
      columns: [],
    },
  ],
} as unknown as Dataset;

type Node = Record<string, unknown>;
const made = croissant(dataset, () => ({ digest: "ab".repeat(32), primaryKey: ["id"] })) as Record<string, Node[]> &
  Node;

function nodes(value: unknown): Node[] {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(nodes);
  return [value as Node, ...Object.entries(value).flatMap(([key, item]) => (key === "@context" ? [] : nodes(item)))];
}

test("it has what Croissant 1.1 requires and recommends", () => {
  expect(made).toMatchObject({
    "@type": "sc:Dataset",
    conformsTo: "http://mlcommons.org/croissant/1.1",
    version: "2025.3.7",
    isLiveDataset: false,
  });
  for (const name of [
    "description",
    "license",
    "name",
    "url",
    "creator",
    "datePublished",
    "distribution",
    "publisher",
    "dateModified",
    "keywords",
  ]) {
    expect(made[name], name).toBeDefined();
  }
  expect(made.license).toBe("https://spdx.org/licenses/CC0-1.0.html");
});

test("each file is that of an immutable version, with its digest and size", () => {
  expect(made.distribution?.[0]).toMatchObject({
    contentUrl: "https://data.example.org/current?version_id=v1",
    sha256: "ab".repeat(32),
    contentSize: "9 B",
  });
});

test("whether a table is current is stated for tables whose sources are watched, in schema.org's terms", () => {
  const [unwatched, watched] = made.distribution ?? [];
  expect([made.creativeWorkStatus, unwatched?.creativeWorkStatus]).toEqual([undefined, undefined]);
  expect(watched?.creativeWorkStatus).toEqual({
    "@type": "DefinedTerm",
    name: "fresh",
    description: "The next update is not due yet.",
    inDefinedTermSet: "https://data.example.org/docs/freshness#states",
  });
});

test("ids are unique IRIs, and every reference leads to one", () => {
  const all = nodes(made);
  const ids = all
    .filter((node) => Object.keys(node).length > 1)
    .flatMap((node) => (node["@id"] as string | undefined) ?? []);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids)
    expect(new URL(id, "https://base.example/").href).toBe(id.startsWith("https:") ? id : `https://base.example/${id}`);
  const references = all.filter((node) => Object.keys(node).join() === "@id").map((node) => node["@id"] as string);
  expect(references.length).toBeGreaterThan(3);
  for (const reference of references.filter((id) => id !== "rows-rows-rows/id")) expect(ids).toContain(reference);
});

test("statistics are annotations of rows and of each column", () => {
  const [rows] = made.recordSet ?? [];
  expect(rows?.annotation).toEqual([
    {
      "@type": "cr:Field",
      "@id": "rows-rows/count",
      name: "count",
      value: 3,
      dataType: "http://www.wikidata.org/entity/Q4049983",
    },
  ]);
  const [id, list, word] = (rows?.field ?? []) as {
    annotation: { name: string; value: unknown }[];
    isArray?: boolean;
  }[];
  expect(id?.annotation.map(({ name, value }) => [name, value])).toEqual([
    ["null_count", 0],
    ["distinct_count", 3],
    ["min", 1],
    ["max", 3],
    ["mean", 2],
    ["standard_deviation", 1],
    ["median", 2],
  ]);
  expect([list?.isArray, word?.annotation.map(({ name }) => name)]).toEqual([true, ["null_count"]]);
});
