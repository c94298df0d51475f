import { afterAll, beforeAll, expect, test } from "vitest";
import { ask, column, type EngineFixture, openFixture, rejection, seal } from "@/lib/testing/engine-fixture";
import type { SealedVersion } from "./sealed-version";

let fixture: EngineFixture;
/** January 10, February 15, April 30 and, without a month, 7; of "b" only February 4 and March null. */
let months: SealedVersion;
let floats: SealedVersion;

beforeAll(async () => {
  fixture = await openFixture("derive");
  const rows = [
    "('a', DATE '2024-01-05', 4), ('a', DATE '2024-01-31', 6), ('a', DATE '2024-02-29', 15)",
    "('a', DATE '2024-04-01', 30), ('a', NULL, 7), ('b', DATE '2024-02-01', 4), ('b', DATE '2024-03-01', NULL)",
  ];
  months = await seal(fixture, "months", `SELECT k, d, n::BIGINT AS n FROM (VALUES ${rows.join(", ")}) v(k, d, n)`, [
    column("k", "string", "VARCHAR"),
    column("d", "date", "DATE"),
    column("n", "int64", "BIGINT"),
  ]);
  const cells =
    "('0.31', 1.5), ('0.39', 2), ('0.4', 4), ('0.65', 0), ('0.7', 8), ('nan', 1), ('inf', 3), ('-inf', 5), (NULL, 9)";
  floats = await seal(fixture, "floats", `SELECT x::DOUBLE AS x, y::DOUBLE AS y FROM (VALUES ${cells}) v(x, y)`, [
    column("x", "float64", "DOUBLE"),
    column("y", "float64", "DOUBLE"),
  ]);
});

afterAll(() => fixture.close());

const SUM = { function: "sum", column: "n", as: "n" };
const MONTH = { column: "d", bucket: "month", as: "m" };
const over = (name: string, group: string, more: object = {}) => ({
  as: name,
  function: name,
  of: "n",
  over: group,
  ...more,
});

async function rowsOf(version: SealedVersion, query: object): Promise<{ columns: unknown; rows: unknown[][] }> {
  const { reply } = await ask(fixture.engine, version, { columns: [], ...query });
  const names = (reply.columns as { name: string; type: string }[]).map(({ name }) => name);
  const rows = reply.rows as Record<string, unknown>[];
  return { columns: reply.columns, rows: rows.map((row) => names.map((name) => row[name])) };
}

test("spans follow one another where none is missing, other groups stay the same, and null has no place", async () => {
  const { columns, rows } = await rowsOf(months, {
    group_by: ["k", MONTH],
    aggregates: [SUM],
    derive: [
      over("previous", "m"),
      over("change", "m"),
      over("change_ratio", "m"),
      over("running_total", "m"),
      over("moving_average", "m", { size: 2 }),
      { as: "rank", function: "rank", of: "n" },
      { as: "within", function: "rank", of: "n", by: ["k"], direction: "asc" },
    ],
  });
  expect(columns).toEqual([
    { name: "k", type: "string" },
    { name: "m", type: "date" },
    { name: "n", type: "decimal(38,0)" },
    { name: "previous", type: "decimal(38,0)" },
    { name: "change", type: "decimal(38,0)" },
    { name: "change_ratio", type: "float64" },
    { name: "running_total", type: "decimal(38,0)" },
    { name: "moving_average", type: "float64" },
    { name: "rank", type: "int64" },
    { name: "within", type: "int64" },
  ]);
  expect(rows).toEqual([
    ["a", "2024-01-01", 10, null, null, null, 10, null, 3, 2],
    ["a", "2024-02-01", 15, 10, 5, 0.5, 25, 12.5, 2, 3],
    ["a", "2024-04-01", 30, null, null, null, 55, 30, 1, 4],
    ["a", null, 7, null, null, null, 7, null, 4, 1],
    ["b", "2024-02-01", 4, null, null, null, 4, null, 5, 1],
    ["b", "2024-03-01", null, 4, null, null, 4, 4, null, null],
  ]);
});

