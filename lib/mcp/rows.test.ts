import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createUseKey } from "@/lib/access/use-keys";
import { closeReadingEngine } from "@/lib/operations/reading/reading-engine";
import { serveConnector } from "@/lib/testing/connector-server";
import { useTestState } from "@/lib/testing/database";
import { publishText } from "@/lib/testing/publish-text";

useTestState({ LIMIT_KEY_MINUTE: "100000", LIMIT_KEY_DAY: "100000" });

let service: Awaited<ReturnType<typeof serveConnector>>;
let key = "";
let [ids, long, nested, empty] = ["", "", "", ""];

const WIDE = Array.from({ length: 200 }, (_, at) => `measurement_of_station_number_${at}`);
let wide = "";
let groups = "";

beforeAll(async () => {
  service = await serveConnector();
  key = (await createUseKey({ email: "agent@example.com", name: "agent" }, new Date())).key;
  ids = await published("ids", ["id,grp", ...Array.from({ length: 130 }, (_, at) => `${at},${at % 60}`)]);
  groups = (await publishText("groups", "grp,name\n1,one\n2,two\n", { topics: ["water"], primaryKey: ["grp"] }))
    .table_id;
  wide = await published("wide", [
    WIDE.join(","),
    ...Array.from({ length: 60 }, (_, row) => WIDE.map((_, at) => row * at).join(",")),
  ]);
  long = await published("long", [
    "id,note",
    ...Array.from({ length: 20 }, (_, at) => `${at},${"word ".repeat(2000)}${at}`),
  ]);
  empty = await published("empty", ["id,name"], { columns: [{ name: "id", type: "int64" }] });
  nested = await published(
    "nested",
    ['{"id":1,"tags":["a","b"],"place":{"lat":1.5,"names":["x"]}}', '{"id":2,"tags":[],"place":null}'],
    {
      extension: "ndjson",
    },
  );
});

afterAll(async () => {
  await service.close();
  await closeReadingEngine();
});

async function published(
  slug: string,
  lines: string[],
  more: { extension?: string; columns?: { name: string; type: string }[] } = {},
): Promise<string> {
  return (await publishText(slug, `${lines.join("\n")}\n`, { topics: ["water"], ...more })).table_id;
}

async function call(name: string, args: object) {
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } };
  const headers = { "content-type": "application/json", authorization: `Bearer ${key}` };
  const text = await (await fetch(service.url, { method: "POST", headers, body: JSON.stringify(message) })).text();
  const { result } = JSON.parse(text);
  return {
    ...result,
    tokens: encode(text).length,
    text: result.content[0].text as string,
    status: result.content[0].text.split("\n")[0] as string,
  };
}

const query = (table_id: string, columns: readonly string[], more: object = {}) =>
  call("query_table", { table_id, columns, ...more });

/** What every result of rows contains. */
function expectCited(result: Awaited<ReturnType<typeof call>>): void {
  const { structuredContent: said, status, text } = result;
  expect(result.isError ?? false).toBe(false);
  expect([said.status, status.startsWith("COMPLETE")]).toEqual([status, !said.execution.truncated]);
  for (const cited of [said.citation, text.split("\n").at(-1)])
    expect(cited).toMatch(/^Cite: .*, sha256:[0-9a-f]{64}, queried \d{4}-.*\/versions\/[0-9a-f-]{36}$/);
  const next = said.next_cursor === null ? [] : [`next_cursor: ${said.next_cursor}`];
  expect(text.split("\n")).toEqual(expect.arrayContaining([...next, ...(said.advice ? [said.advice] : [])]));
}

test("a page is as large as what is sent, however long its columns' names are", async () => {
  const columns = WIDE.slice(0, 20);
  const pages: unknown[][][] = [];
  for (let cursor: string | undefined, next: string | null = ""; next !== null; cursor = next ?? undefined) {
    const { structuredContent: said, tokens } = await query(wide, columns, { limit: 1000, ...(cursor && { cursor }) });
    expect(tokens).toBeLessThan(10_000);
    pages.push(said.rows);
    next = said.next_cursor;
  }
  expect(pages.map(({ length }) => length)).toEqual([60]); // as objects, these are 48 kB
  expect(pages.flat().map((row) => row[1])).toEqual(Array.from({ length: 60 }, (_, row) => row));
  const first = (await query(wide, WIDE.slice(0, 60), { limit: 1000 })).structuredContent;
  expect(first.next_cursor).not.toBeNull(); // the columns' names, once, and as many rows as fit beside them
  const bytes = JSON.stringify([first.columns, ...first.rows]).length;
  expect([bytes > 8000, bytes < 9000]).toEqual([true, true]);
});

const FIRST_OF_EACH = { order_by: [{ column: "id" }], top: { by: ["grp"], count: 1 } };

