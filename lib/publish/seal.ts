import { join } from "node:path";
import { quoteIdentifier, quoteLiteral } from "@/lib/engine/sql/identifier";
import { onlyRow } from "@/lib/readers/bench";
import { noteOf } from "@/lib/readers/typed/reading";
import type { StoredColumn } from "@/lib/schemas/column";
import type { ColumnNote } from "@/lib/schemas/publish";
import { columnsWithBothZeros, WITHOUT_DICTIONARIES } from "./signed-zeros";
import type { Stage } from "./stage";
import type { Workbench } from "./workbench";

/** The dataset and table metadata stored in a file. */
export interface SealedTexts {
  dataset: { slug: string; title: string; license: string; publisher: { name: string } };
  table: { slug: string; license?: string | null };
}

/** A finished Parquet file that is not yet a blob. */
export interface SealedFile {
  path: string;
  columns: StoredColumn[];
  rows: number;
  primaryKey: readonly string[];
}

/**
 * Writes the stage as Parquet, sorted by `orderBy` with equal rows in the file's order. The same stage gives the same
 * bytes.
 */
export async function sealStage(
  bench: Workbench,
  stage: Stage,
  request: SealedTexts,
  notes: readonly ColumnNote[],
  orderBy: readonly string[],
  primaryKey: readonly string[] = [],
  fileName = "sealed.parquet",
): Promise<SealedFile> {
  const path = join(bench.folder, fileName);
  const twoZeros = await columnsWithBothZeros(bench, stage);
  // Sorting rebuilds float keys from a form that lacks the sign of zero.
  const cellOf = (name: string, index: number) =>
    orderBy.includes(name) && twoZeros.has(index) ? `-(-c${index})` : `c${index}`;
  const values = stage.columns.map(({ name }, index) => `${cellOf(name, index)} AS ${quoteIdentifier(name)}`);
  const keys = orderBy.map((name) => `c${stage.columns.findIndex((column) => column.name === name)} ASC NULLS LAST`);
  const order = keys.length > 0 ? `ORDER BY ${keys.join(", ")}, rowid` : "";
  const meta = Object.entries(metadataOf(request, stage, notes, primaryKey)).map(
    ([key, value]) => `${quoteIdentifier(key)}: ${quoteLiteral(value)}`,
  );
  // memory left over from reading and sorting would add to that of the next step
  await bench.releaseMemory?.();
  await copyParquet(bench, `SELECT ${values.join(", ")} FROM stage ${order}`, path, {
    more: [`KV_METADATA {${meta.join(", ")}}`, ...(twoZeros.size > 0 ? [WITHOUT_DICTIONARIES] : [])],
  });
  await bench.releaseMemory?.();
  return { path, columns: await storedColumns(bench, path, stage, notes), rows: stage.rows, primaryKey };
}

/** Contains no time and no ID: equal content must give equal bytes. */
function metadataOf(
  { dataset, table }: SealedTexts,
  stage: Stage,
  notes: readonly ColumnNote[],
  primaryKey: readonly string[],
): Record<string, string> {
  const columns = stage.columns.map(({ name, type }) => {
    const note = noteOf(notes, name);
    return { name, type, description: note?.description ?? null, unit: note?.unit ?? null };
  });
  return {
    dataset: dataset.slug,
    table: table.slug,
    title: dataset.title,
    publisher: dataset.publisher.name,
    license: table.license ?? dataset.license,
    columns: JSON.stringify(columns),
    ...(primaryKey.length > 0 && { primary_key: JSON.stringify(primaryKey) }),
  };
}

async function storedColumns(
  bench: Workbench,
  path: string,
  stage: Stage,
  notes: readonly ColumnNote[],
): Promise<StoredColumn[]> {
  const described = await bench.rows(
    `SELECT column_type FROM (DESCRIBE SELECT * FROM read_parquet(${quoteLiteral(path)}))`,
  );
  const nulls = await onlyRow(
    bench,
    `SELECT ${stage.columns.map((_, index) => `(count(*) - count(c${index}))::VARCHAR`).join(", ")} FROM stage`,
  );
  return stage.columns.map(({ name, type }, index) => {
    const note = noteOf(notes, name);
    const storage = described[index]?.[0] ?? "";
    return {
      name,
      type,
      storage,
      nullable: nulls[index] !== "0",
      description: note?.description ?? null,
      unit: note?.unit ?? null,
    };
  });
}

/** By measurement: groups of 60 vectors prune and compress well; V2 pages and zstd read faster than the defaults. */
const ROWS_PER_GROUP = 122_880;

interface CopyOptions {
  codec?: "zstd" | "snappy";
  rowsPerGroup?: number;
  /** Further options of DuckDB's COPY. */
  more?: readonly string[];
}

/**
 * Writes rows as a Parquet file that every reader can read. DuckDB's V2 pages store integers as differences, which may
 * take more than the 32 bits that the format allows for 32-bit columns: other readers reject such files or read other
 * values. Such a file is written again with V1 pages, which store integers plainly.
 */
export async function copyParquet(
  bench: Pick<Workbench, "run" | "rows">,
  select: string,
  path: string,
  { codec = "zstd", rowsPerGroup = ROWS_PER_GROUP, more = [] }: CopyOptions = {},
): Promise<void> {
  const options = [`COMPRESSION ${codec}`, `ROW_GROUP_SIZE ${rowsPerGroup}`, ...more].join(", ");
  const copy = (version: "V1" | "V2") =>
    bench.run(`COPY (${select}) TO ${quoteLiteral(path)} (FORMAT parquet, PARQUET_VERSION ${version}, ${options})`);
  await copy("V2");
  if (await hasWideDifferences(bench, path)) await copy("V1");
}

/** Whether differences in a 32-bit column may exceed 32 bits, judged by its extreme values in each row group. */
async function hasWideDifferences(bench: Pick<Workbench, "rows">, path: string): Promise<boolean> {
  const [least, most] = ["min", "max"].map((end) => `stats_${end}_value`);
  const number = (text: string | undefined) => `TRY_CAST(${text} AS HUGEINT)`;
  const [found] = await bench.rows(
    `SELECT CAST(count(*) AS VARCHAR) FROM parquet_metadata(${quoteLiteral(path)})
     WHERE type = 'INT32' AND encodings LIKE '%DELTA_BINARY_PACKED%' AND (${number(most)} > 2147483647
       OR ${number(most)} - ${number(least)} > 2147483647 OR ${most} = 'infinity' OR ${least} = '-infinity')`,
  );
  return found?.[0] !== "0";
}
