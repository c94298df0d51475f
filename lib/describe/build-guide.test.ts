import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import { checkRecipe } from "@/lib/builds/check-recipe";
import { CHECK_KINDS } from "@/lib/builds/checks/registry";
import { FUNCTIONS } from "@/lib/builds/expressions/registry";
import { STEP_KINDS } from "@/lib/builds/steps/registry";
import { OPERATIONS } from "@/lib/operations/registry";
import { READER_FORMATS } from "@/lib/schemas/recipe-reader";
import { SOURCE_KINDS } from "@/lib/schemas/recipe-source";
import { buildGuide, GUIDE_RECIPE } from "./build-guide";
import { REFERENCE_URI, recipeReference } from "./recipe-reference";

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

test("the guide shows every step, check, source and format in under 3,500 tokens, and names the reference", () => {
  const guide = buildGuide("https://data.example.net");
  for (const step of Object.keys(STEP_KINDS)) expect(guide).toContain(`- {step: ${step}, `);
  for (const check of Object.keys(CHECK_KINDS)) expect(guide).toMatch(new RegExp(`- \\{check: ${check}\\b`));
  for (const kind of SOURCE_KINDS) expect(guide).toContain(`kind: ${kind},`);
  for (const format of READER_FORMATS) expect(guide).toContain(`- {format: ${format}, options: {`);
  expect(guide).toContain('then: {promote: "private"}');
  expect(guide).toContain(REFERENCE_URI);
  expect(encode(guide).length).toBeLessThan(3500);
});

test("the reference has the keys of every part and every function and its defaults in under 7,500 tokens", () => {
  const text = recipeReference();
  for (const name of [...Object.keys(STEP_KINDS), ...Object.keys(CHECK_KINDS), ...Object.keys(FUNCTIONS)])
    expect(text).toContain(`\n- ${name}: `);
  expect(text).toContain("names_to?: string, values_to: string");
  for (const usual of [
    "start?: integer = 1",
    "max?: integer = 1000",
    "rows?: [integer] = [1]",
    '= [""]',
    "depth?: integer = 1",
  ])
    expect(text).toContain(usual);
  expect(encode(text).length).toBeLessThan(7500);
});
