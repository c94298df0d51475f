import type { Engine, Session } from "@/lib/engine/duckdb/engine";
import { readSource } from "@/lib/engine/duckdb/source";
import { isFiltered, type Plan } from "@/lib/engine/plan/plan";
import { countGroupsSql, countSql } from "@/lib/engine/sql/group-sql";
import type { SealedVersion } from "./query";

/** The number of all rows or groups of a plan, on every page. Without filters, the version's number of rows. */
export async function countTotal(
  engine: Engine,
  session: Session,
  version: SealedVersion,
  plan: Plan,
): Promise<number> {
  if (plan.kind !== "groups" && !isFiltered(plan)) return version.rows;
  const [row] = await readSource(engine, version, (source) =>
    session.all(plan.kind === "groups" ? countGroupsSql(plan, version.columns, source) : countSql(plan, source)),
  );
  return Number(row?.[0]);
}
