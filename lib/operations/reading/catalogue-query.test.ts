import { expect, test } from "vitest";
import { catalogueFilter, listingOf } from "./catalogue-query";

test("a listing with one value of a facet is named as before there could be several, for older cursors", () => {
  expect(listingOf(catalogueFilter({ q: "a b", topic: ["water"], size: ["over-1m"] }), "title")).toBe(
    '[{"words":["a","b"],"topic":"water","size":"over-1m"},"title"]',
  );
});

test("the order of a facet's values, and repeated ones, do not change the listing", () => {
  const of = (...topic: string[]) => listingOf(catalogueFilter({ topic }), "title");
  expect(of("b", "a", "b")).toBe(of("a", "b"));
  expect(of("a")).not.toBe(of("a", "b"));
});
