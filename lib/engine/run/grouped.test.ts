import { afterAll, beforeAll, expect, test } from "vitest";
import { ask, column, type EngineFixture, openFixture, rejection, seal } from "@/lib/testing/engine-fixture";

let fixture: EngineFixture;

beforeAll(async () => {
  fixture = await openFixture("grouped");
});

afterAll(() => fixture.close());

test("a lower edge outside the column's type is result_too_large", async () => {
  const numbers = await seal(fixture, "edges", "SELECT (-120)::TINYINT AS n", [column("n", "int8", "TINYINT")]);
  const grouped = (width: number) => ask(fixture.engine, numbers, { columns: [], group_by: [{ column: "n", width }] });
  expect((await grouped(64)).reply.rows).toEqual([{ n: -128 }]);
  expect((await rejection(grouped(100))).code).toBe("result_too_large");
});

test("weeks at the ends of years begin on Monday, before 1970 too", async () => {
  const days = "SELECT * FROM (VALUES (DATE '1959-12-31'), (DATE '2021-01-03'), (DATE '2024-12-30'), (NULL)) v(d)";
  const version = await seal(fixture, "weeks", days, [column("d", "date", "DATE")]);
  const { reply } = await ask(fixture.engine, version, {
    columns: [],
    group_by: [
      { column: "d", bucket: "week", as: "w" },
      { column: "d", bucket: "day_of_week", as: "n" },
    ],
  });
  expect(reply.columns).toEqual([
    { name: "w", type: "date" },
    { name: "n", type: "int32" },
  ]);
  expect(reply.rows).toEqual([
    { w: "1959-12-28", n: 4 },
    { w: "2020-12-28", n: 7 },
    { w: "2024-12-30", n: 1 },
    { w: null, n: null },
  ]);
});

test("groups are counted after having and before the limit; aggregates alone are one row or none", async () => {
  const select = "SELECT i % 7 AS k, i AS n FROM range(100) r(i)";
  const columns = [column("k", "int64", "BIGINT"), column("n", "int64", "BIGINT")];
  const version = await seal(fixture, "totals", select, columns);
  const count = { function: "count", as: "rows" };
  const having = [{ column: "rows", operator: "gt", value: 14 }];
  const asked = { columns: [], group_by: ["k"], aggregates: [count], having, limit: 1, total: true };
  const { reply } = await ask(fixture.engine, version, asked);
  expect(reply.rows).toEqual([{ k: 0, rows: 15 }]);
  expect(reply.execution).toMatchObject({ returned_rows: 1, truncated: true, total_rows: 2 });
  const whole = {
    columns: [],
    aggregates: [count],
    having: [{ column: "rows", operator: "lt", value: 5 }],
    total: true,
  };
  const { rows, execution } = (await ask(fixture.engine, version, whole)).reply;
  expect([rows, execution.total_rows]).toEqual([[], 0]);
});

test("correlation and slope are null where undefined, and NaN beside NaN and infinities", async () => {
  const pairs = (k: string, ...values: [string, string][]) =>
    values.map(([y, x]) => `('${k}', ${y}::DOUBLE, ${x}::DOUBLE)`);
  const rows = [
    ...pairs("line", ["1", "2"], ["2", "4"], ["3", "6"]),
    ...pairs("one pair", ["1", "10"], ["NULL", "20"], ["3", "NULL"]),
    ...pairs("constant column", ["7", "1"], ["7", "2"]),
    ...pairs("constant with", ["1", "-0.0"], ["2", "0.0"]),
    ...pairs("nan", ["1", "'nan'"], ["2", "3"]),
    ...pairs("infinite", ["1", "1"], ["'inf'", "3"]),
    ...pairs("nan without a partner", ["'nan'", "NULL"], ["1", "1"], ["2", "0"]),
  ];
  const select = `SELECT * FROM (VALUES ${rows.join(", ")}) v(k, y, x)`;
  const columns = [
    column("k", "string", "VARCHAR"),
    column("y", "float64", "DOUBLE"),
    column("x", "float64", "DOUBLE"),
  ];
  const version = await seal(fixture, "pairs", select, columns);
  const aggregates = (filters?: object[]) =>
    ["corr", "slope"].map((name) => ({
      function: name,
      column: "y",
      with: "x",
      as: name,
      ...(filters && { filters }),
    }));
  const { reply } = await ask(fixture.engine, version, { columns: [], group_by: ["k"], aggregates: aggregates() });
  expect(reply.rows).toEqual([
    { k: "constant column", corr: null, slope: 0 },
    { k: "constant with", corr: null, slope: null },
    { k: "infinite", corr: "NaN", slope: "NaN" },
    { k: "line", corr: 1, slope: 0.5 },
    { k: "nan", corr: "NaN", slope: "NaN" },
    { k: "nan without a partner", corr: -1, slope: -1 },
    { k: "one pair", corr: null, slope: null },
  ]);
  const filters = [{ column: "x", operator: "gt", value: 2 }];
  const line = {
    columns: [],
    filters: [{ column: "k", operator: "eq", value: "line" }],
    aggregates: aggregates(filters),
  };
  expect((await ask(fixture.engine, version, line)).reply.rows).toEqual([{ corr: 1, slope: 0.5 }]);

  // of an integer with nulls beside a float, rows that are no pair count nowhere
  const mixed = "SELECT * FROM (VALUES (1, 'nan'::DOUBLE), (2, 1), (3, 2), (NULL, 5)) v(y, x)";
  const own = [column("y", "int32", "INTEGER"), column("x", "float64", "DOUBLE")];
  const both = await seal(fixture, "mixed-pairs", mixed, own);
  const ways = [...aggregates(), { function: "corr", column: "x", with: "y", as: "other" }];
  expect((await ask(fixture.engine, both, { columns: [], aggregates: ways })).reply.rows).toEqual([
    { corr: "NaN", slope: "NaN", other: "NaN" },
  ]);

  // a column without any null has shorter SQL
  const complete = await seal(fixture, "complete-pairs", `${select} WHERE y IS NOT NULL AND x IS NOT NULL`, columns);
  const body = { columns: [], group_by: ["k"], aggregates: aggregates() };
  expect((await ask(fixture.engine, complete, body)).reply.rows).toEqual(reply.rows);
  expect((await ask(fixture.engine, complete, line)).reply.rows).toEqual([{ corr: 1, slope: 0.5 }]);
});

