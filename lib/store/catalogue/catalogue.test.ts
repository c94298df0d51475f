import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { searchWords } from "@/lib/schemas/search-words";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { recordPublication } from "@/lib/store/datasets/versions";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { findDatasetIds, findDatasets } from "./catalogue";
import type { CatalogueFilter } from "./catalogue-matching";
import { countFacets } from "./facets";
import { findMatchedColumns } from "./matched-columns";
import { publicCatalogue } from "./public-catalogue";
import { readSearchTerms } from "./search-terms";
import { fillSearchTexts } from "./search-text";

useTestState();

type Dataset = Parameters<typeof recordPublication>[0]["dataset"];

async function publish(
  slug: string,
  about: Partial<Dataset> = {},
  columns: readonly string[] = [],
  rows = 10,
): Promise<void> {
  const dataset = {
    slug,
    title: slug,
    summary: "",
    description: "",
    publisher: { name: "Somebody" },
    license: "CC0-1.0",
    topics: [],
    ...about,
  };
  const stored = columns.map((name) => ({
    name,
    type: "string",
    storage: "",
    nullable: true,
    description: null,
    unit: null,
  }));
  const version = {
    digest: randomBytes(32).toString("hex"),
    bytes: 1,
    rows,
    columns: stored,
    profilesJson: "{}",
    orderBy: [],
    primaryKey: [],
    change: "first",
  } as const;
  await recordPublication(
    { dataset, table: { slug: "rows", name: "Rows" } },
    { ...version, publishedAt: new Date() },
    ADMINISTRATOR,
  );
}

async function find(text: string, filter: Partial<CatalogueFilter> = {}) {
  const { positions, total, terms, catalogue } = await findDatasetIds(
    { words: searchWords(text), ...filter, sort: "relevance", limit: 50 },
    new Date(),
  );
  const records = await findDatasets(positions.map(({ id }) => id));
  return { total, terms, catalogue, positions, records, slugs: records.map(({ slug }) => slug) };
}

beforeAll(async () => {
  await publish("a-description", { description: "Of the quokka." });
  await publish("b-columns", {}, ["quokkaCount", "other"]);
  await publish("c-topics", { topics: ["quokka"] });
  await publish("d-summary", { summary: "Every quokka." });
  await publish("e-quokka", { title: "An island" });
  await publish("f-title", { title: "Quokkas" });
  await publish("g-publisher", { publisher: { name: "Quokka Society" } });
  await publish(
    "zoo",
    { title: "Zürich zoo, visitors flying in", topics: ["zürich", "animals"], license: "MIT" },
    ["dep_delay"],
    5_000_000,
  );
  await publish("secret", { title: "Wombat" });
  const { pool } = await database();
  await pool.query(`UPDATE "Dataset" SET visibility = 'private' WHERE slug = 'secret'`);
});

describe("order", () => {
  test("title, then slug, summary, topics and publisher, columns, description", async () => {
    const { slugs } = await find("quokka");
    expect([...slugs.slice(0, 3), ...slugs.slice(3, 5).sort(), ...slugs.slice(5)]).toEqual([
      "f-title",
      "e-quokka",
      "d-summary",
      "c-topics",
      "g-publisher",
      "b-columns",
      "a-description",
    ]);
  });

  test("the word itself ranks before a word that begins with it, and that before a misspelling", async () => {
    await publish("rain", { title: "Rain" });
    await publish("rainbow", { title: "Rainbow" });
    expect((await find("rain")).slugs).toEqual(["rain", "rainbow"]);
  });
});

describe("words", () => {
  test.each(["quokas", "qoukka", "quokkka", "quokkz"])("%s is found as quokka", async (text) => {
    expect((await find(text)).slugs[0]).toBe("f-title");
  });

  test.each(["f", "fl", "fly", "flyi", "flyin", "flying", "zurich", "ZÜRICH", "delay dep", "dep_delay", "mit"])(
    "%s finds the zoo",
    async (text) => {
      expect((await find(text)).slugs).toContain("zoo");
    },
  );

  test("if one of two words occurs nowhere, the other one still finds", async () => {
    expect((await find("zurich xqzjvkw")).slugs).toEqual(["zoo"]);
  });

  test("if one of two words is misspelt, both count", async () => {
    expect((await find("zurihc quokka")).slugs).toContain("zoo");
    expect((await find("zoo vistors")).slugs).toEqual(["zoo"]);
  });

  test("if no dataset has all the words, those with most of them are found", async () => {
    expect((await find("zurich visitors quokka")).slugs[0]).toBe("zoo");
  });

  test("a query without a word finds nothing, an empty one finds everything", async () => {
    expect((await find("!!!")).total).toBe(0);
    expect((await find("  ")).total).toBeGreaterThan(5);
  });

  test("matching columns are named, those with the word in the name first", async () => {
    const { records, terms } = await find("quokka");
    const ids = records.map(({ id }) => id);
    const matched = [...(await findMatchedColumns(ids, terms)).values()];
    expect(matched).toEqual([{ all: ["quokkaCount"], byTerm: [["quokkaCount"]] }]);
  });
});

