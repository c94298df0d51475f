import { quoteLiteral } from "@/lib/engine/sql/identifier";
import type { Statement } from "@/lib/engine/sql/sql";
import { withWriter } from "./duckdb";
import type { Engine, Session } from "./engine";

const MEMORY_SHARE = 4;
const MEMORY_MB_MIN = 512;

/** Files of results are requested less often than pages: one may take this many times as long as a query. */
export const FILE_TIMES = 4;

/** For COPY: DuckDB's dictionaries, of one value too, merge the two zeros. */
const WITHOUT_DICTIONARIES = ", DICTIONARY_SIZE_LIMIT 0";

/**
 * Writes the rows of a SELECT as a Parquet file, in a separate instance, since the reading one cannot write. Returns
 * their number. One thread, so that the rest of the machine can answer queries. V1 pages, which every reader supports
 * (lib/publish). `keepsZeros`: whether floats keep the sign of a zero.
 */
export async function writeParquet(
  { options }: Engine,
  { signal }: Session,
  { sql, params }: Statement,
  path: string,
  keepsZeros = false,
): Promise<number> {
  const memoryMb = Math.max(MEMORY_MB_MIN, options.memoryMb / MEMORY_SHARE);
  return await withWriter({ tempDir: options.tempDir, memoryMb, threads: 1 }, async (connection) => {
    const stop = () => connection.interrupt();
    signal.throwIfAborted();
    signal.addEventListener("abort", stop, { once: true });
    try {
      const { rowsChanged } = await connection.run(
        `COPY (${sql}) TO ${quoteLiteral(path)} (FORMAT parquet, PARQUET_VERSION V1, COMPRESSION zstd` +
          `${keepsZeros ? WITHOUT_DICTIONARIES : ""})`,
        params,
      );
      return rowsChanged;
    } catch (error) {
      throw signal.aborted ? signal.reason : error;
    } finally {
      signal.removeEventListener("abort", stop);
    }
  });
}
