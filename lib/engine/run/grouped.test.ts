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
