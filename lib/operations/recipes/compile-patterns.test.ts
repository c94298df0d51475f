import { afterAll, expect, test } from "vitest";
import { checkRecipe } from "@/lib/builds/check-recipe";
import type { Failure } from "@/lib/kernel/errors";
import { closeReadingEngine } from "@/lib/operations/reading/reading-engine";
import { useTestState } from "@/lib/testing/database";
import { compilePatterns } from "./compile-patterns";

useTestState();
afterAll(closeReadingEngine);

const recipe = (...patterns: [string, string, string]) => `
schema_version: service-recipe.v1
sources:
  - {name: a, kind: upload, upload: a, reader: {format: csv, options: {columns: [name]}}}
tables:
  - name: t
    from: a
    steps:
      - {step: replace, columns: [name], kind: pattern, find: '${patterns[0]}', with: ""}
      - {step: derive, columns: {found: {fn: matches, args: [{col: name}, '${patterns[1]}']}}}
    columns: []
    checks: [{check: pattern, column: name, pattern: '${patterns[2]}'}]
publish: {license: CC0-1.0, publisher: {name: P}}
`;

const compile = (text: string) => compilePatterns(checkRecipe(text, new Map()), "a workspace");

test("every pattern that DuckDB does not compile is a fault at its pointer", async () => {
  const failure = (await compile(recipe("[z-a]", "\\p{Nothing}", "((x{1000}){1000})")).catch(
    (error: unknown) => error,
  )) as Failure;
  expect(failure.faults.map(({ pointer, code }) => [pointer, code])).toEqual([
    ["/tables/0/steps/0/find", "invalid_value"],
    ["/tables/0/steps/1/columns/found/args/1", "invalid_value"],
    ["/tables/0/checks/0/pattern", "invalid_value"],
  ]);
  expect(failure.faults[0]?.message).toMatch(/^Invalid pattern: .*z-a/);
});

test("patterns that compile have no faults", async () => {
  await expect(compile(recipe("[a-z]+", "(?i)^(\\d{4})", "\\p{L}"))).resolves.toBeUndefined();
});
