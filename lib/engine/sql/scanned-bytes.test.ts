import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withWriter } from "@/lib/engine/duckdb/duckdb";
import { parseJsonBody } from "@/lib/engine/grammar/body";
import { makePlan } from "@/lib/engine/plan/plan";
import { parseQuery } from "@/lib/engine/run/query";
import { quoteLiteral } from "./identifier";
import { type Footer, footerSql, mayContainNull, readFooter, scannedBytes } from "./scanned-bytes";

const COLUMNS = [
  ["id", "int64", "BIGINT"],
  ["t", "string", "VARCHAR"],
  ["d", "decimal(9,2)", "DECIMAL(9,2)"],
  ["at", "timestamp", "TIMESTAMP WITH TIME ZONE"],
  ["s", "struct", "STRUCT(a INTEGER, b INTEGER[])"],
  ["n", "int32", "INTEGER"],
].map(([name = "", type = "", storage = ""]) => ({ name, type, storage }));

let folder: string;
let footer: Footer;
/** Each chunk's path and bytes, according to the file itself. */
let stored: [string, number][];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parquetry-footer-"));
  const path = join(folder, "a.parquet");
  footer = await withWriter({ tempDir: folder, memoryMb: 512, threads: 1 }, async (connection) => {
    const rows =
      "SELECT i AS id, 't' || lpad(i::VARCHAR, 6, '0') AS t, (i / 100)::DECIMAL(9,2) AS d, TIMESTAMPTZ " +
      "'2020-01-01 00:00:00+00' + INTERVAL (i) SECOND AS at, {'a': i::INTEGER, 'b': [i::INTEGER]} AS s, CASE " +
      "WHEN i < 2048 THEN NULL ELSE 1::INTEGER END AS n FROM range(8192) r(i)";
    await connection.run(`COPY (${rows}) TO ${quoteLiteral(path)} (FORMAT parquet, ROW_GROUP_SIZE 2048)`);
    stored = (
      await connection.runAndReadAll(
        `SELECT path_in_schema, total_compressed_size FROM parquet_metadata(${quoteLiteral(path)})`,
      )
    )
      .getRows()
      .map(([name, bytes]) => [String(name), Number(bytes)]);
    return readFooter((await connection.runAndReadAll(footerSql(path).sql)).getRows(), COLUMNS);
  });
});

afterAll(async () => rm(folder, { recursive: true, force: true }));

/** Which of the four row groups a query reads, as bits. Each has a size that no others add up to. */
function groupsRead(filter: string, after?: bigint, more = ""): number {
  const plan = makePlan(
    parseQuery(parseJsonBody(`{"columns":["s"],"filters":[${filter}]${more}}`), { rowsMax: 100, bytesMax: 1000 }),
    COLUMNS,
  );
  const marked = footer.map((group, at) => ({
    ...group,
    chunks: group.chunks.map((chunk) => ({ ...chunk, bytes: 1 << at })),
  }));
  const touched = new Set([
    4,
    ...plan.conditions.map((condition) => condition.column),
    ...(plan.kind === "cell" ? [] : plan.order.map((key) => key.column)),
  ]);
  return scannedBytes(marked, plan, after) / touched.size;
}

test.each([
  ["", 0b1111],
  ['{"column":"id","operator":"eq","value":5000}', 0b0100],
  ['{"column":"id","operator":"in","value":[1,8000]}', 0b1001],
  ['{"column":"id","operator":"gt","value":6143}', 0b1000],
  ['{"column":"id","operator":"gte","value":6143}', 0b1100],
  ['{"column":"id","operator":"lt","value":2048}', 0b0001],
  ['{"column":"id","operator":"lte","value":2048}', 0b0011],
  ['{"column":"id","operator":"between","value":[2000,2100]}', 0b0011],
  ['{"column":"id","operator":"neq","value":1}', 0b1111],
  ['{"column":"id","operator":"eq","value":1.5}', 0b0000],
  ['{"column":"d","operator":"gte","value":61.44}', 0b1000],
  ['{"column":"t","operator":"eq","value":"t005000"}', 0b0100],
  ['{"column":"t","operator":"eq","value":"é"}', 0b1111],
  ['{"column":"at","operator":"lt","value":"2020-01-01T00:34:08Z"}', 0b0001],
  ['{"column":"n","operator":"is_null"}', 0b0001],
  ['{"column":"n","operator":"is_not_null"}', 0b1110],
  ['{"column":"n","operator":"eq","value":1}', 0b1110],
  ['{"column":"s","operator":"is_null"}', 0b1111],
])("of four row groups, %s reads %i", (filter, mask) => {
  expect(groupsRead(filter)).toBe(mask);
});

test("pagination in stored order skips the row groups before the cursor; ordered pagination does not", () => {
  expect(groupsRead("", 2047n)).toBe(0b1110);
  expect(groupsRead("", 2046n)).toBe(0b1111);
  expect(groupsRead("", 2047n, ',"order_by":[{"column":"id"}]')).toBe(0b1111);
});

test("bytes are the stored bytes of the touched columns, all leaves of nested ones", () => {
  const plan = makePlan(parseQuery(parseJsonBody('{"columns":["s"]}'), { rowsMax: 100, bytesMax: 1000 }), COLUMNS);
  expect(scannedBytes(footer, plan, undefined)).toBe(
    stored.filter(([path]) => path.startsWith("s, ")).reduce((sum, [, bytes]) => sum + bytes, 0),
  );
});

test("columns without nulls are detected", () => {
  expect([mayContainNull(footer, 0), mayContainNull(footer, 4), mayContainNull(footer, 5)]).toEqual([
    false,
    true,
    true,
  ]);
});
