import { afterAll, beforeAll, expect, test } from "vitest";
import { type Engine, openEngine } from "@/lib/engine/duckdb/engine";
import { buildReadCopy } from "@/lib/engine/duckdb/read-copy";
import { ask, column, type EngineFixture, openFixture, seal } from "@/lib/testing/engine-fixture";

let fixture: EngineFixture;
let version: Awaited<ReturnType<typeof seal>>;
let engines: Engine[];

beforeAll(async () => {
  fixture = await openFixture("signed-zero");
  const select =
    "SELECT i AS id, CAST(list_extract(['0.0', '-0.0', '7', 'nan'], 1 + i % 4) AS DOUBLE) AS d, " +
    "CAST(list_extract(['-0.0', '5'], 1 + i % 2) AS FLOAT) AS f FROM range(4000) r(i)";
  version = await seal(fixture, "zeros", select, [
    column("id", "int64", "BIGINT"),
    column("d", "float64", "DOUBLE"),
    column("f", "float32", "FLOAT"),
  ]);
  const { copyPath, parquetPath } = version;
  await buildReadCopy({
    parquetPath,
    copyPath,
    columns: 3,
    tempDir: fixture.options.tempDir,
    memoryMb: 512,
    threads: 2,
  });
  engines = [fixture.engine, await openEngine({ ...fixture.options, copiesMb: 100 })];
});

afterAll(async () => {
  await engines[1]?.close();
  await fixture.close();
});

const filters: [name: string, filter: object, rows: number][] = [
  ["eq 0", { column: "d", operator: "eq", value: 0 }, 2000],
  ["in 0", { column: "d", operator: "in", value: [0] }, 2000],
  ["in 0 twice", { column: "d", operator: "in", value: [0, 0] }, 2000],
  ["in 0 and 7", { column: "d", operator: "in", value: [0, 7] }, 3000],
  ["in 0 twice and 7", { column: "d", operator: "in", value: [0, 0, 7] }, 3000],
  ["between", { column: "d", operator: "between", value: [0, 0] }, 2000],
  ["neq 0", { column: "d", operator: "neq", value: 0 }, 2000],
  ["eq 0 on float32", { column: "f", operator: "eq", value: 0 }, 2000],
];

test.each(filters)("%s finds both zeros, in the Parquet file and in its read copy", async (_name, filter, rows) => {
  const body = { columns: [], filters: [filter], aggregates: [{ function: "count", as: "n" }] };
  for (const engine of engines) expect((await ask(engine, version, body)).reply.rows).toEqual([{ n: rows }]);
});

test("pagination ordered by a column with both zeros returns each row once", async () => {
  for (const engine of engines) {
    const ids: unknown[] = [];
    let cursor: string | null | undefined;
    do {
      const { reply: page } = await ask(engine, version, {
        columns: ["id"],
        order_by: [{ column: "d" }],
        limit: 333,
        ...(cursor && { cursor }),
      });
      ids.push(...page.rows.map((row: { id: unknown }) => Number(row.id)));
      cursor = page.next_cursor;
    } while (cursor);
    expect(ids).toHaveLength(4000);
    expect(new Set(ids).size).toBe(4000);
  }
});