test("a correlation whose sums leave float64 is result_too_large", async () => {
  const columns = [column("y", "float64", "DOUBLE"), column("x", "float64", "DOUBLE")];
  for (const [name, size] of [
    ["large", "1e200"],
    ["small", "1e-200"],
  ] as const) {
    const select = `SELECT i * ${size}::DOUBLE AS y, (i % 3) * ${size}::DOUBLE AS x FROM range(10) r(i)`;
    const version = await seal(fixture, name, select, columns);
    for (const each of ["corr", "slope"]) {
      const query = { columns: [], aggregates: [{ function: each, column: "y", with: "x", as: "a" }] };
      expect((await rejection(ask(fixture.engine, version, query))).code).toBe("result_too_large");
    }
  }
});

test("a share of several groups' rows counts each row once, before having and limit", async () => {
  const select = "SELECT i % 2 AS a, i % 5 AS b FROM range(100) r(i)";
  const version = await seal(fixture, "shares", select, [
    column("a", "int64", "BIGINT"),
    column("b", "int64", "BIGINT"),
  ]);
  const { reply } = await ask(fixture.engine, version, {
    columns: [],
    filters: [{ column: "b", operator: "neq", value: 4 }],
    group_by: ["a", "b"],
    aggregates: [
      { function: "share", of: [], as: "all" },
      { function: "share", of: ["a"], as: "same_a" },
      { function: "share", of: ["a", "b"], as: "own" },
    ],
    having: [{ column: "b", operator: "gte", value: 2 }],
    limit: 2,
  });
  expect(reply.rows).toEqual([
    { a: 0, b: 2, all: 0.125, same_a: 0.25, own: 1 },
    { a: 0, b: 3, all: 0.125, same_a: 0.25, own: 1 },
  ]);
  const none = { columns: [], filters: [{ column: "b", operator: "gt", value: 9 }] };
  const empty = await ask(fixture.engine, version, { ...none, aggregates: [{ function: "share", of: [], as: "s" }] });
  expect(empty.reply.rows).toEqual([{ s: null }]);
});

