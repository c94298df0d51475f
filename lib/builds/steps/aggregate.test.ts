import { expect, test } from "vitest";
import { buildFrom } from "@/lib/testing/build-fixture";

const recipe = (width: number) =>
  recipeOf({ group_by: [{ column: "x", width, as: "edge" }], aggregates: [{ function: "count", as: "rows" }] });

const recipeOf = (aggregate: object) =>
  JSON.stringify({
    schema_version: "service-recipe.v1",
    sources: [{ name: "input", kind: "upload", upload: "input", reader: { format: "csv" } }],
    tables: [
      {
        name: "result",
        from: "input",
        steps: [
          { step: "cast", columns: { x: "float64" } },
          { step: "aggregate", ...aggregate },
        ],
        columns: [],
      },
    ],
    publish: { license: "CC0-1.0", publisher: { name: "Test" } },
  });

const CELLS = { input: { columns: ["x"], rows: [["0.35"], ["0.3"], ["-0.0"], ["0.7"], ["1e20"]] } };

test("bands of floats have the edges that queries give them", async () => {
  const { outcome, rows } = await buildFrom(recipe(0.1), {
    input: { ...CELLS.input, rows: CELLS.input.rows.slice(0, 4) },
  });
  expect(outcome.failure).toBeNull();
  expect(rows.result).toEqual([
    ["0.3", "2"],
    ["0.0", "1"],
    ["0.7", "1"],
  ]);
});

test("a value that is in no band ends the build, and names the width", async () => {
  const { outcome } = await buildFrom(recipe(0.1), CELLS);
  expect(outcome.failure).toMatchObject({
    code: "value_overflow",
    message: expect.stringContaining("too large for bands of width 0.1"),
    at: { table: "result", step: 1 },
  });
});

test("the items of a list are grouped by after unnest", async () => {
  const items = { group_by: [{ column: "x", bucket: "element" }], aggregates: [{ function: "count", as: "n" }] };
  const { outcome } = await buildFrom(recipeOf(items), CELLS);
  expect(outcome.failure).toMatchObject({
    message: expect.stringContaining("Add a step unnest before this one."),
  });
});

test("correlation, slope and shares among groups are those of queries", async () => {
  const numbers = { input: { columns: ["x"], rows: [["1"], ["2"], ["4"], ["11"]] } };
  const pair = { column: "x", with: "x" };
  const { outcome, rows } = await buildFrom(
    recipeOf({
      group_by: [{ column: "x", width: 10, as: "edge" }],
      aggregates: [
        { function: "corr", ...pair, as: "r" },
        { function: "slope", ...pair, as: "slope" },
        { function: "share", of: [], as: "part" },
      ],
    }),
    numbers,
  );
  expect(outcome.failure).toBeNull();
  expect(rows.result).toEqual([
    ["0.0", "1.0", "1.0", "0.75"],
    ["10.0", null, null, "0.25"],
  ]);
});