test("the first part of the calendar has none before it, and moving averages are of the spans that exist", async () => {
  const { rows } = await rowsOf(months, {
    filters: [{ column: "k", operator: "eq", value: "a" }],
    group_by: [{ column: "d", bucket: "month_of_year", as: "m" }],
    aggregates: [SUM],
    derive: [over("previous", "m"), over("moving_average", "m", { size: 3 })],
  });
  expect(rows).toEqual([
    [1, 10, null, null],
    [2, 15, 10, null],
    [4, 30, null, 22.5],
    [null, 7, null, null],
  ]);
});

test("a column's own values follow the next lower one that occurs", async () => {
  const { rows } = await rowsOf(floats, {
    group_by: ["x"],
    aggregates: [{ function: "sum", column: "y", as: "n" }],
    derive: [
      over("previous", "x"),
      over("change_ratio", "x"),
      over("running_total", "x"),
      over("moving_average", "x", { size: 2 }),
    ],
  });
  expect(rows).toEqual([
    ["-Infinity", 5, null, null, 5, null],
    [0.31, 1.5, null, null, 1.5, null],
    [0.39, 2, 1.5, 1 / 3, 3.5, 1.75],
    [0.4, 4, 2, 1, 7.5, 3],
    [0.65, 0, 4, -1, 7.5, 2],
    [0.7, 8, 0, null, 15.5, 4],
    ["Infinity", 3, null, null, 3, null],
    ["NaN", 1, null, null, 1, null],
    [null, 9, null, null, 9, null],
  ]);
});

test("bands follow one another at their width", async () => {
  const { rows } = await rowsOf(floats, {
    group_by: [{ column: "x", width: 0.1, as: "band" }],
    aggregates: [{ function: "count", as: "n" }],
    derive: [over("previous", "band"), over("running_total", "band"), over("moving_average", "band", { size: 3 })],
  });
  expect(rows).toEqual([
    ["-Infinity", 1, null, 1, null],
    [0.3, 2, null, 2, null],
    [0.4, 1, 2, 3, null],
    [0.6, 1, null, 4, 1],
    [0.7, 1, 1, 5, 1],
    ["Infinity", 1, null, 1, null],
    ["NaN", 1, null, 1, null],
    [null, 1, null, 1, null],
  ]);
});

test("what is derived can be derived from, filtered, ordered and counted before the limit", async () => {
  const query = {
    group_by: ["k", MONTH],
    aggregates: [SUM],
    derive: [over("running_total", "m"), { as: "more", function: "change", of: "running_total", over: "m" }],
    having: [{ column: "more", operator: "is_not_null" }],
    order_by: [{ column: "more", direction: "desc" }],
    total: true,
    limit: 1,
  };
  expect((await rowsOf(months, query)).rows).toEqual([["a", "2024-02-01", 15, 25, 15]]);
  const { reply } = await ask(fixture.engine, months, { columns: [], ...query });
  expect(reply.execution).toMatchObject({ total_rows: 2, truncated: true });
  const top = { ...query, having: undefined, limit: 10, top: { by: ["k"], count: 1 } };
  const { rows } = await rowsOf(months, { ...top, order_by: [{ column: "running_total", direction: "desc" }] });
  expect(rows.map(([k, month]) => [k, month])).toEqual([
    ["a", "2024-04-01"],
    ["b", "2024-02-01"],
  ]);
});

test("differences are exact, and beyond 38 digits result_too_large", async () => {
  const select = "SELECT i AS k, (9007199254740992 + i * 3)::BIGINT AS v, (1 - 2 * i) * 6e37::DECIMAL(38,0) AS w";
  const version = await seal(fixture, "exact", `${select} FROM range(2) r(i)`, [
    column("k", "int64", "BIGINT"),
    column("v", "int64", "BIGINT"),
    column("w", "decimal(38,0)", "DECIMAL(38,0)"),
  ]);
  const changeOf = (name: string) => ({
    group_by: ["k"],
    aggregates: [{ function: "min", column: name, as: "n" }],
    derive: [over("change", "k")],
  });
  expect((await rowsOf(version, changeOf("v"))).rows[1]?.[2]).toBe(3);
  expect((await rejection(ask(fixture.engine, version, { columns: [], ...changeOf("w") }))).code).toBe(
    "result_too_large",
  );
});
