import { describe, expect, test } from "vitest";
import { buildFrom } from "@/lib/testing/build-fixture";

const YEARS = '{matches: "^[0-9]{4}$"}';
const recipeWith = (contract: string, columns = YEARS) => `
schema_version: service-recipe.v1
sources:
  - {name: s, kind: upload, upload: s.csv, reader: {format: csv}}
tables:
  - name: long
    slug: long
    from: s
    steps: [{step: unpivot, columns: ${columns}, names_to: year, values_to: n}]
    columns: [{name: region, type: string}, {name: year, type: int32}, {name: n, type: int32}]
    contract: ${contract}
publish: {license: MIT, topics: [x], publisher: {name: X}}`;

const wide = (...years: string[]) => ({
  s: { columns: ["region", ...years], rows: [["north", ...years.map(() => "1")]] },
});

/** A refresh under the lock of a sample with the years 2025 and 2026. */
async function refreshed(contract: string, given: ReturnType<typeof wide>, columns?: string) {
  const recipe = recipeWith(contract, columns);
  const { outcome } = await buildFrom(recipe, wide("2025", "2026"), { mode: "sample" });
  return await buildFrom(recipe, given, { lock: outcome.lock });
}

const yearsOf = (rows: Record<string, (string | null)[][]>) => rows.long?.map(([, year]) => year);

describe("a pattern is resolved again in each run:", () => {
  test("under evolve, a new year's rows are in the result", async () => {
    const { outcome, rows } = await refreshed("evolve", wide("2025", "2026", "2027"));
    expect(outcome.failure).toBeNull();
    expect(yearsOf(rows)).toEqual(["2025", "2026", "2027"]);
  });

  test("under evolve, a year that is gone is a warning", async () => {
    const { outcome, rows } = await refreshed("evolve", wide("2026", "2027"));
    expect(outcome.failure).toBeNull();
    expect(yearsOf(rows)).toEqual(["2026", "2027"]);
    expect(outcome.checks.slice(0, 1)).toMatchObject([
      { check: "columns_gone", severity: "warn", outcome: "failed", failures: 1 },
    ]);
    expect(outcome.checks[0]?.message).toContain('the column "2025"');
  });

  test("under freeze, a new year is a change that a revision must make", async () => {
    const { outcome } = await refreshed("freeze", wide("2025", "2026", "2027"));
    expect(outcome.failure).toMatchObject({ code: "schema_violation", at: { table: "long", step: 0, column: "2027" } });
    expect(outcome.failure?.message).toContain('take the new column "2027"');
  });

  test("under freeze, a renamed year too", async () => {
    const { outcome } = await refreshed("freeze", wide("2025", "2026 p"));
    expect(outcome.failure?.message).toContain('the column "2026" is missing');
  });

  test("under freeze, the same columns in another order are the same", async () => {
    expect((await refreshed("freeze", wide("2026", "2025"))).outcome.failure).toBeNull();
  });
});

describe("a new column that no step takes is never repeated in a long table:", () => {
  test.each(["freeze", "evolve"])("%s", async (contract) => {
    const { outcome } = await refreshed(contract, wide("2025", "2026", "2027 p"));
    expect(outcome.failure).toMatchObject({ code: "schema_violation", at: { table: "long", column: "2027 p" } });
    expect(outcome.failure?.message).toContain("repeated in every row");
    expect(outcome.files.map(({ table }) => table)).toEqual([]);
  });

  test("nor where the columns are listed", async () => {
    const { outcome } = await refreshed("evolve", wide("2025", "2026", "2027"), '["2025", "2026"]');
    expect(outcome.failure).toMatchObject({ code: "schema_violation", at: { column: "2027" } });
  });
});
