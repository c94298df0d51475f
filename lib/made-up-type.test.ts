import "@/lib/testing/made-up-type";

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { measureOf } from "@/components/chart/measure";
import { suggestChart } from "@/components/chart/suggest-chart";
import { emptyDraft, valueHint } from "@/components/explorer/filters/filter-draft";
import { viewSnippets } from "@/components/explorer/view/view-snippets";
import { valueText } from "@/components/values/value-text";
import { exampleQuery } from "@/lib/describe/snippets";
import { pageBlocks } from "@/lib/docs/contents";
import { typeExamples } from "@/lib/engine/types/column-types";
import { toArrow } from "@/lib/formats/arrow";
import { stringifyExactJson } from "@/lib/formats/exact-json";
import { toParquet } from "@/lib/formats/parquet";
import { toCsv } from "@/lib/formats/text";
import { insideContext } from "@/lib/http/context";
import { TOOLBOX } from "@/lib/mcp/tools";
import { openApiDocument } from "@/lib/openapi/document";
import { execute } from "@/lib/operations/execute";
import { getCroissant } from "@/lib/operations/get-croissant";
import { getDataPackage } from "@/lib/operations/get-data-package";
import { getSchema } from "@/lib/operations/get-schema";
import { previewTable } from "@/lib/operations/preview-table";
import { queryTableAnonymously } from "@/lib/operations/query-table";
import { closeReadingEngine } from "@/lib/operations/reading/reading-engine";
import { publishTable } from "@/lib/publish/publish";
import type { ColumnNote, PublishReceipt } from "@/lib/schemas/publish";
import { buildFrom } from "@/lib/testing/build-fixture";
import { useTestState } from "@/lib/testing/database";
import { readArrow, readParquet } from "@/lib/testing/read-back";
import { filterFaults, filterOn } from "@/lib/view/filter-values";
import { viewQuery } from "@/lib/view/view";
import { readView } from "@/lib/view/view-address";
import type { QueryPage } from "./engine/run/reply";
import { readSettings } from "./kernel/env";
import type { Failure } from "./kernel/errors";

useTestState();

const folder = mkdtempSync(join(tmpdir(), "parquetry-made-up-"));
let tableId = "";

beforeAll(async () => {
  const rows = ["id,took,all", '1,PT90.5S,"[""PT1S""]"', "2,PT7S,[]", "3,,"];
  const receipt = await publish("spans", rows.join("\n"), [
    { name: "took", type: "duration", description: "How long it took.", unit: "s" },
    { name: "all", type: "list<duration>" },
  ]);
  tableId = receipt.table_id;
});

afterAll(async () => {
  await closeReadingEngine();
  rmSync(folder, { recursive: true, force: true });
});

async function publish(slug: string, csv: string, columns: ColumnNote[]): Promise<PublishReceipt> {
  const file = join(folder, `${slug}.csv`);
  writeFileSync(file, `${csv}\n`);
  const about = { slug, title: slug, summary: "s", description: "d", publisher: { name: "P" }, license: "CC0-1.0" };
  const request = { file, dataset: { ...about, topics: ["x"] }, table: { slug: "rows", name: "Rows" }, columns };
  return await publishTable(request, { now: () => new Date() });
}

async function query(body: object): Promise<QueryPage> {
  const input = { path: { table_id: tableId }, query: {}, body: body as never };
  return (await execute(queryTableAnonymously, input, insideContext())).page;
}

const rowsOf = ({ body }: QueryPage) => JSON.parse(Buffer.from(body).toString("utf8")).rows;
const rejection = async (work: Promise<unknown>): Promise<Failure> => await work.then(Promise.reject, (error) => error);

