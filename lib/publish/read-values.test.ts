import { afterAll, expect, test } from "vitest";
import { insideContext } from "@/lib/http/context";
import { execute } from "@/lib/operations/execute";
import { closeReadingEngine } from "@/lib/operations/reading/reading-engine";
import { searchDatasets } from "@/lib/operations/search-datasets";
import { listUnreadTables } from "@/lib/store/catalogue/table-values";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { publishText } from "@/lib/testing/publish-text";
import { readMissingValues } from "./read-values";

useTestState();
afterAll(closeReadingEngine);

const search = (q: string) => execute(searchDatasets, { query: { q, limit: 20 } }, insideContext());
const slugsOf = async (q: string) => (await search(q)).datasets.map(({ slug }) => slug);
const valuesOf = async (q: string) =>
  (await search(q)).datasets.flatMap(({ matched_words = [] }) => matched_words.flatMap(({ values = [] }) => values));

const pad = (at: number) => String(10_000 + at);
const CODES = Array.from({ length: 3_000 }, (_, at) => `${pad(at)},Place ${at % 7}\n`).join("");

test("a rare value is found whole, and the reply says in which column and how it is written", async () => {
  await publishText("places", `code,name\n${CODES}13000,Bad Öynhausen\n`, {
    columns: [{ name: "code", type: "string" }],
  });
  expect(await valuesOf("12345")).toEqual([{ table: "rows", column: "code", value: "12345" }]);
  expect(await valuesOf("oynhausen")).toEqual([{ table: "rows", column: "name", value: "Bad Öynhausen" }]);
  expect(await slugsOf("1234")).toEqual([]);
});

test("items of lists are found; identifiers, texts, links and very short values are not", async () => {
  const items = ["docx", "xq"].map((name) => JSON.stringify({ name, all: [`${name}ml`, "pqr"] })).join("\n");
  await publishText("lists", items, { extension: "ndjson", columns: [{ name: "all", type: "list<string>" }] });
  expect(await valuesOf("docxml")).toEqual([{ table: "rows", column: "all", value: "docxml" }]);
  expect(await slugsOf("xq")).toEqual([]);
  const long = "sentence after sentence ".repeat(3);
  const rows = Array.from({ length: 300 }, (_, at) => `${long}unheard${at},https://example.org/wordless${at}\n`).join(
    "",
  );
  await publishText("texts", `text,link\n${rows}`);
  for (const word of ["unheard250", "wordless250"]) expect([word, await slugsOf(word)]).toEqual([word, []]);
});

test("values of a version are found only while it is current", async () => {
  await publishText("moods", `mood\n${"melancholic\n".repeat(2)}`);
  expect(await slugsOf("melancholic")).toEqual(["moods"]);
  await publishText("moods", "mood\ncheerful\n");
  expect([await slugsOf("melancholic"), await slugsOf("cheerful")]).toEqual([[], ["moods"]]);
});

test("upkeep reads what is missing, such as after an upgrade, and each version once", async () => {
  const { pool } = await database();
  await pool.query(`DELETE FROM "TableValues"`);
  expect(await slugsOf("12345")).toEqual([]);
  await readMissingValues();
  expect(await slugsOf("12345")).toEqual(["places"]);
  expect(await listUnreadTables(100)).toEqual([]);
});

test("a table whose file is lost keeps no other table from being read", async () => {
  await publishText("lost", "name\nvanished\n");
  const { pool } = await database();
  await pool.query(`DELETE FROM "TableValues"`);
  await pool.query(`ALTER TABLE "Version" DISABLE TRIGGER USER`);
  await pool.query(`UPDATE "Version" SET digest = repeat('0', 64) WHERE "tableId" =
    (SELECT t.id FROM "Table" t JOIN "Dataset" d ON d.id = t."datasetId" WHERE d.slug = 'lost')`);
  await expect(readMissingValues()).rejects.toThrow();
  expect(await slugsOf("12345")).toEqual(["places"]);
});
