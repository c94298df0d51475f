import { expect, test } from "vitest";
import { readRecipe } from "./read-recipe";
import { storedRecipe } from "./stored-recipe";

const DOCUMENT = JSON.stringify({
  schema_version: "service-recipe.v1",
  sources: [{ name: "open", kind: "http", url: "https://data.example.org/open.csv", reader: { format: "csv" } }],
  tables: [{ name: "levels", from: "open", checks: [{ check: "row_count", min: 1 }] }],
  publish: { license: "CC0-1.0", publisher: { name: "Office" } },
});

test("a stored recipe is read once, equals its document, and cannot be modified", () => {
  const stored = storedRecipe(DOCUMENT);
  expect(stored).toEqual(readRecipe(DOCUMENT));
  expect(storedRecipe(DOCUMENT)).toBe(stored);
  expect(() => stored.recipe.sources.pop()).toThrow(TypeError);
  expect(() => Object.assign(stored.recipe.publish, { license: "MIT" })).toThrow(TypeError);
});

test("a document with faults is rejected each time", () => {
  for (const _ of [1, 2]) expect(() => storedRecipe('{"sources":[]}')).toThrow();
});
