import { describe, expect, test } from "vitest";
import { useInspector } from "@/lib/testing/inspector";

const { sources, call, inspect } = await useInspector();

test("records and pages of an API", async () => {
  const { reply } = await inspect("/items");
  expect(reply).toMatchObject({
    json: { paging: { pages: { by: "link_header", stop: { total: "/total" } } } },
    reader: { format: "json", options: { records: "/items" } },
    source: { pages: { by: "link_header" } },
    columns: [
      { name: "id", type: "int64" },
      { name: "on", type: "date" },
      { name: "tags", type: "list<string>" },
      { name: "value", type: "float64" },
    ],
    table: { steps: [{ step: "parse", columns: ["on"], as: "date" }] },
  });
});

test("the pages that a source names are requested: the first of them is inspected", async () => {
  const url = `${sources.origin}/nested`;
  const pages = { by: "page", size: 20, stop: { total: "/meta/found" } };
  const { reply, text } = await inspect("/nested", { source: { url, pages } });
  expect(reply).toMatchObject({ source: { url, pages, reader: { options: { records: "/results" } } } });
  expect(text).not.toContain("Without pages, only this page is read");
});

describe("a URL that returns an empty list, and mentions records,", () => {
  test("is requested again with page parameters, which is reported and proposed", async () => {
    const { reply, text } = await inspect("/nested");
    expect(sources.asked.map(({ url }) => url)).toEqual(["/nested", "/nested?page=1&limit=100"]);
    expect(text).toContain(
      'Warning: "/results" is empty, although "/meta/found" is 60. With page=1&limit=100 the source returns records',
    );
    expect(reply.source).toEqual({
      ...{ kind: "http", name: "source", url: `${sources.origin}/nested` },
      pages: { by: "page", size: 100, stop: { total: "/meta/found" } },
      reader: { format: "json", options: { records: "/results" } },
    });
    expect(reply.rows).toEqual({ count: 60, estimate: null });
  });
  test("keeps the parameters in its query if pages do not set them", async () => {
    const { reply } = await inspect("/linked");
    expect(reply.source).toMatchObject({
      pages: { by: "next_url", path: "/next" },
      query: { page: "1", per_page: "100" },
    });
    expect(sources.asked.map(({ url }) => url)).toEqual([
      ...["/linked", "/linked?page=1&limit=100", "/linked?page=1&per_page=100"],
    ]);
  });
  test("is shown unchanged if none of that helps, with what was tried", async () => {
    const { reply, text } = await inspect("/empty");
    expect(reply).toMatchObject({ state: "done", transport: { final_url: `${sources.origin}/empty` } });
    expect(text).toContain(
      "page=1&limit=100 (no records), page=1&per_page=100 (status 400), offset=0&limit=100 (no rec",
    );
    expect(text).toContain('Inspect it with the parameters that its documentation names, such as "query":{"page":"1"');
    expect(sources.asked).toHaveLength(4);
  });
  test("is left alone once it rejects", async () => {
    const { text } = await inspect("/strict");
    expect(sources.asked.map(({ url }) => url)).toEqual(["/strict", "/strict?page=1&limit=100"]);
    expect(text).toContain("Also tried: page=1&limit=100 (status 403).");
  });
});

describe("a URL without page parameters, whose reply states more records than it has,", () => {
  test("is asked for a second page, and the parameters that return it are proposed", async () => {
    const { reply, text } = await inspect("/offset");
    expect(sources.asked.map(({ url }) => url)).toEqual(["/offset", "/offset?offset=20&limit=20"]);
    expect(reply).toMatchObject({
      source: { url: `${sources.origin}/offset`, pages: { by: "offset", size: 20, stop: { total: "/total" } } },
      rows: { count: null, estimate: 40 },
    });
    expect(text).toContain('Pages by 40 records at "/total"; offset=20&limit=20 returns other records');
  });
  test("has no pages in its proposal if none of them do, and the warning asks for them", async () => {
    const { reply, text } = await inspect("/deaf");
    expect(reply.source).not.toHaveProperty("pages");
    expect(reply.rows).toEqual({ count: null, estimate: 40 });
    expect(text).toContain("Warning: It is not certain which parameters request the next page.");
    expect(sources.asked).toHaveLength(4);
  });
});

test("nested records over pages: the proposal builds without changes, and replies count their rows", async () => {
  const { reply, text } = await inspect("/nested?page=1&limit=20&sort=id");
  expect(reply.source).toMatchObject({
    url: `${sources.origin}/nested?sort=id`,
    pages: { by: "page", size: 20, stop: { total: "/meta/found" } },
  });
  expect(text).toContain(
    '\n1: {"id":0,"place":{"code":"P0","at":{"lat":50,"lon":7}},"tags":["a","b"],"on":{"utc":"2026',
  );
  expect(reply.table).toMatchObject({
    steps: [
      { step: "flatten", column: "place", fields: { place_code: { at: "/code", type: "string" } } },
      { step: "flatten", column: "on", fields: { on_utc: { at: "/utc", type: "string" } } },
      { step: "parse", columns: ["on_utc"], as: "timestamp" },
    ],
  });
  const shown = await call("get_source_inspection", { inspection_id: reply.inspection_id, show: ["raw"] });
  expect(shown.reply.raw).toHaveLength(3);
  const { dataset } = (await call("create_dataset", { title: "Nested" })).reply as unknown as {
    dataset: { slug: string };
  };
  const recipe = {
    schema_version: "service-recipe.v1",
    sources: [reply.source],
    tables: [{ name: "nested", from: "source", ...reply.table, checks: [{ check: "row_count", min: 60 }] }],
    publish: { license: "CC0-1.0", publisher: { name: "Office" } },
  };
  const registered = await call("register_recipe", { dataset: dataset.slug, recipe, start: true });
  const { run_id } = (registered.reply as unknown as { run: { run_id: string } }).run;
  const { reply: sample } = await call("confirm_run", { run_id, wait_ms: 20_000 });
  expect(sample).toMatchObject({
    sample: {
      checks: expect.arrayContaining([expect.objectContaining({ check: "row_count", outcome: "passed" })]),
      sampled: [{ rows: 60, of: 60 }],
    },
  });
  const few = await call("query_run", { run_id, table: "nested", columns: ["place_at_lat"], limit: 2 });
  expect(few.text).toContain("\nPARTIAL: 2 of 60 rows; for the next page, send cursor = next_cursor\n");
  const many = await call("query_run", { run_id, table: "nested", limit: 60 });
  expect(many.text).toMatch(
    /\nPARTIAL: \d\d of 60 rows, as many as fit in 9,000 bytes; for the next page, send cursor/,
  );
  expect((many.reply as unknown as { total_rows: number }).total_rows).toBe(60);
});
