import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDuckDB, type DuckDBBindings, NODE_RUNTIME, VoidLogger } from "@duckdb/duckdb-wasm/blocking";
import { tableFromIPC } from "apache-arrow";
import { initSync, Table, writeParquet } from "parquet-wasm/esm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { viewSqlOver } from "@/components/explorer/view/view-sql";
import { withWriter } from "@/lib/engine/duckdb/duckdb";
import { quoteLiteral } from "@/lib/engine/sql/identifier";
import { columnTypeOfDuckdb } from "@/lib/engine/types/column-types";
import { browserType } from "@/lib/operations/describe-sql-table";
import { readView } from "@/lib/view/view-address";
import type { SqlColumn, SqlTable } from "./messages";
import { rowCsv, rowJson } from "./result-rows";
import { parquetColumns, SqlDatabase } from "./sql-database";

/** Every type that versions have. */
const TYPES = `SELECT i::TINYINT AS i8, (9007199254740993 + i)::BIGINT AS i64,
  (18446744073709551615 - i::UBIGINT)::UBIGINT AS u64, (0.1 * i)::FLOAT AS f32,
  CASE i WHEN 1 THEN 'NaN'::DOUBLE WHEN 2 THEN 'Infinity'::DOUBLE WHEN 3 THEN -0.0 ELSE i / 3 END AS f64,
  (1234567890123456789012345678.1234::DECIMAL(38,4) + i)::DECIMAL(38,4) AS d38, (i / 100)::DECIMAL(9,2) AS d9,
  CASE WHEN i <> 4 THEN 'é' || i END AS s, i % 2 = 0 AS b, DATE '1969-12-30' + i::INTEGER AS dt,
  TIME '23:59:59.123456' AS tm, TIMESTAMPTZ '2020-01-01 00:00:00.123456+00' + to_days(i::INTEGER) AS tz,
  md5(i::VARCHAR)::UUID AS id, ('{"a":' || i || '}')::JSON AS js, [i, NULL, 3]::INTEGER[] AS li,
  {'x': i, 'when': TIMESTAMPTZ '2020-01-01 00:00:00+00', 'k': md5(i::VARCHAR)::UUID} AS st,
  [{'k': md5(i::VARCHAR)::UUID}] AS ls, NULL::VARCHAR AS nu, '\\x01'::BLOB AS bl, i AS "a ""b.c" FROM range(5) r(i)`;
const ZONED = { TIMESTAMP: "TIMESTAMP WITH TIME ZONE", VARCHAR: "JSON" };

let folder: string;
let bindings: DuckDBBindings;
let database: SqlDatabase;
let table: SqlTable;
/** The columns that were read, by table, in turn. */
let read: string[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "parquetry-sql-"));
  const path = join(folder, "types.parquet");
  const columns = await withWriter({ tempDir: folder, memoryMb: 512, threads: 1 }, async (connection) => {
    await connection.run(`COPY (${TYPES}) TO ${quoteLiteral(path)} (FORMAT parquet, COMPRESSION zstd)`);
    const found = await connection.runAndReadAll(`DESCRIBE ${TYPES}`);
    return found.getRowsJson().map(([name, storage]): SqlColumn => {
      const sql = browserType(String(storage));
      return { name: String(name), type: "string", sql, bytes: 8 };
    });
  });
  const require = createRequire(import.meta.url);
  initSync({ module: readFileSync(require.resolve("parquet-wasm/esm/parquet_wasm_bg.wasm")) });
  const mainModule = require.resolve("@duckdb/duckdb-wasm/dist/duckdb-eh.wasm");
  const bundle = { mainModule, mainWorker: "" };
  bindings = await createDuckDB({ mvp: bundle, eh: bundle }, new VoidLogger(), NODE_RUNTIME);
  await bindings.instantiate(() => undefined);
  database = new SqlDatabase(bindings);
  table = { name: "types", columns, rows: 5, file: { url: path, bytes: 1, sha256: "0".repeat(64) } };
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(sql: string, tables: readonly SqlTable[] = [table]) {
  read = [];
  const result = await database.run(
    tables,
    sql,
    async ({ name, file }, columns) => {
      const stream = await parquetColumns(new Blob([readFileSync(file.url)]), columns);
      read.push(
        `${name}: ${tableFromIPC(stream)
          .schema.fields.map((field) => field.name)
          .join()}`,
      );
      return stream;
    },
    () => undefined,
  );
  return { ...result, texts: database.rows(result.columns, 0, 1000) };
}

/** A table of the same file that nothing was read of. */
const unread = (name: string): SqlTable => ({ ...table, name });

