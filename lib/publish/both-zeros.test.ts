import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Engine, openEngine } from "@/lib/engine/duckdb/engine";
import { buildReadCopy, ZerosLost } from "@/lib/engine/duckdb/read-copy";
import { withBench } from "@/lib/sandbox/bench";
import { rewriteParquet } from "@/lib/sandbox/decode-source";
import type { ColumnNote } from "@/lib/schemas/publish";
import { blobFile } from "@/lib/testing/blob-file";
import { useTestState } from "@/lib/testing/database";
import { ask, type EngineFixture, openFixture } from "@/lib/testing/engine-fixture";
import { publishTable } from "./publish";
import { withWorkbench } from "./workbench";

const state = useTestState();
let fixture: EngineFixture;
let engines: Engine[];
let files = 0;

beforeAll(async () => {
  fixture = await openFixture("both-zeros");
  engines = [fixture.engine, await openEngine({ ...fixture.options, copiesMb: 100 })];
});
afterAll(async () => {
  await engines[1]?.close();
  await fixture.close();
});

/** Publishes a file and returns what queries say of its column `x`, from the Parquet file and from a read copy. */
async function queried(content: string | Buffer, format: string, columns: ColumnNote[] = []): Promise<unknown[][]> {
  files += 1;
  const name = `zeros-${files}`;
  const file = join(state.dataDir(), `${name}.${format}`);
  writeFileSync(file, content);
  const about = {
    ...{ slug: name, title: "T", summary: "s", description: "d", license: "MIT", topics: [], publisher: { name: "P" } },
  };
  const receipt = await publishTable(
    { file, dataset: about, table: { slug: "t", name: "T" }, columns },
    { now: () => new Date() },
  );
  const digest = receipt.content_digest.slice("sha256:".length);
  const parquetPath = join(fixture.options.parquetDir, `${name}.parquet`);
  writeFileSync(parquetPath, readFileSync(blobFile(digest)));
  const copyPath = join(fixture.options.copiesDir, `${digest}.duckdb`);
  const resources = { tempDir: fixture.options.tempDir, memoryMb: 512, threads: 2 };
  await buildReadCopy({ parquetPath, copyPath, columns: 1, ...resources }).catch((error: unknown) => {
    if (!(error instanceof ZerosLost)) throw error;
  });
  const [type] = await withWorkbench((bench) => bench.rows(`SELECT column_type FROM (DESCRIBE '${parquetPath}')`));
  const version = {
    ...{ tableId: receipt.table_id, versionId: receipt.version_id, digest, publishedAt: "2026-01-01T00:00:00.000Z" },
    ...{
      rows: receipt.rows,
      parquetPath,
      copyPath,
      withParquet: <T>(read: (path: string) => Promise<T>) => read(parquetPath),
    },
    columns: [{ name: "x", type: await typeOf(parquetPath), storage: type?.[0] ?? "" }],
  };
  const replies = [];
  for (const engine of engines) {
    const { reply } = await ask(engine, version, { columns: ["x"], limit: 10_000 });
    replies.push(reply.rows.map(({ x }: { x: unknown }) => x));
  }
  expect(replies[1]).toEqual(replies[0]);
  return replies[0] as unknown as unknown[][];
}

/** The type that the sealed file names. */
async function typeOf(path: string): Promise<string> {
  const [row] = await withWorkbench((bench) =>
    bench.rows(`SELECT decode(value) FROM parquet_kv_metadata('${path}') WHERE decode(key) = 'columns'`),
  );
  return JSON.parse(row?.[0] ?? "")[0].type;
}

/** The file of another program, which keeps both zeros. */
async function parquetOf(select: string): Promise<Buffer> {
  return await withWorkbench(async (bench) => {
    const path = join(bench.folder, "made.parquet");
    await bench.run(`COPY (${select}) TO '${path}' (FORMAT parquet, DICTIONARY_SIZE_LIMIT 0)`);
    return readFileSync(path);
  });
}

const SIGNS = "list_extract(['-0.0', '0.0', '0.0'], 1 + i % 3)";
const PATTERN = [-0, 0, 0];
const expected = (rows: number, shape: (zero: number, row: number) => unknown): unknown[] =>
  Array.from({ length: Math.min(rows, 10_000) }, (_, row) => shape(PATTERN[row % 3] ?? 0, row));

describe.each([6, 130_000])("of %d rows", (rows) => {
  const shapes: [string, string, (zero: number, row: number) => unknown][] = [
    ["only zeros", `${SIGNS}::DOUBLE`, (zero) => zero],
    ["only zeros of 32 bits", `${SIGNS}::FLOAT`, (zero) => zero],
    ["zeros and nulls", `CASE WHEN i % 4 > 0 THEN ${SIGNS}::DOUBLE END`, (zero, row) => (row % 4 > 0 ? zero : null)],
    [
      "zeros among others",
      `CASE WHEN i % 4 > 0 THEN ${SIGNS}::DOUBLE ELSE i END`,
      (zero, row) => (row % 4 > 0 ? zero : row),
    ],
    ["a run of zeros", `CASE WHEN i > 3 THEN ${SIGNS}::DOUBLE ELSE 7 END`, (zero, row) => (row > 3 ? zero : 7)],
    ["lists", `[${SIGNS}::DOUBLE, 0]`, (zero) => [zero, 0]],
    ["structs", `{a: ${SIGNS}::FLOAT, b: 'b'}`, (zero) => ({ a: zero, b: "b" })],
  ];
  test.each(shapes)("Parquet: %s come back with their signs", async (_, sql, shape) => {
    const file = await parquetOf(`SELECT ${sql} AS x FROM range(${rows}) r(i)`);
    expect(await queried(file, "parquet")).toEqual(expected(rows, shape));
  });

  test("CSV and JSON: zeros come back with their signs", async () => {
    const cells = Array.from({ length: rows }, (_, row) => (row % 3 === 0 ? "-0.0" : "0.0"));
    const zeros = expected(rows, (zero) => zero);
    expect(await queried(`x\n${cells.join("\n")}\n`, "csv")).toEqual(zeros);
    expect(await queried(`x\n${cells.join("\n")}\n`, "csv", [{ name: "x", type: "float32" }])).toEqual(zeros);
    expect(await queried(`[${cells.map((cell) => `{"x":${cell}}`).join(",")}]`, "json")).toEqual(zeros);
    const lists = `[${cells.map((cell) => `{"x":[${cell}]}`).join(",")}]`;
    expect(await queried(lists, "json")).toEqual(expected(rows, (zero) => [zero]));
  });

  test("a recipe's run decodes Parquet with both zeros", async () => {
    const select = `SELECT ${SIGNS}::DOUBLE AS x FROM range(${rows}) r(i)`;
    const folder = join(state.dataDir(), `bench-${rows}`);
    mkdirSync(join(folder, "cells"), { recursive: true });
    writeFileSync(join(folder, "raw.parquet"), await parquetOf(select));
    const negative = await withBench(folder, { memoryMb: 512, diskMb: 512 }, async (bench) => {
      await rewriteParquet(bench, join(folder, "raw.parquet"), "cells/1.parquet", {
        ...{ columns: undefined, rowsMax: undefined },
      });
      return await bench.rows(
        `SELECT count(*)::VARCHAR FROM '${join(folder, "cells/1.parquet")}' WHERE x = 0 AND signbit(x)`,
      );
    });
    expect(negative).toEqual([[String(Math.ceil(rows / 3))]]);
  });
});
