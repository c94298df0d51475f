import { expect, test } from "vitest";
import { draftRecipe } from "@/lib/builds/document/read-recipe";
import { readTree } from "@/lib/builds/document/tree";
import { GUIDE_RECIPE } from "./build-guide";
import { recipeText } from "./recipe-text";

test("a stored recipe is shown as people write it, and remains the same document", () => {
  const stored = draftRecipe(readTree(GUIDE_RECIPE));
  const shown = recipeText(JSON.parse(stored.canonical));
  expect(draftRecipe(readTree(shown)).documentDigest).toBe(stored.documentDigest);
  expect(shown.split("\n").slice(0, 4)).toEqual([
    "schema_version: service-recipe.v1",
    "sources:",
    "  - name: office",
    "    kind: http",
  ]);
  const placeOf = (key: string) => shown.search(new RegExp(`^ *${key}:`, "m"));
  const keys = ["sources", "tables", "steps", "columns", "checks", "refresh", "publish"].map(placeOf);
  expect(keys.filter((place) => place >= 0)).toEqual(keys.filter((place) => place >= 0).toSorted((a, b) => a - b));
  expect(shown).toContain("\n      - {step: ");
  expect(Math.max(...shown.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(110);
});
