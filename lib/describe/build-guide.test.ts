import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import { checkRecipe } from "@/lib/builds/check-recipe";
import { CHECK_KINDS } from "@/lib/builds/checks/registry";
import { FUNCTIONS } from "@/lib/builds/expressions/registry";
import { dateTokenTexts } from "@/lib/builds/formats/date-tokens";
import { STEP_KINDS } from "@/lib/builds/steps/registry";
import { OPERATIONS } from "@/lib/operations/registry";
import { READER_FORMATS } from "@/lib/schemas/recipe-reader";
import { SOURCE_KINDS } from "@/lib/schemas/recipe-source";
import { buildGuide, GUIDE_RECIPE } from "./build-guide";
import { RECIPE_PARTS, REFERENCE_URI, type RecipePart, recipePart, recipeReference } from "./recipe-reference";

test("the guide's recipe is complete and valid", () => {
  const columns = ["Pegel", "Stand", "Tag"].map((name) => ({ name, type: "string", storage: "VARCHAR" }));
  const checked = checkRecipe(GUIDE_RECIPE, new Map([["office", columns]]));
  expect(checked).toMatchObject({ checked: "full", warnings: [], tables: [{ slug: "levels" }] });
});

test("every call that the guide names is a tool", () => {
  const calls = [...buildGuide("https://data.example.net").matchAll(/`([a-z]+_[a-z_]+) \{/g)].map(([, name]) => name);
  expect(calls.length).toBeGreaterThan(5);
  const known: unknown[] = [...OPERATIONS.map(({ name }) => name), "get_recipe_reference"];
  expect(calls.filter((name) => !known.includes(name))).toEqual([]);
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

test("the reference has the keys of every part, every function and its defaults, in parts under 2,800 tokens", () => {
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
  expect(encode(text).length).toBeLessThan(8500);
  for (const part of Object.keys(RECIPE_PARTS) as RecipePart[])
    expect([part, encode(recipePart(part)).length < 2800]).toEqual([part, true]);
});

test("each step is shown by an example and what that does, each format of parse by its keys and an example", () => {
  const [steps, formats] = [recipePart("steps"), recipePart("formats")];
  expect(steps.match(/\n {2}\{step: .+\n {2}This .+\.\n/g)).toHaveLength(Object.keys(STEP_KINDS).length);
  expect(steps).toContain('  This reads the columns "n" as decimal(9,2).');
  for (const format of ["number", "date", "boolean"])
    expect(formats).toMatch(new RegExp(`\n- ${format}: .+\\n {2}\\{step: parse, .*\\b${format}: \\{`));
  for (const [token] of dateTokenTexts()) expect(formats).toContain(`\n- ${token}: `);
});
