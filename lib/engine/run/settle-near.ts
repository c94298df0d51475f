import { LosslessNumber } from "lossless-json";
import { type Condition, conditionFor } from "@/lib/engine/plan/conditions";
import type { Plan } from "@/lib/engine/plan/planned";
import { columnAt } from "@/lib/engine/plan/result-columns";
import { extremesIn, type Footer } from "@/lib/engine/sql/scanned-bytes";
import type { EngineColumn } from "@/lib/engine/types/column-types";
import { boxAround, LONGITUDES, type Span } from "@/lib/engine/types/distances";

/**
 * The plan with conditions on the columns of degrees that are cheaper than distances: row groups and rows outside the
 * box around the place are not read. They are no part of what cursors are bound to.
 */
export function settleNear(plan: Plan, columns: readonly EngineColumn[], footer: Footer): Plan {
  if (plan.near?.km === undefined) return plan;
  const { latitude, longitude, of, km } = plan.near;
  const { latitudes, longitudes } = boxAround([Number(of[0]), Number(of[1])], Number(km));
  const within = (index: number, span: Span): Condition[] => {
    const value = span.map((degrees) => new LosslessNumber(degrees.toFixed(6)));
    const column = columnAt(columns, index);
    const condition = conditionFor({ column: column.name, operator: "between", value }, "", column, index);
    return Array.isArray(condition) ? [] : [condition]; // beyond what the column's type can hold
  };
  const box = [...within(latitude, latitudes), ...(longitudes ? within(longitude, eastward(longitudes)) : [])];
  return { ...plan, conditions: [...plan.conditions, ...box] };

  /** Some tables count longitudes to 360: their western places are beyond 180. */
  function eastward([least, most]: Span): Span {
    const [, greatest] = extremesIn(footer, longitude) ?? LONGITUDES;
    return greatest >= least + 360 ? [least, LONGITUDES[1]] : [least, most];
  }
}
