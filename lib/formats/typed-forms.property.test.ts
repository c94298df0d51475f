import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { parse } from "lossless-json";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { QueryPage } from "@/lib/engine/run/reply";
import type { SealedVersion } from "@/lib/engine/run/sealed-version";
import { quoteIdentifier, quoteLiteral } from "@/lib/engine/sql/identifier";
import { ask, column, type EngineFixture, openFixture, seal } from "@/lib/testing/engine-fixture";
import { propertyParameters } from "@/lib/testing/property";
import { plainFromJson, readArrow, readParquet } from "@/lib/testing/read-back";
import { TYPED_KINDS as KINDS, type TypedKind } from "@/lib/testing/typed-kinds";
import { toArrow } from "./arrow";
import { csvTable } from "./csv-table";
import { toParquet } from "./parquet";
import { toCsv } from "./text";

interface Table {
  columns: { kind: TypedKind; name: string; nulls: number; cells: readonly string[] }[];
  rows: number;
  seed: number;
}

const NAMES = ["id", 'we"ird $', "ключ", "rowid", "a b", "😀", "list", "element", "it's"];

const tables: fc.Arbitrary<Table> = fc.record({
  columns: fc
    .array(
      fc.constantFrom(...KINDS).chain((chosen) =>
        fc.record({
          kind: fc.constant(chosen),
          nulls: fc.constantFrom(0, 1, 4),
          cells: fc.subarray([...chosen.cells], { minLength: 1 }),
        }),
      ),
      { minLength: 1, maxLength: 8 },
    )
    .map((columns) => columns.map((column, at) => ({ ...column, name: NAMES[at] ?? `n${at}` }))),
  rows: fc.constantFrom(0, 1, 2, 17, 300, 2500),
  seed: fc.nat(1_000_000),
});

let fixture: EngineFixture;
let sealed = 0;
beforeAll(async () => {
  fixture = await openFixture("typed-forms");
});
afterAll(() => fixture.close());

const literal = (text: string): string => `'${text.replaceAll("'", "''").replaceAll("\u0000", "' || chr(0) || '")}'`;

async function pageOf(table: Table, wideAsText: boolean): Promise<QueryPage> {
  const version = await sealTable(table);
  const columns = version.columns.map(({ name }) => name);
  const body = { columns, limit: 10_000, ...(wideAsText && { int64: "string" }) };
  return (await ask(fixture.engine, version, body)).page;
}

async function sealTable({ columns, rows, seed }: Table) {
  const cells = columns.map(({ kind: { storage }, cells: texts, nulls, name }, at) => {
    const pool = [
      ...texts.map((text) => `CAST(${literal(text)} AS ${storage})`),
      ...Array.from({ length: nulls }, () => "NULL"),
    ];
    return (
      `list_extract([${pool.join(", ")}], 1 + CAST(hash(i * 31 + ${at * 7919 + seed}) % ${pool.length} AS ` +
      `BIGINT)) AS ${quoteIdentifier(name)}`
    );
  });
  sealed += 1;
  const described = columns.map(({ name, kind: { type, storage } }) => ({ name, type, storage }));
  return await seal(fixture, `forms-${sealed}`, `SELECT ${cells.join(", ")} FROM range(${rows}) t(i)`, described);
}

/** The reply's rows, and the types of the columns in each format. */
function expected(page: QueryPage, wideAsText: boolean) {
  const columns = wideAsText
    ? page.columns.map((column) => ({
        ...column,
        storage: column.storage.replace(/U?BIGINT|DECIMAL\(\d+,\d+\)/g, "VARCHAR"),
      }))
    : page.columns;
  const { rows } = parse(Buffer.from(page.body).toString()) as { rows: Record<string, unknown>[] };
  return {
    columns,
    rows: rows.map((row) =>
      Object.fromEntries(columns.map((column) => [column.name, plainFromJson(column, row[column.name])])),
    ),
  };
}

test("hyparquet and apache-arrow read back the JSON's values, for every type", async () => {
  await fc.assert(
    fc.asyncProperty(tables, fc.boolean(), async (table, wideAsText) => {
      const page = await pageOf(table, wideAsText);
      const { columns, rows } = expected(page, wideAsText);
      expect(await readParquet(toParquet(page, wideAsText), columns)).toEqual(rows);
      expect(readArrow(toArrow(page, wideAsText), columns)).toEqual(rows);
    }),
    propertyParameters(15),
  );
});

async function piecesOf(version: SealedVersion): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  for await (const piece of csvTable(fixture.engine, version, {})) pieces.push(piece);
  return pieces;
}

test("an entire table as CSV has the bytes of its CSV page, for every type", async () => {
  await fc.assert(
    fc.asyncProperty(tables, async (table) => {
      const version = await sealTable(table);
      const { page } = await ask(fixture.engine, version, {
        columns: version.columns.map(({ name }) => name),
        limit: 10_000,
      });
      const whole = await piecesOf(version);
      expect(Buffer.concat(whole).toString()).toBe(toCsv(page).toString());
    }),
    propertyParameters(15),
  );
});

test("an entire table as CSV continues where its last piece ended, even with rows larger than a piece", async () => {
  const described = [column("n", "int64", "BIGINT"), column("t", "string", "VARCHAR")];
  const select =
    "SELECT i AS n, CASE WHEN i = 70000 THEN repeat('x', 3000000) ELSE ' y' END AS t FROM range(100000) t(i)";
  const version = await seal(fixture, "pieces", select, described);
  const pieces = await piecesOf(version);
  expect(pieces.length).toBeGreaterThan(5);
  const lines = Array.from(
    { length: 100_000 },
    (_, at) => `${at},${at === 70_000 ? "x".repeat(3_000_000) : '" y"'}\r\n`,
  );
  expect(Buffer.concat(pieces).equals(Buffer.from(`n,t\r\n${lines.join("")}`))).toBe(true);
});

test("DuckDB finds the stored types in a page's Parquet, even if it is empty", async () => {
  const columns = KINDS.map((chosen, at) => ({ kind: chosen, name: `c${at}`, nulls: 1, cells: chosen.cells }));
  for (const rows of [0, 50]) {
    const path = join(fixture.options.parquetDir, `page-${rows}.parquet`);
    await writeFile(path, toParquet(await pageOf({ columns, rows, seed: 7 }, false), false));
    const described = await fixture.engine.run((session) =>
      session.all({
        sql: `SELECT column_type FROM (DESCRIBE SELECT * FROM read_parquet(${quoteLiteral(path)}))`,
        params: [],
      }),
    );
    expect(described.map(([type]) => type)).toEqual(KINDS.map(({ storage }) => storage));
  }
});

test("zeros of both signs remain distinct in one column", async () => {
  const signs = Array.from({ length: 64 }, (_, at) => (at % 3 === 0 ? "-0.0" : "0.0"));
  const described = [column("x", "float64", "DOUBLE"), column("l", "list<float32>", "FLOAT[]")];
  const version = await seal(fixture, "zeros", "SELECT 0::DOUBLE AS x, [0::FLOAT] AS l", described);
  const { page } = await ask(fixture.engine, version, { columns: ["x", "l"] });
  const rowParts = [Buffer.from(signs.map((sign) => `{"x":${sign},"l":[${sign}]}`).join(",\n"))];
  const rows = signs.map((sign) => ({ x: sign.replace(".0", ""), l: [sign.replace(".0", "")] }));
  expect(await readParquet(toParquet({ ...page, rowParts }, false), described)).toEqual(rows);
  expect(readArrow(toArrow({ ...page, rowParts }, false), described)).toEqual(rows);
});
