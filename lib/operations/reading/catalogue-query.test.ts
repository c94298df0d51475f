import { expect, test } from "vitest";
import { catalogueFilter, listingOf } from "./catalogue-query";

test("a listing with one value of a facet is what it was before a facet could have several: its cursors stay valid", () => {
  expect(listingOf(catalogueFilter({ q: "a b", topic: ["water"], size: ["over-1m"] }), "title")).toBe(
    '[{"words":["a","b"],"topic":"water","size":"over-1m"},"title"]',
  );
});

test("the order of a facet's values, and repeated ones, make no other listing", () => {
  const of = (...topic: string[]) => listingOf(catalogueFilter({ topic }), "title");
  expect(of("b", "a", "b")).toBe(of("a", "b"));
  expect(of("a")).not.toBe(of("a", "b"));
});