test("queries filter, order, group and aggregate it, and return its JSON form", async () => {
  const read = async (more: object) =>
    rowsOf(await query({ columns: ["id"], ...more })).map(({ id }: { id: number }) => id);
  expect(rowsOf(await query({ columns: ["took", "all"] }))).toEqual([
    { took: "PT90.500000S", all: ["PT1.000000S"] },
    { took: "PT7.000000S", all: [] },
    { took: null, all: null },
  ]);
  expect(await read({ filters: [{ column: "took", operator: "between", value: ["PT1S", "PT90S"] }] })).toEqual([2]);
  expect(await read({ filters: [{ column: "took", operator: "in", value: ["PT90.5S"] }] })).toEqual([1]);
  expect(await read({ order_by: [{ column: "took", direction: "asc" }] })).toEqual([2, 1, 3]);
  const aggregates = [{ function: "max", column: "took", as: "longest" }];
  expect(rowsOf(await query({ columns: [], aggregates }))).toEqual([{ longest: "PT90.500000S" }]);
});

test("the grammar rejects values that are not of the type, naming it", async () => {
  const filter = (operator: string, value: unknown) =>
    rejection(query({ columns: ["id"], filters: [{ column: "took", operator, value }] }));
  expect((await filter("eq", "soon")).faults[0]?.message).toBe("Expected a duration such as PT90.5S.");
  expect((await filter("between", ["PT2S", "PT1S"])).faults[0]?.message).toMatch(
    /^The first value must not be greater than the second/,
  );
  expect((await filter("contains", "P")).faults[0]?.message).toMatch(/which is of type duration/);
  const sum = { columns: [], aggregates: [{ function: "sum", column: "took", as: "n" }] };
  expect((await rejection(query(sum))).faults[0]?.message).toMatch(/which is of type duration/);
});

test("publishing rejects invalid cells, and columns of unknown types", async () => {
  const took = (type: string) => [{ name: "took", type }];
  expect((await rejection(publish("bad", "took\n90 s", took("duration")))).message).toMatch(/Row 1.*90 s.*duration/s);
  expect((await rejection(publish("bad", "took\nPT1S", took("span")))).message).toMatch(/Use one of .*duration\./);
});

test("recipes parse, filter, sort and cast it", async () => {
  const recipe = `
schema_version: service-recipe.v1
sources: [{name: s, kind: http, url: "https://data.example.org/s.csv", reader: {format: csv}}]
tables:
  - name: t
    slug: t
    from: s
    steps:
      - {step: parse, columns: [took], as: duration}
      - {step: filter, filters: [{column: took, operator: gte, value: PT5S}]}
      - {step: sort, by: [{column: took}]}
      - {step: derive, columns: {same: {col: took}}}
      - {step: cast, columns: {same: string}}
    columns: [{name: took, type: duration}, {name: same}]
    checks: [{check: range, column: took, max: PT91S}]
publish: {license: CC0-1.0, publisher: {name: Tests}}
`;
  const cells = { columns: ["took"], rows: [["PT90.5S"], ["PT7S"], ["PT1S"]] };
  const { outcome, rows } = await buildFrom(recipe, { s: cells });
  expect(outcome.failure).toBeNull();
  expect(rows.t).toEqual([
    ["7000000", "PT7.000000S"],
    ["90500000", "PT90.500000S"],
  ]);
});

test("a column retyped to it is a different column, even if stored alike", async () => {
  await publish("retyped", "took\n1000000", []);
  const receipt = await publish("retyped", "took\nPT1S", [{ name: "took", type: "duration" }]);
  expect(receipt).toMatchObject({ outcome: "published", change: "breaking" });
});

test("CSV, Arrow and Parquet contain it", async () => {
  const page = await query({ columns: ["took"] });
  expect(toCsv(page).toString()).toBe("took\r\nPT90.500000S\r\nPT7.000000S\r\n\r\n");
  const columns = [{ name: "took", type: "int64", storage: "BIGINT" }];
  const stored = [{ took: "90500000" }, { took: "7000000" }, { took: null }];
  expect(readArrow(toArrow(page, false), columns)).toEqual(stored);
  expect(await readParquet(toParquet(page, false), columns)).toEqual(stored);
});

