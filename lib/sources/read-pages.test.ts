import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "lossless-json";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { SOURCES } from "@/lib/schemas/recipe-source";
import { type SourceServer, startSource } from "@/lib/testing/source-server";
import { nextLink } from "./link-header";
import { readPages } from "./read-pages";

let server: SourceServer;
let folder: string;
beforeAll(async () => {
  server = await startSource();
  folder = await mkdtemp(join(tmpdir(), "read-pages-"));
});
beforeEach(() => {
  server.asked.length = 0;
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const ITEMS = [1, 2, 3, 4, 5].map((id) => ({ id }));

function read(pages: object, records = "/items", own: object = {}) {
  const source = { name: "api", kind: "http", url: server.origin, reader: { format: "json" }, pages, ...own };
  const described = SOURCES.http.parse(parse(JSON.stringify(source)));
  if (!described.pages) throw new Error("There are pages");
  return readPages(
    {
      url: `${server.origin}/items?q=1`,
      pages: described.pages,
      records,
      comparesTotal: described.stated_total === "compare",
      pathOf: (number) => join(folder, `${number}`),
      limits: { bytes: 100_000, idleMs: 60_000, mayCut: false, seconds: 600 },
    },
    {
      connecting: server.connecting(),
      signal: new AbortController().signal,
      wait: async () => undefined,
      turn: async () => async () => undefined,
    },
  );
}

/** Two items per page, from an offset in the request. */
function serve(
  offsetOf: (url: URL) => number,
  more: (from: number) => object = () => ({}),
  head = (_: number) => ({}),
) {
  server.answer((request, reply) => {
    const from = offsetOf(new URL(request.url ?? "", server.origin));
    reply.writeHead(200, head(from)).end(JSON.stringify({ items: ITEMS.slice(from, from + 2), ...more(from) }));
  });
}

const numberOf = (name: string) => (url: URL) => Number(url.searchParams.get(name) ?? 0);

describe("all pages are read:", () => {
  test("by offset, to the empty page", async () => {
    serve(numberOf("offset"));
    expect((await read({ by: "offset", size: 2 })).pages.map(({ records }) => records)).toEqual([2, 2, 1]);
    expect(server.asked.map(({ url }) => url)).toEqual(
      [0, 2, 4, 6].map((offset) => `/items?q=1&offset=${offset}&limit=2`),
    );
  });
  test("by page, to the short one if that is declared", async () => {
    serve((url) => (numberOf("page")(url) - 1) * 2);
    expect((await read({ by: "page", size: 2, stop: { short_page: true } })).pages.length).toBe(3);
    expect(server.asked.length).toBe(3);
  });
  test("by cursor", async () => {
    serve(numberOf("after"), (from) => ({ next: from < 4 ? String(from + 2) : null }));
    expect((await read({ by: "cursor", path: "/next", send: { query: "after" } })).pages.length).toBe(3);
  });
  test("by the last record's key", async () => {
    serve(numberOf("since"));
    expect((await read({ by: "key", path: "/id", send: { query: "since" } })).pages.length).toBe(3);
  });
  test("by a URL in the page", async () => {
    serve(numberOf("at"), (from) => ({ next: from < 4 ? `/items?at=${from + 2}` : null }));
    expect((await read({ by: "next_url", path: "/next" })).pages.length).toBe(3);
  });
  test("by the Link header", async () => {
    const link = (from: number) => (from < 4 ? { link: `</x>; rel="prev", </items?at=${from + 2}>; rel="next"` } : {});
    serve(numberOf("at"), () => ({}), link);
    expect((await read({ by: "link_header" })).pages.length).toBe(3);
  });
  test("while has_more is true", async () => {
    serve(numberOf("offset"), (from) => ({ more: from < 4 }));
    await read({ by: "offset", size: 2, stop: { has_more: "/more" } });
    expect(server.asked.length).toBe(3);
  });
});

describe("refused:", () => {
  test("a page equal to the previous one", async () => {
    serve(() => 0);
    await expect(read({ by: "offset", size: 2 })).rejects.toMatchObject({ code: "pages_repeat" });
  });
  test("a total that the pages do not reach", async () => {
    serve(numberOf("offset"), () => ({ total: 50 }));
    await expect(read({ by: "offset", size: 2, stop: { total: "/total" } })).rejects.toMatchObject({
      code: "pages_incomplete",
    });
  });
  test("a declared total that is missing", async () => {
    serve(numberOf("offset"));
    await expect(read({ by: "offset", size: 2, stop: { total: "/total" } })).rejects.toMatchObject({
      code: "reader_mismatch",
    });
  });
  test("a next page at another origin", async () => {
    serve(
      () => 0,
      () => ({ next: "https://elsewhere.example.org/" }),
    );
    await expect(read({ by: "next_url", path: "/next" })).rejects.toMatchObject({ code: "source_refused" });
  });
});

describe("what the source states about its records is compared, whatever the recipe names:", () => {
  const offset = { by: "offset", size: 2 };
  test.each<[string, (from: number) => object, (from: number) => object]>([
    ["a total", () => ({ total: 50 }), () => ({})],
    ["a total in an object", () => ({ meta: { total: 50 } }), () => ({})],
    ["a number of pages", () => ({ pages: 25 }), () => ({})],
    ["a header field", () => ({}), () => ({ "x-total-count": "50" })],
  ])("%s that is not reached is a failure", async (_, more, head) => {
    serve(numberOf("offset"), more, head);
    await expect(read(offset)).rejects.toMatchObject({ code: "pages_incomplete" });
    expect((await read(offset, "/items", { stated_total: "ignore" })).pages.length).toBe(3);
  });
  test("fewer records by even one are a failure", async () => {
    serve(numberOf("offset"), () => ({ total: 6 }));
    await expect(read(offset)).rejects.toThrow(/5 records, but the source states 6 records at "\/total"/);
  });
  test("more records than stated are a warning", async () => {
    serve(numberOf("offset"), () => ({ total: 4 }));
    expect((await read(offset)).warnings).toMatchObject([{ warning: "total_exceeded" }]);
  });
  test("a total that falls while the pages are read counts as it is at the end", async () => {
    serve(numberOf("offset"), (from) => ({ total: from === 0 ? 6 : 5 }));
    expect((await read(offset)).warnings).toEqual([]);
  });
  test("the number of records of a page is no total", async () => {
    serve(numberOf("offset"), (from) => ({ count: ITEMS.slice(from, from + 2).length }));
    expect((await read(offset)).warnings).toEqual([]);
  });
});

describe("pages that an API shortens or repeats:", () => {
  const serveSizes = (sizes: readonly number[], step: number) => {
    server.answer((request, reply) => {
      const from = numberOf("offset")(new URL(request.url ?? "", server.origin));
      const items = Array.from({ length: sizes[from / step] ?? 0 }, (_, at) => ({ id: from + at }));
      reply.writeHead(200).end(JSON.stringify({ items }));
    });
  };
  test("a short page before the last is told, with its number", async () => {
    serveSizes([4, 3, 4, 1], 4);
    const { warnings } = await read({ by: "offset", size: 4 });
    expect(warnings).toMatchObject([{ warning: "pages_short", message: expect.stringContaining("page 2 has 3") }]);
  });
  test("a short last page is usual", async () => {
    serveSizes([4, 4, 1], 4);
    expect((await read({ by: "offset", size: 4 })).warnings).toEqual([]);
  });
  test("offsets that skip rows are a failure", async () => {
    serveSizes([2, 2, 2, 1], 4);
    await expect(read({ by: "offset", size: 4 })).rejects.toThrow("Set size to 2.");
  });
  test("a page equal to an earlier one is a failure", async () => {
    serve((url) => (numberOf("page")(url) % 2) * 2);
    await expect(read({ by: "page", size: 2 })).rejects.toThrow("Page 3 has the same records as page 1");
  });
});

test("more pages than the limit fail with a code, and never give a part", async () => {
  serve(numberOf("offset"));
  await expect(read({ by: "offset", size: 2, max: 2 })).rejects.toMatchObject({ code: "pages_incomplete" });
});

test("a key on two pages is a warning, but twice on one page it is not", async () => {
  serve((url) => Math.max(0, numberOf("page")(url) * 2 - 3));
  const paged = { by: "page", size: 2, unique_key: ["/id"] };
  expect((await read(paged)).warnings).toMatchObject([{ warning: "pages_overlap" }]);
  serve((url) => numberOf("offset")(url));
  expect((await read({ by: "offset", size: 2, unique_key: ["/id"] })).warnings).toEqual([]);
});

test.each([
  ['<https://x/2>; rel="next"', "https://x/2"],
  ["<https://x/2>; rel=next, <https://x/9>; rel=last", "https://x/2"],
  ['<https://x/1>; rel="prev", <https://x/3>; title="a"; rel="next"', "https://x/3"],
  ['<https://x/1>; rel="prev"', undefined],
  ["", undefined],
])("the next page of %s", (header, next) => expect(nextLink(header)).toBe(next));
