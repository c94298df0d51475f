import type { Caller, Engine } from "@/lib/engine/duckdb/engine";
import { readingParquet, readParquets } from "@/lib/engine/duckdb/source";
import { FILE_TIMES, writeParquet } from "@/lib/engine/duckdb/write-parquet";
import type { GroupsPlan } from "@/lib/engine/plan/planned";
import { groupedColumns, plannedColumns } from "@/lib/engine/plan/result-columns";
import { groupRowsSql } from "@/lib/engine/sql/group-sql";
import { plannedSource, type Source } from "@/lib/engine/sql/sql";
import { columnTypeOf } from "@/lib/engine/types/column-types";
import { reserveMemory } from "./reserve-memory";
import type { SealedVersion } from "./sealed-version";
import { settlePlan } from "./settle-plan";

/**
 * Writes all groups of a plan as a temporary Parquet file, in one statement with four times the time limit of a query,
 * and returns it as a version to be read, with `id` in place of a digest. It uses a slot like a query.
 */
export async function writeGroups(
  engine: Engine,
  version: SealedVersion,
  plan: GroupsPlan,
  { path, id, rowsMax }: { path: string; id: string; rowsMax: number | undefined },
  caller: Caller,
): Promise<SealedVersion> {
  const { lookups = [] } = version;
  const read = plannedColumns(plan, version.columns);
  const columns = groupedColumns(plan, read);
  const hasFloats = columns.some((column) => columnTypeOf(column).number?.isFloat);
  const rows = await engine.run(
    async (session) => {
      const footer = await readingParquet(() => engine.footer(session, version));
      const settled = await settlePlan(engine, session, version, plan, footer);
      const release = await reserveMemory(engine, session, version, settled);
      try {
        return await readParquets([version, ...lookups], ([source, ...others]) => {
          const planned = plannedSource(settled, version.columns, source as Source, others);
          const statement = groupRowsSql(settled as GroupsPlan, read, planned, rowsMax);
          return writeParquet(engine, session, statement, path, hasFloats);
        });
      } finally {
        release();
      }
    },
    caller,
    engine.options.timeoutMs * FILE_TIMES,
  );
  const { tableId, versionId, publishedAt } = version;
  return {
    ...{ tableId, versionId, publishedAt, rows, columns },
    ...{ digest: id, orderBy: [], copyPath: "" },
    withParquet: (read) => read(path),
  };
}
