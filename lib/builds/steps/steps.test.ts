import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkRecipe } from "@/lib/builds/check-recipe";
import { Failure } from "@/lib/kernel/errors";
import { buildFrom, type Cells } from "@/lib/testing/build-fixture";
import { caseRecipe, caseSources, STEP_CASES, type StepCase } from "./examples";
import { STEP_KINDS } from "./registry";

const FOLDER = join(import.meta.dirname, "cases");
function faultsOf(each: StepCase): [string, string][] {
  try {
    checkRecipe(caseRecipe(each), caseSources(each));
    return [];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return error.faults.map(({ pointer, code }) => [pointer, code]);
  }
}

const NOTHING: Cells = { columns: ["id"], rows: [] };

describe.each(Object.entries(STEP_CASES))("%s", (_step, cases) => {
  test.each(cases.map((each) => [each.name, each] as const))("%s", async (_, each) => {
    expect(faultsOf(each)).toEqual(each.faults ?? []);
    if (each.faults) return;
    const sources = { input: { columns: each.columns, rows: each.rows }, other: each.other ?? NOTHING };
    const { outcome, rows } = await buildFrom(caseRecipe(each), sources);
    if (each.failure !== undefined) return expect(outcome.failure?.code).toBe(each.failure);
    expect(outcome.failure).toBeNull();
    expect(rows.result).toEqual(each.expected);
    if (each.names) expect(outcome.files[0]?.columns.map(({ name }) => name)).toEqual(each.names);
    expect(outcome.rejects.map(({ value }) => value)).toEqual(each.rejects ?? []);
  });
});

test("every step has golden cases", () => {
  expect(Object.values(STEP_CASES).filter((cases) => !Array.isArray(cases) || cases.length === 0)).toEqual([]);
  expect(readdirSync(FOLDER).sort()).toEqual(
    Object.keys(STEP_KINDS)
      .map((name) => `${name}.json`)
      .sort(),
  );
});
