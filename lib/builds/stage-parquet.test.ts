import { expect, test } from "vitest";
import { type BuildOptions, buildFrom } from "@/lib/testing/build-fixture";

const recipe = (table: object = {}): string =>
  JSON.stringify({
    schema_version: "service-recipe.v1",
    sources: [{ name: "input", kind: "upload", upload: "input", reader: { format: "parquet" } }],
    tables: [{ name: "result", from: "input", steps: [], columns: [], ...table }],
    publish: { license: "CC0-1.0", publisher: { name: "Test" } },
  });

const build = (parquet: string[], table: object = {}, options: BuildOptions = {}) =>
  buildFrom(recipe(table), { input: { parquet } }, options);

const TYPED = `SELECT 1::TINYINT AS small, 12.50::DECIMAL(9,2) AS money, DATE '2026-11-19' AS day, 'x' AS word,
  TIMESTAMP '2026-11-19 10:00:00.123456' AS at, [1, 2]::INTEGER[] AS list, NULL::DOUBLE AS nothing`;

test("Parquet keeps its types and values, through every part in its order", async () => {
  const { outcome, rows } = await build([TYPED, `${TYPED} UNION ALL ${TYPED.replace("'x'", "'y'")}`]);
  expect(outcome.failure).toBeNull();
  expect(outcome.files[0]?.columns.map(({ name, type }) => `${name} ${type}`)).toEqual([
    "small int8",
    "money decimal(9,2)",
    "day date",
    "word string",
    "at timestamp",
    "list list<int32>",
    "nothing float64",
  ]);
  expect(rows.result?.map((row) => row[3])).toEqual(["x", "x", "y"]);
  expect(rows.result?.[0]?.slice(0, 3)).toEqual(["1", "12.50", "2026-11-19"]);
});

test("a cell that a step rejects names its row in the file of its part", async () => {
  const words = (...texts: string[]) => `SELECT unnest(${JSON.stringify(texts).replaceAll('"', "'")}) AS word`;
  const steps = [{ step: "cast", columns: { word: "int32" }, on_error: "null" }];
  const { outcome } = await build([words("1", "2"), words("3", "x")], { steps, tolerance: { cells: 1 } });
  expect(outcome.rejects).toMatchObject([{ column: "word", source: "input", partition: "p1", row: 2, value: "x" }]);
});

test("parts that disagree in a type, or lack a column, fail by name", async () => {
  const differing = await build(["SELECT 1 AS a", "SELECT 'x' AS a"]);
  expect(differing.outcome.failure).toMatchObject({ code: "schema_violation", at: { column: "a" } });
  const lacking = await build(["SELECT 1 AS a, 2 AS b", "SELECT 1 AS a"]);
  expect(lacking.outcome.failure?.code).toBe("schema_violation");
});

test("under a lock, a column of another type is reported as drift", async () => {
  const columns = [{ name: "a", type: "int32" }];
  const { outcome } = await build(["SELECT 1::INTEGER AS a"], { columns });
  const later = await build(["SELECT 2::BIGINT AS a, 3 AS b"], { columns }, { lock: outcome.lock });
  expect(later.outcome.drift.map(({ column, change }) => `${column} ${change}`)).toEqual(["b added", "a retyped"]);
  expect(later.outcome.failure?.code).toBe("schema_violation");
});
