import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { parse } from "lossless-json";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withWriter } from "@/lib/engine/duckdb/duckdb";
import { type Engine, openEngine } from "@/lib/engine/duckdb/engine";
import { buildReadCopy } from "@/lib/engine/duckdb/read-copy";
import { parseJsonBody } from "@/lib/engine/grammar/body";
import type { QueryBody } from "@/lib/engine/grammar/grammar";
import { quoteIdentifier, quoteLiteral } from "@/lib/engine/sql/identifier";
import { type RandomTable, randomLookup, randomTable } from "@/lib/testing/arbitraries";
import { randomQueryOf } from "@/lib/testing/arbitrary-queries";
import { jsonText } from "@/lib/testing/evaluate-cells";
import { GroupOutside } from "@/lib/testing/evaluate-groups";
import { evaluate, type Query, readTable } from "@/lib/testing/evaluator";
import { propertyParameters } from "@/lib/testing/property";
import { parseQuery, runQuery } from "./query";
import type { QueryPage } from "./reply";
import type { SealedVersion } from "./sealed-version";

const SECRET = Buffer.from("a secret of the tests, of 32 bytes");
const CONTEXT = { secret: SECRET, queryId: "qry_test", elapsedMs: () => 0 };
const TIER = { rowsMax: 10_000, bytesMax: 8 * 1024 * 1024 };
/** Tables, with 4 to 8 queries each. */
const RUNS = 25;

let folder: string;
let onCopies: Engine;
let onParquet: Engine;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parquetry-property-"));
  const options = {
    parquetDir: folder,
    copiesDir: folder,
    tempDir: join(folder, "tmp"),
    threads: 2,
    memoryMb: 1024,
    tempMb: 1024,
    queriesAtOnce: 2,
    queueMs: 10_000,
    timeoutMs: 60_000,
  };
  onCopies = await openEngine({ ...options, copiesMb: 1024, readCacheMb: 16 });
  onParquet = await openEngine({ ...options, copiesMb: 0 });
});

afterAll(async () => {
  await onCopies.close();
  await onParquet.close();
  await rm(folder, { recursive: true, force: true });
});

let made = 0;

/** Writes the table with DuckDB, in row groups small enough that some can be pruned. */
async function writeTable(table: RandomTable): Promise<SealedVersion & { parquetPath: string }> {
  made += 1;
  const parquetPath = join(folder, `${made}.parquet`);
  const cells = table.columns.map(({ name, storage, pool, isKey }, at) => {
    const drawn = `CAST(hash(i * 31 + ${at * 7919 + table.seed}) % ${pool.length} AS BIGINT)`;
    const list = pool.map((cell) => (cell === null ? "NULL" : quoteLiteral(cell))).join(", ");
    return `CAST(list_extract([${list}]::VARCHAR[], 1 + ${isKey ? "i" : drawn}) AS ${storage}) AS ${quoteIdentifier(name)}`;
  });
  const sorted = table.seed % 2 === 0 ? ` ORDER BY ${quoteIdentifier(table.columns[0]?.name ?? "")}` : "";
  await withWriter({ tempDir: join(folder, "tmp"), memoryMb: 1024, threads: 2 }, async (connection) => {
    await connection.run(
      `COPY (SELECT ${cells.join(", ")} FROM range(${table.rows}) r(i)${sorted}) TO ` +
        `${quoteLiteral(parquetPath)} (FORMAT parquet, PARQUET_VERSION V1, COMPRESSION snappy, ROW_GROUP_SIZE ` +
        "2048)",
    );
  });
  const copyPath = join(folder, `${made}.duckdb`);
  await buildReadCopy({
    parquetPath,
    copyPath,
    columns: table.columns.length,
    tempDir: join(folder, "tmp"),
    memoryMb: 1024,
    threads: 2,
  });
  const columns = table.columns.map(({ name, type, storage }) => ({ name, type, storage }));
  return {
    tableId: "00000000-0000-4000-8000-000000000001",
    versionId: `00000000-0000-4000-8000-${String(made).padStart(12, "0")}`,
    digest: String(made).padStart(64, "0"),
    publishedAt: "2026-01-01T00:00:00.000Z",
    rows: table.rows,
    columns,
    parquetPath,
    withParquet: (read) => read(parquetPath),
    copyPath,
  };
}

interface Reply {
  columns: { name: string; type: string }[];
  rows: Record<string, unknown>[];
  next_cursor: string | null;
  execution: { total_rows?: unknown };
}

/** Every page of a query, read alternately from the copy and from the Parquet file, with varying page sizes. */
async function readPages(
  version: SealedVersion,
  query: string,
  pageSizes: readonly number[],
): Promise<{ texts: string[][]; types: string[]; totals: (number | undefined)[] }> {
  const texts: string[][] = [];
  const totals: (number | undefined)[] = [];
  let cursor: string | null = null;
  for (let page = 0; ; page++) {
    const limit = pageSizes[page % pageSizes.length];
    const body = parseQuery(
      parseJsonBody(`{${query},"limit":${limit}${cursor === null ? "" : `,"cursor":"${cursor}"`}}`),
      TIER,
    );
    const reply = await runQuery(page % 2 === 0 ? onCopies : onParquet, version, body, TIER, CONTEXT);
    await expectAgain(reply, version, body);
    const { columns, rows, next_cursor, execution } = parse(Buffer.from(reply.body).toString()) as Reply;
    expect(rows.length).toBe(reply.returnedRows);
    expect(reply.truncated).toBe(next_cursor !== null || (reply.grouped && reply.truncated));
    for (const row of rows) texts.push(columns.map(({ name, type }) => cellText(row[name], type)));
    totals.push(execution.total_rows === undefined ? undefined : Number(execution.total_rows));
    if (next_cursor === null) return { texts, types: columns.map(({ type }) => type), totals };
    expect(rows.length).toBeLessThanOrEqual(limit ?? 0);
    cursor = next_cursor;
  }
}

