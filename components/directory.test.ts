import { describe, expect, test } from "vitest";
import { directoryUrl, readDirectoryState } from "./directory-url";
import { facetCounts } from "./facet-counts";
import { markWords } from "./mark-words";

describe("address", () => {
  test("every state survives the way through the address", () => {
    const state = { q: "a&b ü", topic: "air travel", publisher: "noaa", license: "CC0-1.0", sort: "title", cursor: "x.y" };
    expect(readDirectoryState(Object.fromEntries(new URL(directoryUrl(state), "http://a").searchParams))).toEqual(state);
  });

  test("nothing chosen is the bare directory", () => {
    expect(directoryUrl({ q: "", topic: undefined })).toBe("/datasets");
  });

  test("strangers and repetitions are ignored", () => {
    expect(readDirectoryState({ q: ["first", "second"], utm: "x", sort: " " })).toEqual({ q: "first" });
  });

  test("no text that the database refuses gets through, however long", () => {
    expect(readDirectoryState({ topic: "a\u0000b", license: "x".repeat(5000) })).toEqual({ topic: "ab", license: "x".repeat(200) });
  });
});

describe("facets", () => {
  const publisher = (slug: string) => ({ slug, name: slug.toUpperCase(), url: null });
  const entries = [
    { topics: ["air", "time"], publisher: publisher("bts"), license: "CC0-1.0" },
    { topics: ["air"], publisher: publisher("faa"), license: "CC0-1.0" },
    { topics: ["plants"], publisher: publisher("faa"), license: "MIT" },
  ];

  test("a count is what choosing the value would leave, the other facets kept", () => {
    expect(facetCounts(entries, "topic", { license: "CC0-1.0" }).map(({ value, count }) => [value, count])).toEqual([
      ["air", 2],
      ["time", 1],
    ]);
  });

  test("a facet's own choice does not hide its other values", () => {
    expect(facetCounts(entries, "license", { license: "MIT" }).map(({ value }) => value)).toEqual(["CC0-1.0", "MIT"]);
  });

  test("publishers are chosen by slug and shown by name", () => {
    expect(facetCounts(entries, "publisher", {})[0]).toEqual({ value: "faa", label: "FAA", count: 2 });
  });
});

describe("marking", () => {
  test("words are marked at their beginning, in any case, and no letter is lost", () => {
    const parts = markWords("US flights, inflight", "FLIGHT us");
    expect(parts.filter((part) => part.marked).map((part) => part.text)).toEqual(["US", "flight"]);
    expect(parts.map((part) => part.text).join("")).toBe("US flights, inflight");
  });

  test("signs of regular expressions mean nothing", () => {
    expect(markWords("a(b)", "( .* [")).toEqual([{ text: "a(b)", marked: false }]);
  });
});
