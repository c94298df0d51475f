import { mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { quoteLiteral } from "@/lib/engine/sql/identifier";
import { fromSql } from "@/lib/engine/sql/sql";
import { copiedSql } from "@/lib/engine/types/timestamps";
import { hasSignedZeros, negativeZeroSql, zeroSignsSql } from "@/lib/engine/types/zero-signs";
import { type Connection, select, withWriter } from "./duckdb";

export interface ReadCopyRequest {
  parquetPath: string;
  copyPath: string;
  /** Number of columns in the table. */
  columns: number;
  tempDir: string;
  memoryMb: number;
  threads: number;
  signal?: AbortSignal;
  /** The digest of the version, and the proof that a copy was built from it, which is written next to the copy. */
  proof?: { digest: string; prove: ProveCopy };
}

/** Computes a string that only this service can compute for the copy's bytes and the version. */
export type ProveCopy = (path: string, digest: string) => Promise<string>;

/** Path of a read copy's proof. */
export const proofPath = (copyPath: string): string => `${copyPath}.proof`;

/** What a copy says about itself once its zeros are known to have the signs of the Parquet file's. */
export const ZEROS_KEPT = "zeros keep their signs";

/** DuckDB would store zeros of both signs as one value: the version can only be read from its Parquet file. */
export class ZerosLost extends Error {}

let built = 0;

/**
 * Writes a version's read copy: the Parquet file's rows in order as table `t` with columns c0, c1 …, so that a rowid is
 * a row's position. The copy appears under its name only when complete; several processes may build the same one.
 * Returns its size in bytes; rejects with `ZerosLost` if no copy can hold the rows.
 */
export async function buildReadCopy(request: ReadCopyRequest): Promise<number> {
  await mkdir(dirname(request.copyPath), { recursive: true, mode: 0o700 });
  built += 1;
  const partial = `${request.copyPath}.${process.pid}-${built}.tmp`;
  try {
    await withWriter(request, async (connection) => {
      const stop = () => connection.interrupt();
      request.signal?.addEventListener("abort", stop, { once: true });
      request.signal?.throwIfAborted();
      await connection.run(`ATTACH ${quoteLiteral(partial)} AS copy`);
      const parquet = fromSql({ kind: "parquet", path: request.parquetPath, columns: request.columns });
      await copyRows(connection, parquet);
      await connection.run("DETACH copy");
      request.signal?.removeEventListener("abort", stop);
    });
    if (request.proof) await writeProof(request.copyPath, partial, request.proof);
    await rename(partial, request.copyPath);
    return (await stat(request.copyPath)).size;
  } finally {
    await rm(partial, { force: true });
    await rm(`${partial}.wal`, { force: true });
  }
}

interface CopiedColumn {
  name: string;
  storage: string;
}

async function copyRows(connection: Connection, parquet: string): Promise<void> {
  const described = await select(connection, {
    sql: `SELECT column_name, column_type FROM (DESCRIBE FROM ${parquet})`,
    params: [],
  });
  const columns = described.map(([name, storage]) => ({ name: String(name), storage: String(storage) }));
  const signed = await columnsWithNegativeZeros(connection, parquet, columns);
  // runs of zeros are one value to this method
  if (signed.length > 0) await connection.run("SET GLOBAL disabled_compression_methods = 'rle'");
  const copied = columns.map(({ name, storage }) => `${copiedSql(name, storage)} AS ${name}`).join(", ");
  await connection.run(`CREATE TABLE copy.t AS SELECT ${copied} FROM ${parquet}`);
  await connection.run(`COMMENT ON TABLE copy.t IS ${quoteLiteral(ZEROS_KEPT)}`);
  if (signed.length === 0) return;
  await connection.run("CHECKPOINT copy");
  const signs = signed.map(({ name, storage }) => `CAST(${zeroSignsSql(name, storage, "n")} AS VARCHAR)`);
  const read = (source: string) =>
    aggregates(connection, signs, `(SELECT *, row_number() OVER () AS n FROM ${source})`);
  if (String(await read(parquet)) !== String(await read("copy.t"))) throw new ZerosLost();
}

async function columnsWithNegativeZeros(
  connection: Connection,
  parquet: string,
  columns: readonly CopiedColumn[],
): Promise<CopiedColumn[]> {
  const floats = columns.filter(({ storage }) => hasSignedZeros(storage));
  if (floats.length === 0) return [];
  const tests = floats.map(({ name, storage }) => negativeZeroSql(name, storage));
  // most tables have none, which one aggregate tells
  const [any] = await aggregates(connection, [`bool_or(${tests.join(" OR ")})`], parquet);
  if (any !== true) return [];
  const found = await aggregates(
    connection,
    tests.map((test) => `bool_or(${test})`),
    parquet,
  );
  return floats.filter((_, at) => found[at] === true);
}

/** DuckDB's planning time grows with the square of a statement's aggregates. */
const AGGREGATES_AT_ONCE = 32;

async function aggregates(connection: Connection, expressions: readonly string[], from: string): Promise<unknown[]> {
  const found: unknown[] = [];
  for (let start = 0; start < expressions.length; start += AGGREGATES_AT_ONCE) {
    const some = expressions.slice(start, start + AGGREGATES_AT_ONCE);
    const [row = []] = await select(connection, { sql: `SELECT ${some.join(", ")} FROM ${from}`, params: [] });
    found.push(...row);
  }
  return found;
}

async function writeProof(
  copyPath: string,
  partial: string,
  { digest, prove }: { digest: string; prove: ProveCopy },
): Promise<void> {
  const draft = `${partial}.proof`;
  await writeFile(draft, await prove(partial, digest));
  await rename(draft, proofPath(copyPath));
}