test("schema, preview, profile and connector include it", async () => {
  const ctx = insideContext();
  const input = { path: { table_id: tableId } };
  const { columns } = await execute(getSchema, input, ctx);
  expect(columns[1]).toMatchObject({ name: "took", type: "duration", json: "string" });
  expect(columns[1]?.operators).toContain("between");
  expect(columns[1]?.functions).toEqual(["count_distinct", "min", "max"]);
  expect(columns[1]?.profile).toMatchObject({ null_count: 1, min: "PT7.000000S", max: "PT90.500000S" });
  const preview = await execute(previewTable, { ...input, query: { limit: 1 } }, ctx);
  expect(stringifyExactJson(preview)).toContain("PT90.500000S");
  const { text } = (await TOOLBOX.find("get_table_schema")?.call({ table_id: tableId }, ctx)) ?? {};
  expect(text).toContain('took: duration [s], "PT7.000000S" ×1, "PT90.500000S" ×1, 1 null | How long it took.');
});

test("Croissant, Data Package, OpenAPI and the docs describe it", async () => {
  const ctx = insideContext();
  const input = { path: { slug: "spans" } };
  expect(stringifyExactJson(await execute(getCroissant, input, ctx))).toContain('"dataType":"sc:Duration"');
  const dataPackage = stringifyExactJson(await execute(getDataPackage, input, ctx));
  expect(dataPackage).toContain('"name":"took","type":"duration"');
  expect(dataPackage).toContain('"name":"all","type":"list","itemType":"duration"');
  expect(JSON.stringify(openApiDocument("https://data.example.org"))).toContain("struct, json or duration.");
  const place = { base: "https://data.example.org", tableIds: new Map(), versionIds: [] };
  const docs = (page: string) => JSON.stringify(pageBlocks(page, { place, settings: readSettings({}) }));
  expect(docs("types")).toContain("PT90.5S");
  expect(docs("query")).toContain("`timestamp`, `duration`");
});

test("pages show it, filter by it, and generate code with it", () => {
  const columns = typeExamples().map(({ name }) => ({ name, type: name }));
  const column = { name: "duration", type: "duration" };
  expect([measureOf("duration"), valueHint("duration"), emptyDraft(column, 1).operator]).toEqual([
    "category",
    "PT90.5S",
    "gte",
  ]);
  expect(valueText("PT90.500000S", column)).toBe("PT90.500000S");
  const filter = filterOn(column, "gte", ["PT90.5S"]);
  expect([filter.value, filterFaults(filter, column)]).toEqual(["PT90.5S", []]);
  const { view, faults } = readView(new URLSearchParams("filter=duration:gte:PT90.5S&sort=-duration"), columns);
  const table = { slug: "t", queryUrl: "https://q", anonymousUrl: "https://a", currentUrl: "https://c/c" };
  const code = viewSnippets({ table, view, columns, query: viewQuery(view, columns), keyed: false });
  expect(faults).toEqual([]);
  expect(code.find(({ id }) => id === "duckdb")?.code).toContain('"duration" >= 90500000');
  expect(code.find(({ id }) => id === "json")?.code).toContain('"PT90.5S"');
  expect(exampleQuery([{ ...column, operators: ["eq"], profile: { null_count: 0 } }])).toEqual({
    columns: ["duration"],
    limit: 5,
  });
  const counts = [...columns, { name: "n", type: "int64" }];
  const rows = ["PT1S", "PT2S"].map((duration, n) => ({ duration, n }));
  expect(suggestChart(counts, { groups: ["duration"], orders: [] }, rows)).toMatchObject({
    kind: "bar",
    x: "duration",
  });
});

test("no code outside lib/engine/types checks for a column type by name", () => {
  const asks =
    /\btype [!=]== "(?:u?int\d+|float\d+|date|time|timestamp|uuid|binary|struct|json)"|u\?int|startsWith\("(?:u?int|float|decimal|list<)/;
  const files = execFileSync("git", ["ls-files", "lib", "app", "components"], { encoding: "utf8" }).split("\n");
  const asking = files
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$|^lib\/(?:engine\/types|testing)\//.test(path))
    .filter((path) => asks.test(readFileSync(path, "utf8")));
  expect(asking).toEqual([]);
});