test("every type has the values that DuckDB itself reads from the file", async () => {
  const { columns, texts } = await run("FROM types");
  const casts = table.columns.map(({ name, sql }) => {
    const stored = `"${name.replaceAll('"', '""')}"`;
    return sql === "BLOB" ? `to_base64(${stored})` : `CAST(CAST(${stored} AS ${sql}) AS VARCHAR)`;
  });
  const own = await withWriter({ tempDir: folder, memoryMb: 512, threads: 1 }, async (connection) => {
    await connection.run("SET TimeZone = 'UTC'");
    return (
      await connection.runAndReadAll(`SELECT ${casts.join(", ")} FROM ${quoteLiteral(table.file.url)}`)
    ).getRowsJson();
  });
  expect(texts).toEqual(own);
  expect(columns.map(({ sql }) => browserType(sql))).toEqual(table.columns.map(({ sql }) => sql));
  expect(Object.values(ZONED).some((type) => columns.some(({ sql }) => sql.includes(type)))).toBe(false);
});

test.each([
  ["a column", "SELECT i8 FROM t", "i8"],
  ["columns of filters, groups and order", "SELECT s, sum(i8) FROM t WHERE b GROUP BY s ORDER BY max(dt)", "i8,s,b,dt"],
  ["a field of a struct", "SELECT st.x FROM t", "st"],
  ["what a subquery passes on", "SELECT i8 FROM (SELECT * FROM t) WHERE d9 < 1", "i8,d9"],
  ["a column that has to be quoted", 'SELECT "a ""b.c" FROM t', 'a "b.c'],
  ["the smallest, to count rows", "SELECT count(*) FROM t", "i8"],
  ["a filter that nothing meets", "SELECT i8 FROM t WHERE s = 'x' AND 1 = 0", "i8,s"],
  ["columns by a pattern", "SELECT COLUMNS('^i(8|64)$') FROM t", "i8,i64"],
  ["both sides of a join", "SELECT a.i8 FROM t a JOIN t b ON a.i64 = b.i64", "i8,i64"],
  ["a correlated subquery", "SELECT (SELECT max(y.d9) FROM t y WHERE y.i8 = x.i8) FROM t x", "i8,d9"],
])("only what a query names is read: %s", async (_, sql, columns) => {
  await run("SELECT 1", []); // forgets the table
  const sized = {
    ...unread("t"),
    columns: table.columns.map((column) => ({ ...column, bytes: column.name === "i8" ? 1 : 8 })),
  };
  await run(sql, [sized]);
  expect(read).toEqual([`t: ${columns}`]);
});

test("a recursive query, whose plan does not say, reads all columns", async () => {
  const { texts } = await run(
    "WITH RECURSIVE x AS (SELECT 1 AS a UNION ALL SELECT a + 1 FROM x JOIN r ON a = r.i8) SELECT max(a) FROM x",
    [unread("r")],
  );
  expect(texts).toEqual([["5"]]);
});

test("what hides errors hides no column that was not read", async () => {
  const sql =
    "WITH RECURSIVE x AS (SELECT 1 AS a UNION ALL SELECT a + 1 FROM x JOIN h ON TRY(a = h.i8)) SELECT max(a) FROM x";
  expect((await run(sql, [unread("h")])).texts).toEqual([["5"]]);
});

test("columns that were not read keep their places", async () => {
  const [one, other] = [unread("one"), unread("other")];
  await run("SELECT i8, d9, s FROM one", [one, other]);
  const { texts } = await run("SELECT u64 FROM (FROM one UNION ALL FROM other) WHERE i8 = 0", [one, other]);
  expect(texts).toEqual([["18446744073709551615"], ["18446744073709551615"]]);
  expect((await run("SELECT * FROM one LIMIT 0", [one, other])).columns).toHaveLength(table.columns.length);
});

test("what was read is not read again", async () => {
  const again = unread("again");
  await run("SELECT i8 FROM again", [again]);
  await run("SELECT i8 + 1 FROM again", [again]);
  expect(read).toEqual([]);
  await run("SELECT d9 FROM again", [again]);
  expect(read).toEqual(["again: i8,d9"]);
});

test.each([
  ["no query", " -- none\n ;", "There is no query yet."],
  ["several", "SELECT 'é;';\nSELECT 2 -- two", "Run one at a time: remove what begins in line 2."],
  ["a change", "CREATE TABLE x (a INTEGER)", "syntax error"],
  ["an unknown table", "FROM nothing", "Table with name nothing does not exist"],
  ["a word that is not SQL", "SELECT 1\nFRM types", "(line 2, at “types”)"],
  ["an extension", "SELECT to_json(1)", "it belongs to DuckDB's extension json, which is not loaded here."],
  ["another site", "FROM 'https://example.com/x.parquet'", "does not exist"],
  ["a file", "FROM read_csv('/etc/passwd')", "disabled by configuration"],
  ["settings", "SET enable_external_access = true", "syntax error"],
])("is refused in words: %s", async (_, sql, message) => {
  await expect(run(sql)).rejects.toThrow(message);
});

test("one query may end with a semicolon and a comment", async () => {
  expect((await run("SELECT 'é; --' AS a; -- done\n ;")).texts).toEqual([["é; --"]]);
});

test.each([
  "DESCRIBE types",
  "SUMMARIZE SELECT i8 FROM types",
  "SHOW TABLES",
  "VALUES (1)",
  "FROM types SELECT i8",
  "PIVOT types ON b USING sum(i8)",
])("%s is a query", async (sql) => {
  expect((await run(sql)).rows).toBeGreaterThan(0);
});

