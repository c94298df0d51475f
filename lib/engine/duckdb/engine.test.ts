import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runPreview } from "@/lib/engine/run/preview";
import type { SealedVersion } from "@/lib/engine/run/sealed-version";
import { ask, column, type EngineFixture, KEY_TIER, openFixture, rejection, seal } from "@/lib/testing/engine-fixture";
import { hasWorkedFor, leastProcessorTime } from "@/lib/testing/processor-time";
import { openEngine } from "./engine";

let fixture: EngineFixture;
let big: SealedVersion;

beforeAll(async () => {
  fixture = await openFixture("engine");
  big = await seal(fixture, "big", "SELECT i AS id, md5(i::VARCHAR) AS code FROM range(2000000) r(i)", [
    column("id", "int64", "BIGINT"),
    column("code", "string", "VARCHAR"),
  ]);
});

afterAll(async () => fixture.close());

/** Deliberately slow: it hashes every string of a large table. */
const SLOW = { columns: [], aggregates: [{ function: "count_distinct", column: "code", as: "n" }] };

test("a query over its time limit fails with query_timeout and leaves the connection usable", async () => {
  const options = { ...fixture.options, timeoutMs: 1 };
  const hasty = await openEngine(options);
  const whole = await leastProcessorTime(() => ask(fixture.engine, big, SLOW), 1);
  const interrupted = await leastProcessorTime(async () => {
    expect((await rejection(ask(hasty, big, SLOW))).code).toBe("query_timeout");
  });
  expect(interrupted).toBeLessThan(whole / 2);
  options.timeoutMs = fixture.options.timeoutMs;
  const { reply } = await ask(hasty, big, { columns: ["id"], limit: 1 });
  expect(reply.rows).toEqual([{ id: 0 }]);
  await hasty.close();
});

test("work with its own time limit is not stopped at the limit of queries", async () => {
  const hasty = await openEngine({ ...fixture.options, timeoutMs: 1 });
  const slow = { sql: "SELECT count(DISTINCT hash(i)) FROM range(2000000) r(i)", params: [] };
  await expect(hasty.run(({ all }) => all(slow))).rejects.toMatchObject({ code: "query_timeout" });
  expect(await hasty.run(({ all }) => all(slow), {}, 60_000)).toHaveLength(1);
  await hasty.close();
});

test("an aborted request stops its query with the signal's reason", async () => {
  const controller = new AbortController();
  const running = expect(ask(fixture.engine, big, SLOW, KEY_TIER, { signal: controller.signal })).rejects.toThrow(
    "gone",
  );
  await hasWorkedFor(20_000);
  controller.abort(new Error("gone"));
  await running;
  expect((await ask(fixture.engine, big, { columns: ["id"], limit: 1 })).reply.execution.returned_rows).toBe(1);
});

test("queries over the concurrency limit wait, then fail with busy and a retry time", async () => {
  const narrow = await openEngine({ ...fixture.options, queriesAtOnce: 1, queueMs: 20 });
  const first = Promise.withResolvers<string>();
  const running = narrow.run(() => first.promise);
  const second = await rejection(ask(narrow, big, { columns: ["id"], limit: 1 }));
  expect([second.code, second.retryAfterSeconds]).toEqual(["busy", 1]);
  first.resolve("answered");
  expect(await running).toBe("answered");
  expect((await ask(narrow, big, { columns: ["id"], limit: 1 })).reply.rows.length).toBe(1);
  await narrow.close();
});

test("a caller with many slow queries does not block another's small one", async () => {
  const fair = await openEngine({ ...fixture.options, queriesAtOnce: 4, queueMs: 120_000 });
  const many = 16;
  let ended = 0;
  const enough = new AbortController();
  const slow = Array.from({ length: many }, () =>
    ask(fair, big, SLOW, KEY_TIER, { subject: "a", signal: enough.signal }).then(() => {
      ended += 1;
    }),
  );
  const { reply } = await ask(fair, big, { columns: ["id"], limit: 1 }, KEY_TIER, { subject: "b" });
  expect(reply.rows).toEqual([{ id: 0 }]);
  expect(ended).toBeLessThan(many / 2); // with a single queue, almost all of them would have ended first
  enough.abort();
  await Promise.allSettled(slow);
  await fair.close();
});

