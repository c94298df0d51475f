import { withWriter } from "@/lib/engine/duckdb/duckdb";
import type { Caller, Engine, Session } from "@/lib/engine/duckdb/engine";
import { readParquets } from "@/lib/engine/duckdb/source";
import { countedDifferenceSql, keyedDifferenceSql } from "@/lib/engine/sql/difference-sql";
import { quoteLiteral } from "@/lib/engine/sql/identifier";
import type { Source } from "@/lib/engine/sql/sql";
import type { EngineColumn } from "@/lib/engine/types/column-types";
import { type ComparedVersion, sharedColumns, usableKey } from "./compare";

const MEMORY_SHARE = 4;
const MEMORY_MB_MIN = 512;

/** Difference files are requested less often than pages: one may take this many times as long as a query. */
export const DIFFERENCE_TIMES = 4;

/**
 * Writes every row that differs between two versions as a Parquet file and returns its columns. Undefined if the
 * versions have no column in common. Compares like `compareRows`. Uses a slot like a query, and a separate instance,
 * since the reading one cannot write.
 */
export async function writeDifference(
  engine: Engine,
  before: ComparedVersion,
  after: ComparedVersion,
  path: string,
  caller: Caller,
): Promise<EngineColumn[] | undefined> {
  const shared = sharedColumns(before.columns, after.columns);
  if (shared.length === 0) return undefined;
  return await engine.run(
    (session) =>
      readParquets([before, after], async ([one, two]) => {
        const pair = { before: one as Source, after: two as Source, columns: shared, key: [] };
        const key = await usableKey(session, pair, before, after);
        const { sql, columns } = key.length > 0 ? keyedDifferenceSql({ ...pair, key }) : countedDifferenceSql(pair);
        await write(engine, session, sql, path);
        return columns;
      }),
    caller,
    engine.options.timeoutMs * DIFFERENCE_TIMES,
  );
}

/**
 * One thread, so that the rest of the machine can answer queries. V1 pages, which every reader supports (lib/publish).
 */
async function write({ options }: Engine, { signal }: Session, sql: string, path: string): Promise<void> {
  const memoryMb = Math.max(MEMORY_MB_MIN, options.memoryMb / MEMORY_SHARE);
  await withWriter({ tempDir: options.tempDir, memoryMb, threads: 1 }, async (connection) => {
    const stop = () => connection.interrupt();
    signal.throwIfAborted();
    signal.addEventListener("abort", stop, { once: true });
    try {
      await connection.run(
        `COPY (${sql}) TO ${quoteLiteral(path)} (FORMAT parquet, PARQUET_VERSION V1, COMPRESSION zstd)`,
      );
    } catch (error) {
      throw signal.aborted ? signal.reason : error;
    } finally {
      signal.removeEventListener("abort", stop);
    }
  });
}
