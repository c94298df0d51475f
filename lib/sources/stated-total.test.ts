import { describe, expect, test } from "vitest";
import { statedInHead, statedTotal, totalText } from "./stated-total";

const reply = (document: unknown, records: string, count = 100) => statedTotal({ document, records, count });

describe("a total is recognised", () => {
  test.each<[string, unknown, string, string]>([
    ["beside the records", { total: 2345, limit: 100, offset: 0, data: [] }, "/data", "/total"],
    ["as text", { total: "2345", data: [] }, "/data", "/total"],
    ["in an object beside them", { meta: { total_count: 2345, page: 1 }, data: [] }, "/data", "/meta/total_count"],
    ["in pagination", { pagination: { total: 2345 }, items: [] }, "/items", "/pagination/total"],
    [
      "two objects deep",
      { metadata: { resultset: { count: 2345, limit: 100 } }, results: [] },
      "/results",
      "/metadata/resultset/count",
    ],
    ["above them", { count: 2345, next: null, result: { rows: [] } }, "/result/rows", "/count"],
    [
      "of Solr",
      { responseHeader: { params: { rows: "100" } }, response: { numFound: 2345, docs: [] } },
      "/response/docs",
      "/response/numFound",
    ],
    [
      "of Elasticsearch",
      { _shards: { total: 5000 }, hits: { total: { value: 2345, relation: "eq" }, hits: [] } },
      "/hits/hits",
      "/hits/total",
    ],
    ["of OData", { "@odata.count": 2345, value: [] }, "/value", "/@odata.count"],
    [
      "of DataTables, after its filter",
      { recordsTotal: 9999, recordsFiltered: 2345, data: [] },
      "/data",
      "/recordsFiltered",
    ],
    ["in a list with the records", [{ page: 1, per_page: "100", total: 2345 }, []], "/1", "/0/total"],
    ["rather than the page's own number", { count: 100, total: 2345, data: [] }, "/data", "/total"],
  ])("%s", (_, document, records, at) => {
    expect(reply(document, records)).toEqual({ records: 2345, at });
  });

  test("as a lower bound", () => {
    const hits = { total: { value: 10_000, relation: "gte" }, hits: [] };
    expect(reply({ hits }, "/hits/hits")).toMatchObject({ records: 10_000, isAtLeast: true });
  });

  test.each<[string, Record<string, string>, string | null, object]>([
    ["X-Total-Count", { "x-total-count": "2345" }, null, { records: 2345 }],
    ["X-WP-Total", { "x-wp-total": "2345" }, null, { records: 2345 }],
    ["Content-Range", { "content-range": "items 0-99/2345" }, null, { records: 2345 }],
    ["Content-Range without a unit", { "content-range": "0-99/2345" }, null, { records: 2345 }],
    ["Link", {}, '<https://x/?page=2>; rel="next", <https://x/?page=24>; rel="last"', { hasMore: true, pages: 24 }],
    ["Link without numbers", {}, "<https://x/b>; rel=next", { hasMore: true }],
  ])("in the head: %s", (_, headers, link, stated) => expect(statedInHead(headers, link)).toMatchObject(stated));
});

describe("a next page is recognised", () => {
  test.each<[string, unknown, string]>([
    ["by the number of pages", { meta: { total_pages: 24, page: 1 }, data: [] }, "/meta/total_pages"],
    ["by has_more", { has_more: true, data: [] }, "/has_more"],
    ["by its address", { next: "https://example.org/?page=2", data: [] }, "/next"],
    ["beside the page's own number", { count: 100, pages: 24, data: [] }, "/pages"],
  ])("%s", (_, document, at) => expect(reply(document, "/data")).toMatchObject({ hasMore: true, at }));
});

describe("no false alarm", () => {
  test.each<[string, unknown, number]>([
    ["smaller than the page", { total: 12, page: 1, data: [] }, 100],
    ["no whole number", { total: 2345.5, page: 1, data: [] }, 100],
    ["no number", { total: "many", page: 1, data: [] }, 100],
    ["of something elsewhere", { stats: { total: 2345 }, page: 1, data: [] }, 100],
    ["the last page", { has_more: false, next: null, total_pages: 1, data: [] }, 100],
    ["bytes", { "content-range": "bytes 0-99/2345", data: [] }, 100],
  ])("%s", (_, document, count) => expect(reply(document, "/data", count)).toBeUndefined());

  test("a sum beside a few rows is doubtful: nothing else shows a page", () => {
    expect(reply({ total: 500, amounts: [] }, "/amounts", 2)).toMatchObject({ isDoubtful: true });
    expect(reply({ total: 500, options: [] }, "/options", 20)).toMatchObject({ isDoubtful: true });
    expect(reply({ total: 500, data: [] }, "/data", 20)).not.toHaveProperty("isDoubtful");
  });

  test("bytes of a range", () => expect(statedInHead({ "content-range": "bytes 0-99/2345" }, null)).toBeUndefined());
});

test("the words say how many, and where", () => {
  expect(totalText({ records: 2345, at: "/meta/total" })).toBe('2,345 records at "/meta/total"');
  expect(totalText({ records: 2345, at: "header x-total-count" })).toBe(
    "2,345 records in the header field x-total-count",
  );
  expect(totalText({ records: 0, hasMore: true, pages: 24, at: "/pages" })).toBe('24 pages at "/pages"');
});
