import type { Engine, Session } from "@/lib/engine/duckdb/engine";
import { isFiltered } from "@/lib/engine/plan/plan";
import type { Plan } from "@/lib/engine/plan/planned";
import { countSql } from "@/lib/engine/sql/group-sql";
import { AGGREGATES } from "@/lib/engine/types/aggregates";
import { BUCKETS } from "@/lib/engine/types/buckets";
import { fail } from "@/lib/kernel/errors";
import { readPlanned } from "./read-planned";
import type { SealedVersion } from "./sealed-version";

const MIB = 1024 * 1024;

/**
 * Waits until there is memory for what a plan's aggregates hold outside DuckDB's limit, and resolves with the function
 * that releases it. Rows that match the filters are counted only if the entire table would not fit. Throws
 * `result_too_large` if the plan can never fit.
 */
export async function reserveMemory(
  engine: Engine,
  session: Session,
  version: SealedVersion,
  plan: Plan,
): Promise<() => void> {
  const perRow = reservedPerRow(plan);
  if (perRow === 0) return () => undefined;
  const most = engine.reservedMemory.bytesMax;
  const isMultiplied = plan.kind === "groups" && plan.groups.some(({ bucket }) => bucket && BUCKETS[bucket].isOfItems);
  const fits = !isMultiplied && (version.rows * perRow <= most || !isFiltered(plan));
  const rows = fits ? version.rows : await countRows(engine, session, version, plan);
  if (rows * perRow > most) throw tooLarge(rows * perRow, most);
  return await engine.reservedMemory.take(rows * perRow, session.signal);
}

/** DuckDB computes equal aggregates once. */
function reservedPerRow(plan: Plan): number {
  if (plan.kind !== "groups") return 0;
  const distinct = new Map(
    plan.aggregates.map(({ as: _as, ...computed }) => [JSON.stringify(computed), computed.function]),
  );
  return [...distinct.values()].reduce((sum, name) => sum + (AGGREGATES[name].reservedBytes ?? 0), 0);
}

async function countRows(engine: Engine, session: Session, version: SealedVersion, plan: Plan): Promise<number> {
  const [row] = await readPlanned(engine, version, plan, (source) => session.all(countSql(plan, source)));
  return Number(row?.[0]);
}

const tooLarge = (bytes: number, most: number) =>
  fail("result_too_large", {
    message:
      `Medians and quantiles too large: they need ${Math.ceil(bytes / MIB)} MiB of memory at once, and at most ` +
      `${Math.floor(most / MIB)} MiB may be used. Request fewer, or filter the rows.`,
  });