describe("hostile texts", () => {
  const TEXTS = [
    "%",
    "_",
    "' OR 1=1 --",
    "a:*&!b|(c",
    "\\",
    '"',
    "\u0000a\u0000",
    "💩",
    "ﷺ".repeat(200),
    "x".repeat(10_000),
    "é\u0301\u0302".repeat(60),
    "1e5 -1.5 1.2.3.4",
    "a@b.c /d/e",
    "한국어 日本語 العربية",
    "\ud800x",
  ];
  test.each(TEXTS)("%j is searched for, or found nowhere, and fails nothing", async (text) => {
    await expect(countFacets({ words: searchWords(text) }, new Date())).resolves.toBeDefined();
    await expect(find(text)).resolves.toBeDefined();
  });

  test("British and American spellings and synonyms find each other", async () => {
    await publish("strikes", { title: "Bird strikes of aircraft" });
    await publish("quakes", { title: "Earthquakes", description: "Where two plates strike." });
    await publish("terms", { title: "Software licences" });
    expect((await find("plane crash")).slugs[0]).toBe("strikes");
    expect((await find("license")).slugs).toEqual((await find("licence")).slugs);
    expect((await find("license")).slugs).toContain("terms");
  });

  test("pattern characters are not wildcards", async () => {
    expect((await find("qu%a")).slugs).not.toContain("zoo");
    expect((await find("_")).total).toBe(0);
  });
});

describe("datasets that not everybody may read", () => {
  test("are found by no word, and their words correct nothing", async () => {
    for (const text of ["wombat", "womba", "wmobat"]) expect((await find(text)).total).toBe(0);
    const catalogue = await publicCatalogue(new Date());
    expect(await readSearchTerms(["wombat", "wmobat"], [catalogue])).toEqual([
      { word: "wombat", readings: [] },
      { word: "wmobat", readings: [] },
    ]);
    expect(await catalogue.similar.suggestion("wombatt")).toBeUndefined();
  });
});

describe("facets", () => {
  test("count what each choice would leave; a facet's own choice hides none of its other values", async () => {
    const { total, facets } = await countFacets({ words: undefined, license: ["MIT"] }, new Date());
    expect(total).toBe(1);
    expect(facets.license.map(({ value }) => value).sort()).toEqual(["CC0-1.0", "MIT"]);
    expect(facets.topic).toEqual([
      { value: "animals", label: "animals", count: 1 },
      { value: "zürich", label: "zürich", count: 1 },
    ]);
    expect(facets.size).toEqual([{ value: "over-1m", label: "over-1m", count: 1 }]);
    expect(facets.freshness).toEqual([{ value: "unknown", label: "unknown", count: 1 }]);
  });

  test("a dataset needs one of a facet's values, and one of every facet", async () => {
    const licences = ["CC0-1.0", "MIT"];
    const topics = ["animals", "quokka", "quokka", "nothing"];
    const of = async (filter: Partial<CatalogueFilter>) =>
      (await countFacets({ words: undefined, ...filter }, new Date())).total;
    expect(await of({ topic: topics })).toBe(2);
    expect(await of({ topic: topics, license: licences })).toBe(2);
    expect(await of({ topic: topics, license: ["MIT"] })).toBe(1);
    expect(await of({ topic: ["animals"], size: ["under-1k", "1k-10k"] })).toBe(0);
    expect((await find("quokka", { topic: topics })).slugs).toEqual(["c-topics"]);
    const { facets } = await countFacets({ words: undefined, topic: topics, license: ["MIT"] }, new Date());
    expect(facets.topic.map(({ value, count }) => [value, count])).toEqual([
      ["animals", 1],
      ["zürich", 1],
    ]);
    expect(facets.license.map(({ value, count }) => [value, count])).toEqual([
      ["CC0-1.0", 1],
      ["MIT", 1],
    ]);
  });

  test("every count is what the listing finds with that choice", async () => {
    const filter = { words: searchWords("quokka") };
    const { facets } = await countFacets(filter, new Date());
    for (const [name, counts] of Object.entries(facets)) {
      for (const { value, count } of counts)
        expect([name, value, (await find("quokka", { [name]: [value] })).total]).toEqual([name, value, count]);
    }
  });
});

test("datasets without search texts get them again", async () => {
  const { pool } = await database();
  await pool.query(`DELETE FROM "SearchText"`);
  expect((await find("quokka")).total).toBe(0);
  await fillSearchTexts();
  expect((await find("quokka")).total).toBe(7);
});

test("values with equal counts are in alphabetical order, whatever their case", async () => {
  for (const [slug, name] of [
    ["case-a", "Node.js"],
    ["case-b", "NOAA"],
    ["case-c", "élan"],
    ["case-d", "Fire"],
  ] as const)
    await publish(slug, { publisher: { name }, topics: ["case"] });
  const { facets } = await countFacets({ words: undefined, topic: ["case"] }, new Date());
  expect(facets.publisher.map(({ label }) => label)).toEqual(["élan", "Fire", "NOAA", "Node.js"]);
});
