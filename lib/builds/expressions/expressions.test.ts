import { expect, test } from "vitest";
import { buildFrom } from "@/lib/testing/build-fixture";
import { EXAMPLE_ROW, FUNCTION_EXAMPLES } from "./examples";
import { FUNCTIONS } from "./registry";

const col = (name: string) => ({ col: name });
const fn = (name: string, ...args: unknown[]) => ({ fn: name, args });

const recipe = (expressions: readonly unknown[]) =>
  JSON.stringify({
    schema_version: "service-recipe.v1",
    sources: [{ name: "input", kind: "upload", upload: "input", reader: { format: "csv" } }],
    tables: [
      {
        name: "result",
        from: "input",
        steps: [
          { step: "cast", columns: { n: "int32", d: "decimal(9,2)" } },
          ...chunked(expressions, 50).map((some, part) => ({
            step: "derive",
            columns: Object.fromEntries(some.map((expression, at) => [nameOf(part * 50 + at), expression])),
          })),
          { step: "select", columns: expressions.map((_, at) => nameOf(at)) },
        ],
        columns: [],
      },
    ],
    publish: { license: "CC0-1.0", publisher: { name: "Test" } },
  });

const nameOf = (at: number) => `v${String(at).padStart(3, "0")}`;
const chunked = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));

const CELLS = { input: { columns: Object.keys(EXAMPLE_ROW), rows: [Object.values(EXAMPLE_ROW)] } };

test("every function returns its documented value, or null", async () => {
  const { outcome, rows } = await buildFrom(recipe(FUNCTION_EXAMPLES.map(([expression]) => expression)), CELLS);
  expect(outcome.failure).toBeNull();
  const found = FUNCTION_EXAMPLES.map(([expression], at) => [JSON.stringify(expression), rows.result?.[0]?.[at]]);
  expect(found).toEqual(FUNCTION_EXAMPLES.map(([expression, value]) => [JSON.stringify(expression), value]));
});

test("every function has an example", () => {
  const used = new Set([...JSON.stringify(FUNCTION_EXAMPLES).matchAll(/"fn":"(\w+)"/g)].map(([, name]) => name));
  expect(Object.keys(FUNCTIONS).filter((name) => !used.has(name))).toEqual([]);
});

test("an integer overflow ends the build and names the function", async () => {
  const big = fn("mul", 4611686018427387, 100000);
  const { outcome } = await buildFrom(recipe([big]), CELLS);
  expect(outcome.failure).toMatchObject({ code: "value_overflow", at: { table: "result" } });
});

test("the SQL of nested divisions grows linearly with the expression", async () => {
  const nested = Array.from({ length: 12 }).reduce<unknown>((inner) => fn("mod", 1000, inner), col("n"));
  const { outcome } = await buildFrom(recipe([nested]), CELLS);
  expect(outcome.failure).toBeNull();
});