test("the reading instance reads only its folders and cannot be unlocked", async () => {
  const outside = join(fixture.folder, "outside.csv");
  await writeFile(outside, "a\n1\n");
  for (const sql of [
    `SELECT * FROM read_csv('${outside}')`,
    `SELECT * FROM read_csv('${fixture.options.parquetDir}/../outside.csv')`,
    "SELECT * FROM read_text('/etc/passwd')",
    "SELECT * FROM glob('/etc/*')",
  ]) {
    await expect(
      fixture.engine.run((session) => session.all({ sql, params: [] })),
      sql,
    ).rejects.toThrow(/Permission|disabled|not allowed/i);
  }
  for (const sql of [
    `COPY (SELECT 1) TO '${fixture.options.parquetDir}/x.csv'`,
    `ATTACH '${fixture.folder}/x.duckdb'`,
    "SET threads = 1",
    "SET enable_external_access = true",
    "INSTALL httpfs",
    "CREATE TABLE x(i INT)",
  ]) {
    await expect(
      fixture.engine.run((session) => session.all({ sql, params: [] })),
      sql,
    ).rejects.toThrow(/Only SELECT|Permission|locked/i);
  }
});

test("a missing Parquet file is an integrity failure, not an internal error", async () => {
  expect(
    (
      await rejection(
        ask(
          fixture.engine,
          {
            ...big,
            digest: "f".repeat(64),
            withParquet: (read) => read(join(fixture.options.parquetDir, "none.parquet")),
          },
          { columns: ["id"] },
        ),
      )
    ).code,
  ).toBe("integrity_failure");
});

test("a page ends at the last row that fits the byte limit, and the next page continues from there", async () => {
  const text = await seal(fixture, "text", "SELECT i AS id, repeat('é', 10 + i % 90) AS t FROM range(500) r(i)", [
    column("id", "int64", "BIGINT"),
    column("t", "string", "VARCHAR"),
  ]);
  const seen: number[] = [];
  let cursor: string | null = null;
  for (let bytesMax = 3000; ; bytesMax += 7) {
    const { text: body, reply } = await ask(
      fixture.engine,
      text,
      { columns: ["id", "t"], limit: 500, ...(cursor && { cursor }) },
      { rowsMax: 500, bytesMax },
    );
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(bytesMax);
    seen.push(...reply.rows.map((row: { id: number }) => row.id));
    cursor = reply.next_cursor;
    if (cursor === null) break;
    const next = (seen.at(-1) ?? 0) + 1;
    const nextBytes = Buffer.byteLength(JSON.stringify({ id: next, t: "é".repeat(10 + (next % 90)) })) + 2;
    expect(Buffer.byteLength(body) + nextBytes + 16, `at ${bytesMax}`).toBeGreaterThan(bytesMax);
  }
  expect(seen).toEqual(Array.from({ length: 500 }, (_, id) => id));
});

test("one row over the byte limit, and a grouped result over it, are result_too_large", async () => {
  const tier = { rowsMax: 100, bytesMax: 1024 };
  const wide = await seal(fixture, "wide", "SELECT i AS id, repeat('x', 2000) AS t FROM range(3) r(i)", [
    column("id", "int64", "BIGINT"),
    column("t", "string", "VARCHAR"),
  ]);
  expect((await rejection(ask(fixture.engine, wide, { columns: ["t"] }, tier))).code).toBe("result_too_large");
  expect((await rejection(ask(fixture.engine, big, { columns: [], group_by: ["code"] }, tier))).code).toBe(
    "result_too_large",
  );
});

test("a sum beyond 38 digits is rejected rather than wrong", async () => {
  const huge = await seal(fixture, "huge", "SELECT CAST(repeat('9', 38) AS DECIMAL(38,0)) AS d FROM range(3)", [
    column("d", "decimal(38,0)", "DECIMAL(38,0)"),
  ]);
  expect(
    (
      await rejection(
        ask(fixture.engine, huge, { columns: [], aggregates: [{ function: "sum", column: "d", as: "s" }] }),
      )
    ).code,
  ).toBe("result_too_large");
});