describe("PARTIAL and COMPLETE", () => {
  const below = (value: number) => ({ filters: [{ column: "id", operator: "lt", value }] });
  test.each([
    ["no row", () => query(ids, ["id"], below(0)), "COMPLETE: 0 rows"],
    ["the first of each of 60", () => query(ids, ["id"], FIRST_OF_EACH), "PARTIAL: 50 rows, more exist"],
    ["these, counted", () => query(ids, ["id"], { ...FIRST_OF_EACH, total: true }), "PARTIAL: 50 of 60 rows"],
    ["one row", () => query(ids, ["id"], below(1)), "COMPLETE: 1 row"],
    ["one row less than a page", () => query(ids, ["id"], below(49)), "COMPLETE: 49 rows"],
    ["exactly a page", () => query(ids, ["id"], below(50)), "COMPLETE: 50 rows"],
    ["one row more than a page", () => query(ids, ["id"], below(51)), "PARTIAL: 50 rows, more exist"],
    ["the whole table", () => query(ids, ["id"], { limit: 130 }), "COMPLETE: 130 rows"],
    ["the first of three pages", () => query(ids, ["id"]), "PARTIAL: 50 of 130 rows"],
    ["the end of it, by offset", () => query(ids, ["id"], { offset: 80 }), "COMPLETE: 50 rows on this last page"],
    ["behind its end", () => query(ids, ["id"], { offset: 5000 }), "COMPLETE: 0 rows on this last page"],
    [
      "exactly a page of groups",
      () => query(ids, [], { ...below(50), group_by: ["grp"], aggregates: [{ function: "count", as: "n" }] }),
      "COMPLETE: 50 groups",
    ],
    [
      "more groups than a page",
      () => query(ids, [], { group_by: ["grp"], aggregates: [{ function: "count", as: "n" }] }),
      "PARTIAL: 50 groups, more exist",
    ],
    [
      "one group of nothing",
      () => query(ids, [], { ...below(0), aggregates: [{ function: "count", as: "n" }] }),
      "COMPLETE: 1 group",
    ],
    ["an empty table", () => query(empty, ["id"]), "COMPLETE: 0 rows"],
    ["a sample of an empty table", () => call("sample_rows", { table_id: empty }), "COMPLETE: 0 rows"],
    ["a sample", () => call("sample_rows", { table_id: ids, limit: 10 }), "PARTIAL: 10 of 130 rows"],
    [
      "one row by its place",
      () => call("sample_rows", { table_id: ids, position: 130, limit: 1 }),
      "PARTIAL: 1 of 130 rows",
    ],
    ["a sample that is all", () => call("sample_rows", { table_id: nested }), "COMPLETE: 2 rows"],
  ])("%s", async (_what, ask, status) => {
    const result = await ask();
    expect(result.status).toBe(status);
    expectCited(result);
  });

  test("page by page to the last, each row once, and only the last is COMPLETE", async () => {
    const seen: number[] = [];
    const statuses: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const result = await query(ids, ["id"], { limit: 26, ...(cursor !== undefined && { cursor }) });
      expectCited(result);
      seen.push(...result.structuredContent.rows.map(([id]: [number]) => id));
      statuses.push(result.status.split(":")[0]);
      cursor = result.structuredContent.next_cursor;
    }
    expect([seen, statuses]).toEqual([
      Array.from({ length: 130 }, (_, at) => at),
      ["PARTIAL", "PARTIAL", "PARTIAL", "PARTIAL", "COMPLETE"],
    ]);
  });
});

describe("10,000 tokens hold", () => {
  test.each([
    ["200 columns", () => query(wide, WIDE)],
    ["a sample of 200 columns", () => call("sample_rows", { table_id: wide })],
    ["the schema of 200 columns", () => call("get_table_schema", { table_id: wide })],
    ["a dataset of 200 columns", () => call("get_dataset", { slug: "wide" })],
    ["the text of a dataset of 200 columns", () => call("fetch", { id: "wide" })],
    ["long texts", () => query(long, ["id", "note"])],
    ["a sample of long texts", () => call("sample_rows", { table_id: long, limit: 100 })],
    ["nested values", () => query(nested, ["id", "tags", "place"])],
    ["a row of 200 columns", () => call("sample_rows", { table_id: wide, position: 1, limit: 1 })],
    ["a row of long texts", () => call("sample_rows", { table_id: long, position: 2, limit: 1 })],
  ])("%s", async (_what, ask) => {
    const { tokens, text, isError, structuredContent } = await ask();
    expect(tokens).toBeLessThan(10_000);
    if (isError) expect(text).toMatch(/^result_too_large: [\s\S]*\nNext: /);
    else expect(structuredContent).toBeDefined();
  });

  test("nested values are returned unchanged", async () => {
    expect((await query(nested, ["tags", "place"])).structuredContent.rows).toEqual([
      [["a", "b"], { lat: 1.5, names: ["x"] }],
      [[], null],
    ]);
  });
});

test("notes are advice in both forms, with their facts in the structured content", async () => {
  const filters = [{ column: "note", operator: "contains", value: "WORD" }];
  const { structuredContent: said, text } = await query(long, ["id"], { filters });
  const message = "20 more rows match in the column note if case is ignored (ignore_case).";
  expect(said.execution.notes).toEqual([{ code: "other_case", pointer: "/filters/0", message, count: 20 }]);
  expect([said.advice.startsWith(message), text.includes(message)]).toEqual([true, true]);
  expect((await query(ids, ["id"])).structuredContent.execution).not.toHaveProperty("notes");
});

test("tables that columns are looked up in are named like the table itself", async () => {
  const named = (table_id: string) =>
    query("ids", ["id", "g.name"], {
      lookups: [{ table_id, on: { grp: "grp" }, columns: ["name"], as: "g" }],
      filters: [{ column: "id", operator: "eq", value: 1 }],
    });
  const shown = (await Promise.all([groups, "groups", "groups/rows"].map(named))).map(
    ({ structuredContent }) => structuredContent.rows,
  );
  expect(shown).toEqual([[[1, "one"]], [[1, "one"]], [[1, "one"]]]);
  const wrong = await named("group");
  expect([wrong.isError, wrong.text]).toEqual([true, expect.stringContaining("/lookups/0/table_id")]);
  expect(wrong.text).toContain("groups");
});
