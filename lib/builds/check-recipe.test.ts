import { expect, test } from "vitest";
import type { Failure, Fault } from "@/lib/kernel/errors";
import { checkRecipe } from "./check-recipe";
import { readRecipe } from "./document/read-recipe";
import { recipeJsonSchema } from "./json-schema";
import { STEP_KINDS } from "./steps/registry";

const KNOWN = new Map([["a", ["name", "day"].map((name) => ({ name, type: "string", storage: "VARCHAR" }))]]);

function faultsOf(text: string): readonly Fault[] {
  try {
    checkRecipe(text, KNOWN);
    return [];
  } catch (error) {
    return (error as Failure).faults;
  }
}

const RECIPE = `
schema_version: service-recipe.v1
sources:
  - {name: a, kind: upload, upload: a, reader: {format: csv}}
tables:
  - name: t
    from: a
    steps: [{step: rename, columns: {name: label}}]
    columns: [{name: label}, {name: day}]
publish: {license: CC0-1.0, publisher: {name: P}}
`;

test("all faults are reported at once, with suggestions: shape, values, names and types", () => {
  const faults = faultsOf(`
schema_version: service-recipe.v1
sources:
  - {name: a, kind: upload, upload: a, reader: {format: cvs, options: {}}}
  - {name: b, kind: http, url: "https://x.example.org/?api_key=1", headers: {Authorization: secret}, reader: {format: csv}}
tables:
  - name: t
    from: a
    step: []
    steps:
      - {step: renam, columns: {}}
      - {step: limit, rows: 1.5}
    columns: [{name: x, typ: int32}]
publish: {license: 1.10, publisher: {}}
refesh: {}
`);
  expect(faults.map(({ pointer, code, didYouMean }) => [pointer, code, didYouMean])).toEqual([
    ["/publish/license", "invalid_request", undefined],
    ["/publish/publisher/name", "invalid_request", undefined],
    ["/refesh", "invalid_request", "refresh"],
    ["/sources/0/reader/format", "invalid_value", "csv"],
    ["/sources/1/headers/Authorization", "invalid_value", undefined],
    ["/sources/1/url", "invalid_value", undefined],
    ["/tables/0/columns/0/typ", "invalid_request", "type"],
    ["/tables/0/step", "invalid_request", "steps"],
    ["/tables/0/steps/0/step", "invalid_value", "rename"],
    ["/tables/0/steps/1/rows", "invalid_value", undefined],
  ]);
  expect(faults.find(({ pointer }) => pointer === "/publish/license")?.message).toContain('Put it in quotes: "1.10"');
});

test("equal documents have the same digest, however they are written", () => {
  const { tree, documentDigest, canonical } = readRecipe(RECIPE);
  const spelled = JSON.stringify(tree, null, 2);
  expect(readRecipe(spelled).documentDigest).toBe(documentDigest);
  expect(readRecipe(canonical).canonical).toBe(canonical);
});

test("sources that were never inspected are checked as far as possible", () => {
  const partial = checkRecipe(RECIPE, new Map());
  expect(partial.checked).toBe("partial");
  expect(partial.unchecked).toMatchObject([{ pointer: "/sources/0" }]);
  expect(checkRecipe(RECIPE, KNOWN).checked).toBe("full");
  expect(faultsOf(RECIPE.replace("{name: label}", "{nam: label}")).map(({ pointer }) => pointer)).toContain(
    "/tables/0/steps/0/columns/nam",
  );
});

test.each([
  "a: &x [1]\nb: [*x, *x]\n<<: {}",
  "a: !!js/function x",
  `${"- ".repeat(5000)}x`,
  "a: 1\na: 2",
  `${"[".repeat(100)}`,
])("hostile YAML is rejected: %#", (text) => {
  expect(() => readRecipe(text)).toThrow();
});

test("patterns of readers are compiled by the engine that runs them", () => {
  const options = '{header: {drop_text: "[z-a]"}, stop_at: {column: 1, matches: "(?<=x)"}}';
  const text = RECIPE.replace("{format: csv}", `{format: csv, options: ${options}}`);
  expect(faultsOf(text).map(({ pointer }) => pointer)).toEqual([
    "/sources/0/reader/options/header/drop_text",
    "/sources/0/reader/options/stop_at/matches",
  ]);
});

test("the published JSON Schema has every step", () => {
  const text = JSON.stringify(recipeJsonSchema("https://data.example.org"));
  for (const name of Object.keys(STEP_KINDS)) expect(text).toContain(`"const":"${name}"`);
});
