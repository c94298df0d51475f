import type { Engine, Session } from "@/lib/engine/duckdb/engine";
import type { Plan } from "@/lib/engine/plan/planned";
import { plannedColumns } from "@/lib/engine/plan/result-columns";
import { type Footer, mayContainNull } from "@/lib/engine/sql/scanned-bytes";
import type { SealedVersion } from "./sealed-version";
import { settleBands } from "./settle-bands";
import { settleNear } from "./settle-near";
import { settleZones } from "./settle-zones";

/**
 * The plan with what the version's footer says about its values, so that its statement has the shortest SQL that is
 * right for them. Cursors are bound to the plan before. Throws `result_too_large` for a width that no band has.
 */
export async function settlePlan(
  engine: Engine,
  session: Session,
  version: SealedVersion,
  plan: Plan,
  footer: Footer,
): Promise<Plan> {
  const near = settleNear(plan, plannedColumns(plan, version.columns), footer);
  const bands = await settleBands(engine, session, version, near, footer);
  return settlePairs(await settleZones(bands, footer), footer);
}

/** Of pairs of columns without nulls, each row is one. */
function settlePairs(plan: Plan, footer: Footer): Plan {
  if (plan.kind !== "groups") return plan;
  const aggregates = plan.aggregates.map((aggregate) => {
    const { column, with: other, filters } = aggregate;
    if (column === undefined || other === undefined || filters) return aggregate;
    const isComplete = [column, other].every((index) => !mayContainNull(footer, index));
    return isComplete ? { ...aggregate, isComplete: true as const } : aggregate;
  });
  return { ...plan, aggregates };
}
