import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { checkRecipe } from "@/lib/builds/check-recipe";
import { SHOWCASE_SLUGS } from "./catalogue";
import { parseShowcase, readShowcase } from "./dataset-file";

const PENGUINS = "lib/showcase/datasets/palmer-penguins.yaml";
const FLIGHTS = "lib/showcase/datasets/us-flights-2001.yaml";

/** What is said about a dataset's file in which some text was replaced. */
function faultsOf(path: string, text: string, replacement: string): string[] {
  const before = readFileSync(path, "utf8");
  expect(before).toContain(text);
  try {
    parseShowcase(path, before.replace(text, replacement));
  } catch (error) {
    return (error as Error).message.split("\n  ");
  }
  return [];
}

test("every file is a dataset of the catalogue, and the reverse", () => {
  expect(readdirSync("lib/showcase/datasets").sort()).toEqual(SHOWCASE_SLUGS.map((slug) => `${slug}.yaml`).sort());
});

test.each(SHOWCASE_SLUGS)("the recipe of %s, if it has one, passes the checks of any recipe", (slug) => {
  const { recipe } = readShowcase(slug);
  if (recipe !== undefined) expect(checkRecipe(recipe, new Map()).canonical).toBe(recipe);
});

test.each([
  [
    "title: Palmer",
    "heading: Palmer",
    ["/title: title is missing: expected a string.", '/heading: Unknown key "heading".'],
  ],
  ["installed_as", "folder", ["/releases/0/installed_as: installed_as is missing: expected a string."]],
  ["temporal_coverage: null\n", "", ["/temporal_coverage: temporal_coverage is missing: expected a string."]],
  ["2025-10-04T17:45:15.105Z", "yesterday", ["/releases/0/published_at: Use a day, or a time that ends with Z"]],
  ["label: 3.2.1", "label: 3.2", ['/releases/0/label: Expected a string. Put it in quotes: "3.2".']],
  ["recipe:\n", "prepare: penguins\nrecipe:\n", ['/prepare: Unknown prepare: "penguins".']],
  ["      only: true", "      alone: true", ['/recipe/tables/0/alone: Unknown key "alone".']],
  ["      - step: cast", "      - step: coin", ['/recipe/tables/0/steps/0/step: Unknown step: "coin".']],
  [
    "    license: CC0-1.0\n    topics",
    "    topics",
    ["/recipe/publish/license: license is missing: expected a string."],
  ],
  ["    summary: Beak", "    note: Beak", ["/recipe/publish/summary: summary is missing: expected a string."]],
  ["          unit: mm", "          measure: mm", ['Unknown key "measure".']],
  ["title: Palmer", "title: Penguins\ntitle: Palmer", ["Line 2: Map keys must be unique."]],
])("a recipe's file with a fault is refused, with its place: %j → %j", (text, replacement, faults) => {
  const [head, ...told] = faultsOf(PENGUINS, text, replacement);
  expect(head).toBe(`${PENGUINS} is not valid:`);
  for (const fault of faults) expect(told.join("\n")).toContain(fault);
});

test.each([
  ["  file: data", "  path: data", ["/published/file: file is missing", '/published/path: Unknown key "path".']],
  ["published:", "recipes:", ['/recipes: Unknown key "recipes".']],
  [
    "published:",
    "recipe: {}\npublished:",
    ["/recipe/sources: sources is missing", "/recipe/publish: publish is missing"],
  ],
  ["    - slug: flights", "    - name: flights", ["/published/tables/0/slug: slug is missing: expected a string."]],
])("a file for prepared files with a fault is refused, with its place: %j → %j", (text, replacement, faults) => {
  const told = faultsOf(FLIGHTS, text, replacement);
  for (const fault of faults) expect(told.join("\n")).toContain(fault);
});

test("a dataset needs a recipe or prepared files", () => {
  const [text = ""] = readFileSync(FLIGHTS, "utf8").split("published:\n");
  expect(() => parseShowcase(FLIGHTS, text)).toThrow("/: Give exactly one of recipe and published.");
});
