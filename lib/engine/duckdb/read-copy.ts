import { mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { quoteLiteral } from "@/lib/engine/sql/identifier";
import { fromSql } from "@/lib/engine/sql/sql";
import { copiedSql } from "@/lib/engine/types/timestamps";
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

let built = 0;

/**
 * Writes a version's read copy: the Parquet file's rows in order as table `t` with columns c0, c1 …, so that a rowid is
 * a row's position. The copy appears under its name only when complete; several processes may build the same one.
 * Returns its size in bytes.
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
      await connection.run(`CREATE TABLE copy.t AS SELECT ${await copiedColumns(connection, parquet)} FROM ${parquet}`);
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

/** The select list of a copy, which stores instants without a zone. */
async function copiedColumns(connection: Connection, parquet: string): Promise<string> {
  const described = await select(connection, {
    sql: `SELECT column_name, column_type FROM (DESCRIBE FROM ${parquet})`,
    params: [],
  });
  return described.map(([name, storage]) => `${copiedSql(String(name), String(storage))} AS ${name}`).join(", ");
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
