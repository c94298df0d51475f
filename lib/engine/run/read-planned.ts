import type { Engine } from "@/lib/engine/duckdb/engine";
import { readSource } from "@/lib/engine/duckdb/source";
import type { Plan } from "@/lib/engine/plan/planned";
import { plannedSource, type Source } from "@/lib/engine/sql/sql";
import type { SealedVersion } from "./sealed-version";

/** Runs `read` on the version's read copy or its Parquet file, with the columns that a plan adds to the table's. */
export const readPlanned = <T>(
  engine: Engine,
  version: SealedVersion,
  plan: Pick<Plan, "near">,
  read: (source: Source) => Promise<T>,
): Promise<T> => readSource(engine, version, (source) => read(plannedSource(plan, version.columns, source)));