test("each row is once in the group of every distinct item of its list", async () => {
  const select =
    "SELECT * FROM (VALUES (1, ['a', 'b', 'a'], [0.0, -0.0]), (2, ['b', NULL, NULL], ['nan'::DOUBLE, 1]), (3, [], NULL), " +
    "(4, NULL, []), (5, ['b'], [1, 'nan'::DOUBLE])) v(n, tags, floats)";
  const columns = [
    column("n", "int32", "INTEGER"),
    column("tags", "list<string>", "VARCHAR[]"),
    column("floats", "list<float64>", "DOUBLE[]"),
  ];
  const version = await seal(fixture, "items", `SELECT n, tags, floats::DOUBLE[] AS floats FROM (${select})`, columns);
  const group = (name: string) => ({
    columns: [],
    group_by: [{ column: name, bucket: "element", as: "item" }],
    aggregates: [
      { function: "count", as: "rows" },
      { function: "sum", column: "n", as: "n" },
      { function: "share", of: [], as: "of_all" },
      { function: "share", of: ["item"], as: "own" },
    ],
    total: true,
  });
  const { reply } = await ask(fixture.engine, version, group("tags"));
  expect(reply.columns[0]).toEqual({ name: "item", type: "string", overlapping: true });
  expect(reply.rows).toEqual([
    { item: "a", rows: 1, n: 1, of_all: 0.2, own: 1 },
    { item: "b", rows: 3, n: 8, of_all: 0.6, own: 1 },
    { item: null, rows: 1, n: 2, of_all: 0.2, own: 1 },
  ]);
  expect(reply.execution.total_rows).toBe(3);
  const { rows } = (await ask(fixture.engine, version, group("floats"))).reply;
  expect(rows.map((row: Record<string, unknown>) => [Object.is(row.item, -0) ? 0 : row.item, row.rows])).toEqual([
    [0, 1],
    [1, 2],
    ["NaN", 2],
  ]);
  const among = {
    columns: [],
    filters: [{ column: "n", operator: "neq", value: 5 }],
    group_by: [
      { column: "tags", bucket: "element", as: "item" },
      { column: "tags", bucket: "length", as: "size" },
    ],
    aggregates: [
      { function: "share", of: ["size"], as: "part" },
      { function: "share", of: [], as: "of_all" },
    ],
    having: [{ column: "part", operator: "gt", value: 0 }],
  };
  expect((await ask(fixture.engine, version, among)).reply.rows).toEqual([
    { item: "a", size: 3, part: 0.5, of_all: 0.25 },
    { item: "b", size: 3, part: 1, of_all: 0.5 },
    { item: null, size: 3, part: 0.5, of_all: 0.25 },
  ]);
});

test("lengths count characters and items, nulls too", async () => {
  const select = "SELECT * FROM (VALUES ('e\u0301😀', [1, NULL]), ('', []), (NULL, NULL)) v(word, list)";
  const version = await seal(fixture, "lengths", select, [
    column("word", "string", "VARCHAR"),
    column("list", "list<int32>", "INTEGER[]"),
  ]);
  const group_by = ["word", "list"].map((name) => ({ column: name, bucket: "length", as: `${name}_length` }));
  const { reply } = await ask(fixture.engine, version, { columns: [], group_by });
  expect(reply.columns.map((each: { type: string }) => each.type)).toEqual(["int64", "int64"]);
  expect(reply.rows).toEqual([
    { word_length: 0, list_length: 0 },
    { word_length: 3, list_length: 2 },
    { word_length: null, list_length: null },
  ]);
});

test("every page of one query has the same total", async () => {
  const select = "SELECT i AS n FROM range(100) r(i)";
  const version = await seal(fixture, "pages", select, [column("n", "int64", "BIGINT")]);
  const filters = [{ column: "n", operator: "gte", value: 40 }];
  const asked = { columns: ["n"], filters, order_by: [{ column: "n", direction: "desc" }], limit: 25, total: true };
  const totals = [];
  for (let cursor: string | undefined, page = 0; page < 3; page++) {
    const { reply } = await ask(fixture.engine, version, { ...asked, ...(cursor && { cursor }) });
    totals.push(reply.execution.total_rows);
    cursor = reply.next_cursor ?? undefined;
  }
  expect(totals).toEqual([60, 60, 60]);
});

test("has finds exact items of lists of any scalar type", async () => {
  const select =
    "SELECT * FROM (VALUES (1, [1, NULL], ['a'], [0.5]), (2, [], NULL, [1.0]), (3, [2, 3], ['A', 'b'], NULL)) v";
  const version = await seal(
    fixture,
    "lists",
    `SELECT col0::INTEGER, col1::INTEGER[], col2::VARCHAR[], col3::DECIMAL(3,1)[] FROM (${select})`,
    [
      column("n", "int32", "INTEGER"),
      column("ints", "list<int32>", "INTEGER[]"),
      column("words", "list<string>", "VARCHAR[]"),
      column("parts", "list<decimal(3,1)>", "DECIMAL(3,1)[]"),
    ],
  );
  const found = async (on: string, value: unknown) =>
    (await ask(fixture.engine, version, { columns: ["n"], filters: [{ column: on, operator: "has", value }] })).reply
      .rows;
  expect(await found("ints", 3)).toEqual([{ n: 3 }]);
  expect(await found("ints", 1.5)).toEqual([]);
  expect(await found("words", "a")).toEqual([{ n: 1 }]);
  expect(await found("parts", 1)).toEqual([{ n: 2 }]);
});
