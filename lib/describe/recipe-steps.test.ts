import { expect, test } from "vitest";
import { recipeSteps, stepAt } from "./recipe-steps";

const TEXT = `tables:
  - name: a
    steps:
      - step: trim
        note: x
      - {step: drop, columns: [b]}
  - name: c
    steps: [{step: trim}, {step: limit, rows: 1}, {]
    columns: []
`;

test("the steps of a recipe, and the one at a position", () => {
  const steps = recipeSteps(TEXT);
  expect(steps.map(({ table, step, kind }) => [table, step, kind])).toEqual([
    ["a", 0, "trim"],
    ["a", 1, "drop"],
    ["c", 0, "trim"],
    ["c", 1, "limit"],
    ["c", 2, ""],
  ]);
  const at = (words: string) => stepAt(steps, TEXT.indexOf(words));
  expect(at("tables")).toBeUndefined();
  expect(at("      - step: trim")).toMatchObject({ table: "a", step: 0 });
  expect(at("note")).toMatchObject({ table: "a", step: 0 });
  expect(at("- {step: drop")).toMatchObject({ table: "a", step: 1 });
  expect(at("{step: limit")).toMatchObject({ table: "c", step: 1 });
  expect(at("columns: []")).toMatchObject({ table: "c", step: 2 });
});
