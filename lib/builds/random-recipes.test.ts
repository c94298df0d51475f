import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { CHECK_NAMES } from "@/lib/testing/arbitrary-checks";
import { FUNCTION_NAMES, pickOf } from "@/lib/testing/arbitrary-expressions";
import { type ArbitraryRecipe, arbitraryRecipe } from "@/lib/testing/arbitrary-recipes";
import { STEP_NAMES } from "@/lib/testing/arbitrary-steps";
import { BUILD_NOW, type BuildOptions, buildFrom } from "@/lib/testing/build-fixture";
import { propertyParameters } from "@/lib/testing/property";
import { type CheckOutcome, evaluateCheck } from "@/lib/testing/recipe-checks";
import type { RecipeTable } from "@/lib/testing/recipe-table";
import { printed, typed, type Value } from "@/lib/testing/recipe-values";
import { CHECK_KINDS } from "./checks/registry";
import { FUNCTIONS } from "./expressions/registry";
import type { BuildOutcome, CheckResult } from "./plan";
import { STEP_KINDS } from "./steps/registry";

const folder = await mkdtemp(join(tmpdir(), "random-recipes-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

const RUNS = 20;
/** With this many runs, every step, function and check must have occurred in at least this many recipes. */
const COVERED = { runs: 500, least: 20 };

/** Checks use typed columns; without checks, the types of text columns are inferred. */
const documentOf = ({ steps, checks, result }: ArbitraryRecipe, withChecks = true): string => {
  const typed = result.columns.map(({ name, family }) => ({ name, ...(family === "text" && { type: "string" }) }));
  const columns = checks.length > 0 ? typed : [];
  const table = { name: "result", from: "input", steps, columns, tolerance: { cells: 1_000_000 } };
  return JSON.stringify({
    schema_version: "service-recipe.v1",
    sources: ["input", "other"].map((name) => ({ name, kind: "upload", upload: name, reader: { format: "csv" } })),
    tables: [{ ...table, ...(withChecks && checks.length > 0 && { checks }) }],
    publish: { license: "CC0-1.0", publisher: { name: "Test" } },
  });
};

/** The checks' outcomes, in order, without the check that always runs. */
function outcomesOf({ checks, result, others, previous }: ArbitraryRecipe): CheckOutcome[] {
  const now = BigInt(Date.parse(BUILD_NOW)) * 1000n;
  const checked = { table: result, rows: result.rows, others, previous: previous?.result, now };
  return checks.map((check) => evaluateCheck(check, checked));
}

const ofRecipe = (results: readonly CheckResult[], { checks }: ArbitraryRecipe): CheckOutcome[] =>
  results
    .slice(0, checks.length)
    .map(({ check, outcome, failures, examined }) => ({ check, outcome, failures, examined }));

/** Seals the previous release, for the checks that compare with it. */
async function releaseOf(recipe: ArbitraryRecipe): Promise<BuildOptions> {
  if (!recipe.previous) return {};
  const keep = join(folder, "previous.parquet");
  const { outcome } = await buildFrom(documentOf(recipe, false), recipe.previous.sources, { keep: { result: keep } });
  expect(outcome.failure?.message).toBeUndefined();
  return { previous: { result: join("..", basename(folder), "previous.parquet") } };
}

const DIGITS = 12;

/** Floats are compared by their first digits, since libraries differ in the last ones. */
function shown(value: Value, column: RecipeTable["columns"][number]): string | null {
  if (column.family === "list") {
    const items = (value as readonly Value[] | null)?.map((item) => (item === null ? "NULL" : String(item)));
    return items ? `[${items.join(", ")}]` : null;
  }
  return column.family === "float" ? rounded(value) : printed(typed(column.family, value, column.scale));
}

const rounded = (value: unknown): string | null => (value === null ? null : Number(value).toPrecision(DIGITS));

const rowsOf = ({ columns, rows }: RecipeTable) =>
  rows.map((row) => columns.map((column, at) => shown(row[at] ?? null, column)));

/** With text columns whose cells are all numbers as the numbers that they became: `1.50` is sealed as 1.5. */
function inferredAs({ lock }: BuildOutcome, { columns, ...table }: RecipeTable): RecipeTable {
  const numbers = (lock?.inferred ?? []).flatMap(({ column, type }) => (type === "float64" ? [column] : []));
  const isNumber = (name: string) => numbers.includes(name);
  return { ...table, columns: columns.map((each) => (isNumber(each.name) ? { ...each, family: "float" } : each)) };
}

/** As a file's cells are compared: DuckDB prints a decimal without whole digits as `-.5`. */
const comparable = (rows: (string | null)[][], { columns }: RecipeTable) =>
  rows.map((row) =>
    row.map((cell, at) => {
      const family = columns[at]?.family;
      if (family === "float") return rounded(cell);
      return family === "dec" ? (cell?.replace(/^(-?)\./, "$10.") ?? null) : cell;
    }),
  );

const counted = new Map<string, number>();
function count(recipe: ArbitraryRecipe): void {
  const names = [
    ...recipe.steps.map(({ step }) => `step ${step}`),
    ...[...JSON.stringify(recipe.steps).matchAll(/"fn":"(\w+)"/g)].map(([, name]) => `function ${name}`),
    ...outcomesOf(recipe).flatMap(({ check, outcome }) => (outcome === "not_applicable" ? [] : [`check ${check}`])),
  ];
  for (const name of new Set(names)) counted.set(name, (counted.get(name) ?? 0) + 1);
}

const NAMES = { step: STEP_NAMES, function: FUNCTION_NAMES, check: CHECK_NAMES };

/** How many recipes contained each, printed three per line. */
function checkCoverage(): void {
  const covered = Object.entries(NAMES).flatMap(([kind, names]) =>
    names.map((name): [string, number] => [`${kind} ${name}`, counted.get(`${kind} ${name}`) ?? 0]),
  );
  const cells = covered.map(([name, times]) => `${name.padEnd(28)}${String(times).padStart(4)}`);
  const lines = cells.flatMap((_, at) => (at % 3 === 0 ? [cells.slice(at, at + 3).join("   ")] : []));
  process.stdout.write(`${lines.join("\n")}\n`);
  expect(covered.filter(([, times]) => times < COVERED.least)).toEqual([]);
}

test("the evaluator knows every step, every function and every check", () => {
  expect([...STEP_NAMES].sort()).toEqual(Object.keys(STEP_KINDS).sort());
  expect([...FUNCTION_NAMES].sort()).toEqual(Object.keys(FUNCTIONS).sort());
  expect([...CHECK_NAMES].sort()).toEqual(Object.keys(CHECK_KINDS).sort());
});

/** The code with which a build ends: that of a step, or of a check that is an error. */
function endOf(recipe: ArbitraryRecipe): string | undefined {
  const isFailed = outcomesOf(recipe).some(
    ({ outcome }, at) => outcome === "failed" && recipe.checks[at]?.severity === "error",
  );
  return recipe.ends ?? (isFailed ? "check_failed" : undefined);
}

async function expectAsSpecified(recipe: ArbitraryRecipe): Promise<void> {
  const text = documentOf(recipe);
  const options = await releaseOf(recipe);
  const first = await buildFrom(text, recipe.sources, options);
  const { steps, checks, sources } = recipe;
  const seen = [steps, checks, sources, recipe.previous?.sources.input].map((part) => JSON.stringify(part)).join("\n");
  expect(first.outcome.failure?.code, `${seen}\n${first.outcome.failure?.message}`).toBe(endOf(recipe));
  if (recipe.ends !== undefined) return;
  expect(ofRecipe(first.outcome.checks, recipe), seen).toEqual(outcomesOf(recipe));
  if (first.outcome.failure) return;
  const result = inferredAs(first.outcome, recipe.result);
  expect(comparable(first.rows.result ?? [], result), seen).toEqual(rowsOf(result));
  expect(first.outcome.rejectTotals.cells, seen).toBe(recipe.result.rejected);
  const second = await buildFrom(text, recipe.sources, options);
  expect(second.digests, seen).toEqual(first.digests);
}

test("random recipes give the same bytes twice, and the rows and checks that the specification requires", async () => {
  const parameters = propertyParameters(RUNS);
  await fc.assert(
    fc.asyncProperty(fc.gen(), async (draw) => {
      const recipe = arbitraryRecipe(pickOf(draw));
      count(recipe);
      await expectAsSpecified(recipe);
    }),
    parameters,
  );
  if (parameters.numRuns >= COVERED.runs) checkCoverage();
});
