import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { publishTable } from "@/lib/publish/publish";
import type { StoredColumn } from "@/lib/schemas/column";
import type { PublishRequest } from "@/lib/schemas/publish";
import { readShowcase } from "@/lib/showcase/dataset-file";
import { publishRequestOf } from "@/lib/showcase/showcase";
import { blobStore } from "@/lib/storage/blob-store";
import { copyPath } from "@/lib/storage/paths";
import { findCurrentVersion } from "@/lib/store/datasets/versions";
import { closeDatabase } from "@/lib/store/postgres/database";
import { doublesSql, mixedRowsSql, TINY_SQL } from "./generated";
import { say } from "./say";

const usFlights2001 = readShowcase("us-flights-2001");

export interface BenchTable {
  tableId: string;
  rows: number;
  bytes: number;
  columns: StoredColumn[];
  parquetPath: string;
  copyPath: string;
}

export interface Tables {
  flights: BenchTable;
  b10: BenchTable;
  tiny: BenchTable;
  /** Only if requested: creating it takes a minute. */
  gigabyte: BenchTable | undefined;
}

/** About 54.6 stored bytes a row: just under 1 GiB. */
const GIGABYTE_ROWS = 19_500_000;

/** The tables of the run. Those missing from the data folder are published. */
export async function prepareTables(rows: number, withGigabyte: boolean): Promise<Tables> {
  try {
    return {
      flights: await flightsTable(),
      b10: await generatedTable(`b10-${rows}`, mixedRowsSql(rows), ["seen_at"]),
      tiny: await generatedTable("tiny", TINY_SQL, []),
      gigabyte: withGigabyte
        ? await generatedTable(`gigabyte-${GIGABYTE_ROWS}`, doublesSql(GIGABYTE_ROWS), [])
        : undefined,
    };
  } finally {
    await closeDatabase();
  }
}

async function flightsTable(): Promise<BenchTable> {
  const [table] = usFlights2001.tables;
  const version = table?.versions[0];
  if (!table || !version) throw new Error("The flights have no version");
  return await inFolder((folder) =>
    published(
      async () => ({ file: await version.prepare(folder), ...publishRequestOf(usFlights2001, table, version) }),
      usFlights2001.dataset.slug,
      table.slug,
    ),
  );
}

async function generatedTable(slug: string, sql: string, orderBy: string[]): Promise<BenchTable> {
  return await inFolder((folder) =>
    published(
      async () => ({
        ...generatedRequest(slug, orderBy),
        file: await writeParquet(join(folder, "source.parquet"), sql),
      }),
      slug,
      "rows",
    ),
  );
}

function generatedRequest(slug: string, orderBy: string[]): Omit<PublishRequest, "file"> {
  const dataset = {
    slug,
    title: slug,
    summary: "Generated for the bench.",
    description: "Generated for the bench.",
    license: "CC0-1.0",
    topics: [],
  };
  return { dataset: { ...dataset, publisher: { name: "Bench" } }, table: { slug: "rows", name: "Rows" }, orderBy };
}

async function published(request: () => Promise<PublishRequest>, dataset: string, table: string): Promise<BenchTable> {
  if (!(await findCurrentVersion(dataset, table))) {
    const startedAt = performance.now();
    const receipt = await publishTable(await request(), {
      now: () => new Date(),
      progress: (text) => say(`${dataset}: ${text}`),
    });
    say(`${dataset}: published ${receipt.rows} rows in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  }
  const version = await findCurrentVersion(dataset, table);
  if (!version) throw new Error(`${dataset}/${table} was not published`);
  // a file in the data folder, so the path remains valid after the call
  const parquetPath = await blobStore().withLocalPath(version.digest, async (path) => path);
  return { ...version, parquetPath, copyPath: copyPath(version.digest) };
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "parquetry-bench-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function writeParquet(path: string, sql: string): Promise<string> {
  const instance = await DuckDBInstance.create(":memory:", { memory_limit: "3GB" });
  const connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
  await connection.run(`COPY (${sql}) TO '${path}' (FORMAT parquet, COMPRESSION zstd)`);
  instance.closeSync();
  return path;
}
