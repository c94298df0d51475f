import { afterAll, beforeAll, expect, test } from "vitest";
import { type Engine, openEngine, type Session } from "@/lib/engine/duckdb/engine";
import { ask, column, type EngineFixture, openFixture, seal } from "@/lib/testing/engine-fixture";
import type { SealedVersion } from "./sealed-version";

let fixture: EngineFixture;
let copies: Engine;
let version: SealedVersion;

/** Columns with ties, both zeros, NaN and infinity, and decimals; `holey` has nulls. */
const SELECT = `SELECT (hash(i) % 40)::INTEGER AS tied,
  CAST(list_extract(['nan', '-0.0', '0.0', '1.5', 'inf', '-7'], 1 + (hash(i) % 6)::INT) AS DOUBLE) AS floating,
  ((hash(i) % 9000)::INT / 100)::DECIMAL(9, 2) AS price, TIMESTAMP '2020-01-01' + to_seconds((hash(i) % 999)::INT) AS at,
  CASE WHEN i % 9 > 0 THEN i END AS holey, i AS id FROM range(20000) r(i)`;
const COLUMNS = [
  column("tied", "int32", "INTEGER"),
  column("floating", "float64", "DOUBLE"),
  column("price", "decimal(9,2)", "DECIMAL(9,2)"),
  column("at", "timestamp", "TIMESTAMP"),
  column("holey", "int64", "BIGINT"),
  column("id", "int64", "BIGINT"),
];

beforeAll(async () => {
  fixture = await openFixture("bounded-order");
  version = await seal(fixture, "bounded", SELECT, COLUMNS);
  copies = await openEngine({ ...fixture.options, copiesMb: 64 });
  await ask(copies, version, { columns: ["id"], limit: 1 });
  await copies.copies.settled();
});
afterAll(async () => {
  await copies.close();
  await fixture.close();
});

/** The rows of a query, and how many of its statements looked for the last value first. */
async function read(body: object): Promise<{ text: string; bounded: number }> {
  const statements: string[] = [];
  const run = copies.run.bind(copies);
  copies.run = (work, caller) =>
    run(
      (session: Session) =>
        work({
          ...session,
          all: (statement, recurs) => {
            statements.push(statement.sql);
            return session.all(statement, recurs);
          },
        }),
      caller,
    );
  try {
    const { text } = await ask(copies, version, body);
    return { text, bounded: statements.filter((sql) => sql.includes(" AS b FROM copy_")).length };
  } finally {
    copies.run = run;
  }
}

const NAMES = COLUMNS.map(({ name }) => name);

test.each(["tied", "floating", "price", "at"])("first pages by %s equal those of a full sort", async (name) => {
  for (const direction of ["asc", "desc"])
    for (const more of [
      { limit: 1 },
      { limit: 700, offset: 333 },
      { limit: 10_000, offset: 9_999 },
      { limit: 9_999 },
    ]) {
      const body = { columns: NAMES, order_by: [{ column: name, direction }, { column: "holey" }], ...more };
      const { text, bounded } = await read(body);
      expect(bounded).toBe(1);
      expect(text).toBe((await ask(fixture.engine, version, body)).text);
    }
});

test("filtered queries, columns with nulls, later pages and the Parquet file use a full sort", async () => {
  const order_by = [{ column: "price" }];
  const filters = [{ column: "tied", operator: "lt", value: 3 }];
  const { reply } = await ask(copies, version, { columns: ["id"], order_by, limit: 5 });
  for (const body of [
    { columns: ["id"], order_by, filters },
    { columns: ["id"], order_by: [{ column: "holey" }] },
    { columns: ["id"], order_by, limit: 5, cursor: reply.next_cursor },
  ]) {
    const { text, bounded } = await read(body);
    expect(bounded).toBe(0);
    expect(text).toBe((await ask(fixture.engine, version, body)).text);
  }
});
