import { afterAll, beforeAll, expect, test } from "vitest";
import { ask, column, type EngineFixture, openFixture, seal } from "@/lib/testing/engine-fixture";
import type { SealedVersion } from "./sealed-version";

let fixture: EngineFixture;
let version: SealedVersion;

beforeAll(async () => {
  fixture = await openFixture("stored-order");
  const select = `SELECT a, b, i AS id FROM (SELECT i, CASE WHEN hash(i) % 7 = 0 THEN NULL ELSE (hash(i) %
    50)::INTEGER END AS a, CAST(list_extract(['nan', '-0.0', '0.0', '1.5'], 1 + i % 4) AS DOUBLE) AS b FROM
    range(12000) r(i))
    ORDER BY a ASC NULLS LAST, b ASC NULLS LAST, i`;
  version = await seal(fixture, "sorted", select, [
    column("a", "int32", "INTEGER"),
    column("b", "float64", "DOUBLE"),
    column("id", "int64", "BIGINT"),
  ]);
});

afterAll(() => fixture.close());

async function readPages(sealed: SealedVersion, query: object): Promise<unknown[]> {
  const rows: unknown[] = [];
  let cursor: string | null | undefined;
  do {
    const { reply } = await ask(fixture.engine, sealed, {
      columns: ["id"],
      limit: 1000,
      ...query,
      ...(cursor && { cursor }),
    });
    rows.push(...reply.rows.map(({ id }: { id: number }) => id));
    cursor = reply.next_cursor;
  } while (cursor);
  return rows;
}

const filters = [{ column: "id", operator: "gt", value: 5000 }];
const queries: [name: string, query: object][] = [
  ["the first key", { order_by: [{ column: "a" }] }],
  ["both keys", { order_by: [{ column: "a" }, { column: "b" }] }],
  ["both keys, filtered", { order_by: [{ column: "a" }, { column: "b" }], filters }],
  ["descending, which is not the stored order", { order_by: [{ column: "a", direction: "desc" }] }],
  ["only the second key", { order_by: [{ column: "b" }] }],
];

test.each(queries)("rows stored in order are returned as sorting would return them: %s", async (_name, query) => {
  const sorted = await readPages(version, query);
  expect(await readPages({ ...version, orderBy: ["a", "b"] }, query)).toEqual(sorted);
});

test("a cursor from a sorted read continues a read in stored order, and vice versa", async () => {
  const query = { columns: ["id"], order_by: [{ column: "a" }], limit: 700 };
  const stored = { ...version, orderBy: ["a", "b"] };
  const first = (await ask(fixture.engine, version, query)).reply;
  const second = (await ask(fixture.engine, stored, { ...query, cursor: first.next_cursor })).reply;
  const third = (await ask(fixture.engine, version, { ...query, cursor: second.next_cursor })).reply;
  const ids = [first, second, third].flatMap(({ rows }) => rows.map(({ id }: { id: number }) => id));
  expect(ids).toEqual((await readPages(version, query)).slice(0, 2100));
});
