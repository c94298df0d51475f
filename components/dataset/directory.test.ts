import { describe, expect, test } from "vitest";
import { marksOf, markWords } from "@/components/ui/mark-words";
import { SIZES } from "@/lib/schemas/facets";
import { directoryUrl, paramsOf, readDirectoryState, SIZE_LABELS, toggled } from "./directory-url";

describe("address", () => {
  test("every state round-trips through the URL", () => {
    const state = {
      q: "a&b ü",
      topic: ["air travel", "climate"],
      publisher: ["noaa"],
      license: ["CC0-1.0"],
      freshness: ["unknown"],
      size: ["1k-10k", "over-1m"],
      sort: "title",
      cursor: "x.y",
    };
    expect(readDirectoryState(paramsOf(new URL(directoryUrl(state), "http://a").searchParams))).toEqual(state);
  });

  test("no choice is the plain directory URL", () => {
    expect(directoryUrl({ q: "", topic: undefined, license: [] })).toBe("/datasets");
  });

  test("unknown parameters, and repeated ones but for facets, are ignored", () => {
    expect(
      readDirectoryState({ q: ["first", "second"], utm: "x", sort: "newest", size: "huge", freshness: "x" }),
    ).toEqual({ q: "first" });
    expect(readDirectoryState({ topic: ["b", "a", "b", ""], size: ["huge", "over-1m"] })).toEqual({
      topic: ["a", "b"],
      size: ["over-1m"],
    });
    expect(readDirectoryState({ topic: [..."qwertyuiopas"] }).topic).toHaveLength(10);
  });

  test("a value is added to its facet, or removed if it was chosen; the address is the same in any order", () => {
    const one = toggled({ q: "x", cursor: "c" }, "topic", "b");
    expect(one).toEqual({ q: "x", topic: ["b"] });
    expect(directoryUrl(toggled(one, "topic", "a"))).toBe(
      directoryUrl(toggled(toggled({ q: "x" }, "topic", "a"), "topic", "b")),
    );
    expect(directoryUrl(toggled(one, "topic", "b"))).toBe("/datasets?q=x");
  });

  test("text that the database would reject is removed, however long", () => {
    expect(readDirectoryState({ topic: "a\u0000b", q: "x".repeat(5000), publisher: "y".repeat(90) })).toEqual({
      q: "x".repeat(200),
      topic: ["ab"],
      publisher: ["y".repeat(80)],
    });
  });
});

test("the sizes are those of the API, in its order", () => {
  expect(Object.keys(SIZE_LABELS)).toEqual([...SIZES]);
});

describe("marking", () => {
  const marked = (text: string, readings: Parameters<typeof marksOf>[0]) => {
    const parts = markWords(text, marksOf(readings));
    expect(parts.map((part) => part.text).join("")).toBe(text);
    return parts.filter((part) => part.marked).map((part) => part.text);
  };

  test("beginnings of words, in any case and with accents", () => {
    expect(marked("US flights, inflight, Flüge", [{ word: "flu", found: "prefix", read_as: ["flu"] }])).toEqual([
      "Flü",
    ]);
    expect(marked("US Flights, inflight", [{ word: "flight", found: "whole", read_as: ["flight"] }])).toEqual([
      "Flight",
    ]);
  });

  test("other forms of the word, and what a misspelt one was taken for", () => {
    expect(marked("A delay, delayed", [{ word: "delays", found: "whole", read_as: ["delays", "delay"] }])).toEqual([
      "delay",
    ]);
    expect(marked("Earthquakes", [{ word: "earthqake", found: "similar", read_as: ["earthquake"] }])).toEqual([
      "Earthquake",
    ]);
  });

  test("nothing for words without matches or too short ones, and pattern characters are literal", () => {
    expect(marked("a(b) c", [{ word: "c", found: "prefix", read_as: [] }])).toEqual([]);
    expect(marked("a(b) .*", [])).toEqual([]);
  });
});
