import type { Engine } from "@/lib/engine/duckdb/engine";
import { readSources } from "@/lib/engine/duckdb/source";
import type { Plan } from "@/lib/engine/plan/planned";
import { plannedSource, type Source } from "@/lib/engine/sql/sql";
import type { SealedVersion } from "./sealed-version";

/**
 * Runs `read` on the version's read copy or its Parquet file, with the columns that a plan adds to the table's, some of
 * which may be of other versions.
 */
export const readPlanned = <T>(
  engine: Engine,
  version: SealedVersion,
  plan: Pick<Plan, "near" | "lookups">,
  read: (source: Source) => Promise<T>,
): Promise<T> =>
  readSources(engine, [version, ...(version.lookups ?? [])], ([source, ...others]) =>
    read(plannedSource(plan, version.columns, source as Source, others)),
  );
