import type { Caller, Engine } from "@/lib/engine/duckdb/engine";
import { readParquets } from "@/lib/engine/duckdb/source";
import { FILE_TIMES, writeParquet } from "@/lib/engine/duckdb/write-parquet";
import { countedDifferenceSql, keyedDifferenceSql } from "@/lib/engine/sql/difference-sql";
import type { Source } from "@/lib/engine/sql/sql";
import type { EngineColumn } from "@/lib/engine/types/column-types";
import { type ComparedVersion, sharedColumns, usableKey } from "./compare";

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
        await writeParquet(engine, session, { sql, params: [] }, path);
        return columns;
      }),
    caller,
    engine.options.timeoutMs * FILE_TIMES,
  );
}