test.each([
  ["?filter=tz:gte:2020-01-03&columns=i8,tz&sort=-tz", "2|3|4"],
  ["?filter=dt:lt:1970-01-01&filter=b:eq:true&columns=i8", "0"],
  ["?filter=s:contains~:É&columns=i8", "0|1|2|3"],
  ["?filter=id:eq:c4ca4238-a0b9-2382-0dcc-509a6f75849b&columns=i8", "1"],
  ["?filter=u64:eq:18446744073709551614&columns=i8", "1"],
  ["?group=tz:day:d&agg=count::n&agg=max:i8:m&having=m:gt:3", "2020-01-05"],
])("a view of the explorer is a query here: %s", async (address, first) => {
  const columns = table.columns.map(({ name, sql }) => ({ name, type: columnTypeOfDuckdb(sql)?.name ?? "string" }));
  const zoned = columns.map((column) => (column.name === "tz" ? { ...column, type: "timestamp" } : column));
  const { view, faults } = readView(new URLSearchParams(address), zoned);
  expect(faults).toEqual([]);
  const { texts } = await run(viewSqlOver(view, zoned, "types") ?? "");
  expect(
    texts
      .map(([value]) => value)
      .sort()
      .join("|"),
  ).toBe(first);
});

test("columns that take too much memory are refused before anything is read", async () => {
  const large = { ...unread("large"), columns: table.columns.map((column) => ({ ...column, bytes: 90_000_000 })) };
  await expect(run("SELECT * FROM large", [large])).rejects.toMatchObject({
    table: "large",
    message: expect.stringContaining("the limit is 200 MB for a table"),
  });
  expect(read).toEqual([]);
  expect((await run("SELECT i8, i64 FROM large", [large])).rows).toBe(5);
});

test("another version under the same name takes the place of the first", async () => {
  const other = { ...table, columns: table.columns.slice(0, 2), file: { ...table.file, sha256: "1".repeat(64) } };
  expect((await run("FROM types", [other])).columns).toHaveLength(2);
  expect((await run("FROM types")).columns).toHaveLength(table.columns.length);
});

test("a result is an Arrow stream that others read, and Parquet with the same values", async () => {
  const { columns, texts } = await run("FROM types");
  const parquet = writeParquet(Table.fromIPCStream(database.arrow(columns)));
  const path = join(folder, "result.parquet");
  writeFileSync(path, parquet);
  const casts = columns.map(({ name, sql }) => {
    const stored = `"${name.replaceAll('"', '""')}"`;
    return sql === "BLOB" ? `to_base64(${stored})` : `CAST(CAST(${stored} AS ${sql}) AS VARCHAR)`;
  });
  const own = await withWriter({ tempDir: folder, memoryMb: 512, threads: 1 }, async (connection) =>
    (await connection.runAndReadAll(`SELECT ${casts.join(", ")} FROM ${quoteLiteral(path)}`)).getRowsJson(),
  );
  expect(own).toEqual(texts);
  const none = await run("SELECT 1 AS a WHERE false");
  expect(tableFromIPC(database.arrow(none.columns)).schema.fields.map(({ name }) => name)).toEqual(["a"]);
});

test("values of types that other readers lack are saved as text, and sums as decimals", async () => {
  const { columns } = await run(
    "SELECT INTERVAL 1 DAY AS span, sum(i64) AS huge, 100000000000000000000000000000000000000::HUGEINT AS longer FROM types",
  );
  const saved = tableFromIPC(database.arrow(columns));
  const texts = saved.schema.fields.map(({ name, type }) => `${name} ${type}`);
  expect(texts).toEqual(["span Utf8", "huge Decimal[38e0]", "longer Utf8"]);
});

test("a table is read whichever way a query names it, and no other database is", async () => {
  for (const name of ["main.named", '"named"', "NAMED"]) {
    await run("SELECT 1", []);
    expect((await run(`SELECT count(*) FROM ${name}`, [unread("named")])).texts).toEqual([["5"]]);
  }
  await expect(run("FROM memory.main.named", [unread("named")])).rejects.toThrow("does not exist");
  await expect(run('FROM "parquetry-results".main.rows', [unread("named")])).rejects.toThrow("uses itself");
});

test("rows are written with every digit, in the forms of replies", async () => {
  const { columns, texts } = await run(
    "SELECT u64, f64, d38, s, b, dt, tz, sum(i64) OVER () AS huge, li FROM types ORDER BY i8 LIMIT 3",
  );
  expect(texts.map((row) => rowJson(row, columns))[1]).toBe(
    '{"u64":18446744073709551614,"f64":"NaN","d38":1234567890123456789012345679.1234,"s":"é1","b":false,' +
      '"dt":"1969-12-31","tz":"2020-01-02T00:00:00.123456Z","huge":45035996273704975,"li":"[1, NULL, 3]"}',
  );
  expect(rowCsv(["a,b", null, ""], columns.slice(3, 6))).toBe('"a,b",,""\r\n');
});
