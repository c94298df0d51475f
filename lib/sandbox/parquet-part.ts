import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { BuildBench } from "@/lib/builds/plan";
import { quoteIdentifier, quoteLiteral } from "@/lib/engine/sql/identifier";
import { columnsWithBothZeros, WITHOUT_DICTIONARIES } from "@/lib/publish/signed-zeros";
import { fillStage } from "@/lib/publish/stage";
import { mismatch, ReadFailure } from "@/lib/readers/failure";
import { readParquet } from "@/lib/readers/parquet/parquet-reading";
import type { Reading } from "@/lib/readers/typed/reading";

const ROWS_PER_GROUP = 122_880;

/**
 * Rewrites an untrusted Parquet file with our own DuckDB and the service's types, so that only files written by it are
 * ever read outside the sandbox. `rowsMax` limits a sample.
 */
export async function rewriteParquet(
  bench: BuildBench,
  source: string,
  target: string,
  { columns, rowsMax }: { columns: readonly string[] | undefined; rowsMax: number | undefined },
): Promise<{ names: string[]; rows: number; rowsOf: number }> {
  const reading = await named(readParquet(bench, source, [], []));
  try {
    return await rewrite(bench, reading, target, { columns, rowsMax });
  } finally {
    if (reading.copy !== undefined) await rm(reading.copy, { force: true });
  }
}

async function rewrite(
  bench: BuildBench,
  reading: Reading,
  target: string,
  { columns, rowsMax }: { columns: readonly string[] | undefined; rowsMax: number | undefined },
): Promise<{ names: string[]; rows: number; rowsOf: number }> {
  const rowsOf = reading.rows ?? 0;
  const wanted = columns ?? reading.columns.map(({ name }) => name);
  const chosen = wanted.map((name) => {
    const column = reading.columns.find((each) => each.name === name);
    if (!column) throw mismatch(`The Parquet file has no column ${JSON.stringify(name)}.`);
    return column;
  });
  const { rows: _, ...rest } = reading;
  const cut = rowsMax !== undefined && rowsMax < rowsOf;
  const relation = cut ? `(SELECT * FROM ${reading.relation} LIMIT ${rowsMax})` : reading.relation;
  const stage = await named(fillStage(bench, { ...rest, columns: chosen, relation }));
  const cells = stage.columns.map(({ name }, index) => `c${index} AS ${quoteIdentifier(name)}`);
  const plain = (await columnsWithBothZeros(bench, stage)).size > 0 ? `, ${WITHOUT_DICTIONARIES}` : "";
  await bench.run(
    `COPY (SELECT ${cells.join(", ")} FROM stage) TO ${quoteLiteral(join(bench.folder, target))}
     (FORMAT parquet, PARQUET_VERSION V2, COMPRESSION zstd, ROW_GROUP_SIZE ${ROWS_PER_GROUP}${plain})`,
  );
  await bench.run("DROP TABLE stage");
  return { names: [...wanted], rows: stage.rows, rowsOf };
}

/** Turns rejections by the publishing code into failures of the file, without paths of this machine. */
async function named<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ReadFailure || !(error instanceof Error)) throw error;
    if (/Out of Memory|No space left|max_temp_directory_size/i.test(error.message)) throw error;
    throw mismatch(error.message.replaceAll(/\/\S*\//g, "").slice(0, 500));
  }
}