/** Requested again, the same rows come from memory. A first answer from the Parquet file equals the copy's. */
async function expectAgain(first: QueryPage, version: SealedVersion, body: QueryBody): Promise<void> {
  const before = await runQuery(onCopies, version, body, TIER, CONTEXT);
  const again = await runQuery(onCopies, version, body, TIER, CONTEXT);
  expect(again.isCached).toBe(true);
  expect(Buffer.from(again.body).equals(before.body)).toBe(true);
  if (!first.grouped) expect(Buffer.from(again.body).equals(first.body)).toBe(true);
}

function cellText(value: unknown, type: string): string {
  const text = typeof value === "string" ? JSON.stringify(value) : String(value);
  if (!type.startsWith("float") || typeof value === "string" || value === null) return text;
  return Object.is(Number(text), -0) ? "-0" : String(Number(text));
}

/** Sums of floats depend on the order of addition, in their last digits. */
function isClose(a: string, b: string, type: string): boolean {
  if (a === b || type !== "float64") return a === b;
  return Math.abs(Number(a) - Number(b)) <= 1e-7 * Math.max(1, Math.abs(Number(a)));
}

/** Equal floats of either sign of zero form one group, whose sign is undefined. */
const withoutSign = (text: string): string => (text === "-0" ? "0" : text);

/** Every row of a result equals the evaluator's; in groups, floats may differ in their last digits. */
function expectSame(
  query: string,
  grouped: boolean,
  { texts, types }: { texts: string[][]; types: string[] },
  expected: ReturnType<typeof evaluate>,
): void {
  const wanted = expected.rows.map((row) => row.map((cell, at) => jsonText(cell, expected.columns[at]?.type ?? "")));
  expect(types).toEqual(expected.columns.map(({ type }) => type));
  expect(texts.length, query).toBe(wanted.length);
  for (const [at, row] of texts.entries()) {
    const isSame = row.every((text, column) =>
      grouped
        ? isClose(withoutSign(text), withoutSign(wanted[at]?.[column] ?? ""), types[column] ?? "")
        : text === wanted[at]?.[column],
    );
    if (!isSame) expect(row, `row ${at} of ${query}`).toEqual(wanted[at]);
  }
}

/** Every page of a query has what the evaluator found, or the query fails where nothing can be found. */
async function expectFound(
  version: SealedVersion,
  query: string,
  sizes: readonly number[],
  expected: ReturnType<typeof evaluate> | undefined,
): Promise<void> {
  const grouped = query.includes('"aggregates"');
  const reading = readPages(version, query, grouped ? [10_000] : sizes);
  if (expected === undefined) return expect(reading, query).rejects.toMatchObject({ code: "result_too_large" });
  const read = await reading;
  expect(new Set(read.totals)).toEqual(new Set([query.includes('"total"') ? read.texts.length : undefined]));
  expectSame(query, grouped, read, expected);
}

/** What the evaluator finds; undefined if there is no result, because a group cannot be written. */
function evaluated(rows: Rows, query: string, found: readonly Rows[]): ReturnType<typeof evaluate> | undefined {
  try {
    return evaluate(rows, parseJsonBody(`{${query}}`) as Query, found);
  } catch (error) {
    if (error instanceof GroupOutside) return undefined;
    throw error;
  }
}

type Rows = Awaited<ReturnType<typeof readTable>>;

test("paginated results of random queries equal those of an independent evaluator, row by row", async () => {
  const pairs = randomTable.chain((table) => randomLookup(table).map((lookup) => ({ table, lookup })));
  const cases = pairs.chain(({ table, lookup }) =>
    fc.record({
      table: fc.constant(table),
      lookup: fc.constant(lookup),
      queries: fc.array(randomQueryOf(table, lookup), { minLength: 4, maxLength: 8 }),
      pageSizes: fc.array(fc.constantFrom(1, 2, 3, 7, 50, 1000, 10_000), { minLength: 1, maxLength: 3 }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(cases, async ({ table, lookup, queries, pageSizes }) => {
      const others = lookup ? [await writeTable(lookup.other)] : [];
      const lookups = others.map((other) => ({ ...other, primaryKey: ["key"] }));
      const version = { ...(await writeTable(table)), ...(lookup && { lookups }) };
      const found = await Promise.all(others.map((other) => readTable(other.parquetPath, other.columns)));
      const rows = await readTable(version.parquetPath, version.columns);
      expect(rows.rows.length).toBe(table.rows);
      const sizes = table.rows > 100 ? pageSizes.map((size) => Math.max(size, 1000)) : pageSizes;
      for (const query of queries) await expectFound(version, query, sizes, evaluated(rows, query, found));
    }),
    propertyParameters(RUNS),
  );
});