test("hostile names, values and sizes are treated as data only", async () => {
  const name = `a"b'c]; DROP TABLE t; --`;
  const odd = await seal(
    fixture,
    "odd",
    `SELECT '%' AS "a""b'c]; DROP TABLE t; --", 1 AS "rowid", 2 AS "FILE_ROW_NUMBER", 3 AS "$1", '__proto__' ` +
      `AS "__proto__"`,
    [
      column(name, "string", "VARCHAR"),
      column("rowid", "int32", "INTEGER"),
      column("FILE_ROW_NUMBER", "int32", "INTEGER"),
      column("$1", "int32", "INTEGER"),
      column("__proto__", "string", "VARCHAR"),
    ],
  );
  const all = odd.columns.map((each) => each.name);
  const filters = Array.from({ length: 50 }, () => ({ column: name, operator: "starts_with", value: "%" }));
  const order_by = all.map((each) => ({ column: each, direction: "desc" }));
  const { reply } = await ask(fixture.engine, odd, { columns: all, filters, order_by });
  expect(Object.entries(reply.rows[0])).toEqual([
    [name, "%"],
    ["rowid", 1],
    ["FILE_ROW_NUMBER", 2],
    ["$1", 3],
    ["__proto__", "__proto__"],
  ]);
  expect(
    (await ask(fixture.engine, odd, { columns: all, filters: [{ column: name, operator: "contains", value: "_" }] }))
      .reply.rows,
  ).toEqual([]);
  expect(
    (
      await ask(fixture.engine, odd, {
        columns: all,
        filters: [{ column: name, operator: "eq", value: "😀".repeat(4096) }],
      })
    ).reply.rows,
  ).toEqual([]);
  expect(
    (
      await rejection(
        ask(fixture.engine, odd, {
          columns: all,
          filters: [{ column: name, operator: "eq", value: "x".repeat(4097) }],
        }),
      )
    ).code,
  ).toBe("invalid_value");
});

test("a query with 50 filters and 8 orders finishes within the time limit", async () => {
  const columns = Array.from({ length: 8 }, (_, at) => column(`k${at}`, "int32", "INTEGER"));
  const keyed = await seal(
    fixture,
    "keyed",
    `SELECT ${columns.map((each, at) => `CAST(hash(i + ${at}) % 3 AS INTEGER) AS ${each.name}`).join(", ")} ` +
      "FROM range(20000) r(i)",
    columns,
  );
  const body = {
    columns: columns.map((each) => each.name),
    filters: Array.from({ length: 50 }, (_, at) => ({ column: `k${at % 8}`, operator: "between", value: [0, 2] })),
    order_by: columns.map((each) => ({ column: each.name, direction: "desc" })),
    limit: 9000,
  };
  let total = 0;
  let cursor: string | null = null;
  do {
    const { reply } = await ask(fixture.engine, keyed, { ...body, ...(cursor && { cursor }) });
    total += reply.rows.length;
    cursor = reply.next_cursor;
  } while (cursor !== null);
  expect(total).toBe(20_000);
});

test("a preview cuts long cells and lists them", async () => {
  const long = await seal(
    fixture,
    "long",
    "SELECT i AS id, repeat('é', 999 + i) AS t, [i, NULL] AS l FROM range(3) r(i)",
    [column("id", "int64", "BIGINT"), column("t", "string", "VARCHAR"), column("l", "list<int64>", "BIGINT[]")],
  );
  const preview = await runPreview(fixture.engine, long, { position: 0, rows: 3 });
  const rows = JSON.parse(Buffer.from(preview.rowsJson).toString());
  expect(rows.map((row: { t: string }) => row.t.length)).toEqual([999, 1000, 1000]);
  expect(rows[0].l).toEqual([0, null]);
  expect([preview.rows, preview.truncatedCells]).toEqual([3, [{ row: 2, column: "t" }]]);
});
