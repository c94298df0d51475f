import { expect, test } from "vitest";
import { checkRecipe } from "@/lib/builds/check-recipe";
import { OPERATIONS } from "@/lib/operations/registry";
import { buildGuide, GUIDE_RECIPE } from "./build-guide";

test("the guide's recipe is complete and valid", () => {
  const columns = ["Pegel", "Stand", "Tag"].map((name) => ({ name, type: "string", storage: "VARCHAR" }));
  const checked = checkRecipe(GUIDE_RECIPE, new Map([["office", columns]]));
  expect(checked).toMatchObject({ checked: "full", warnings: [], tables: [{ slug: "levels" }] });
});

test("every call that the guide names is an operation", () => {
  const calls = [...buildGuide("https://data.example.net").matchAll(/`([a-z]+_[a-z_]+) \{/g)].map(([, name]) => name);
  expect(calls.length).toBeGreaterThan(5);
  expect(calls.filter((name) => !OPERATIONS.some((operation) => operation.name === name))).toEqual([]);
});
