import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { publishTable } from "@/lib/publish/publish";
import { call, useGauges } from "@/lib/testing/gauges-connector";

const { post } = useGauges();
const folder = mkdtempSync(join(tmpdir(), "parquetry-search-tools-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(async () => {
  const file = join(folder, "nests.csv");
  writeFileSync(file, `species,state\n${"Ospreys,TX\nKestrels,TX\n".repeat(5)}`);
  const dataset = {
    ...{ slug: "nests", title: "Nests", summary: "Where birds breed.", description: "", topics: ["birds"] },
    ...{ publisher: { name: "Agency" }, license: "CC0-1.0" },
  };
  await publishTable({ file, dataset, table: { slug: "nests", name: "Nests" } }, { now: () => new Date() });
});

const structuredOf = async (tool: string, args: object) => (await post(call(tool, args))).json.result.structuredContent;

test("a hit says what it is, where it was found, and the names of its tables", async () => {
  expect(await structuredOf("search", { query: "river gauges" })).toEqual({
    results: [
      {
        id: "gauges",
        title: "River gauges",
        url: "http://localhost:3000/datasets/gauges",
        summary: "Levels.",
        matched_on: expect.arrayContaining(["title"]),
        tables: ["gauges/rows"],
      },
    ],
  });
});

test("a dataset is found by a frequent value of a text column, and says so", async () => {
  const { results } = await structuredOf("search", { query: "kestrel" });
  expect(results).toMatchObject([
    {
      id: "nests",
      matched_on: ["values"],
      matched_words: [{ word: "kestrel", values: [{ table: "nests", column: "species", value: "Kestrels" }] }],
    },
  ]);
  expect((await structuredOf("search", { query: "TX" })).results).toEqual([]);
});

test("a filter of search_datasets is a value, or a list for datasets with any of its values", async () => {
  const found = async (args: object) =>
    (await structuredOf("search_datasets", { ...args, sort: "title" })).datasets.map(
      ({ slug }: { slug: string }) => slug,
    );
  expect(await found({ topic: ["birds", "water"] })).toEqual(["nests", "gauges"]);
  expect(await found({ topic: "birds" })).toEqual(["nests"]);
  expect(await found({ topic: ["birds", "water"], publisher: ["agency"], license: "CC0-1.0" })).toContain("nests");
});

test("a search that finds nothing returns the nearest choices and the existing topics", async () => {
  expect(await structuredOf("search", { query: "chess championship" })).toEqual({
    results: [],
    advice:
      "No dataset matches. Topics: birds (1), water (1). Try other or fewer words first; then say that you found " +
      "none, and what you searched for.",
  });
  const { advice } = await structuredOf("search_datasets", { topic: "watr" });
  expect(advice).toMatch(/^No dataset matches\. Nearest choices: topic = water\. /);
});

test("a search is never told to deny what matches in part", async () => {
  const { results, advice } = await structuredOf("search", { query: "ospreys karaoke championship" });
  expect(results).toMatchObject([
    {
      id: "nests",
      matched_words: [{ word: "ospreys", values: [{ column: "species", value: "Ospreys" }] }],
      missing_words: ["karaoke", "championship"],
    },
  ]);
  expect(advice).toMatch(/^No dataset matches all the words\. Listed are the nearest/);
  const listed = await structuredOf("search_datasets", { q: "ospreys karaoke championship" });
  expect(listed).toMatchObject({ total: 0, datasets: [], nearest: [{ slug: "nests", title: "Nests" }], advice });
  const partial = await structuredOf("search", { query: "nests karaoke" });
  expect(partial).toMatchObject({
    results: [{ id: "nests", missing_words: ["karaoke"] }],
    advice: "None of these has “karaoke”; they match the other words.",
  });
  const filtered = await structuredOf("search_datasets", { q: "nests", topic: "water" });
  expect(filtered.advice).toMatch(/^No dataset matches\. Without the filters: 1\. /);
});
