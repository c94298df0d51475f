import type { Engine, Session } from "@/lib/engine/duckdb/engine";
import { isFiltered } from "@/lib/engine/plan/plan";
import type { Plan, PlannedGroup } from "@/lib/engine/plan/planned";
import { columnAt, plannedColumns } from "@/lib/engine/plan/result-columns";
import { extremesSql } from "@/lib/engine/sql/group-sql";
import { extremesIn, type Footer } from "@/lib/engine/sql/scanned-bytes";
import { hasBands, isNear, widthFor } from "@/lib/engine/types/bands";
import { columnTypeOf } from "@/lib/engine/types/column-types";
import { fail } from "@/lib/kernel/errors";
import { readPlanned } from "./read-planned";
import type { SealedVersion } from "./sealed-version";

type Extremes = readonly [least: number, most: number];

/**
 * The plan with the shorter SQL for widths of floats, where the values allow it: usually the footer says so. Throws
 * `result_too_large` with the width to use if a value of a matching row is in no band.
 */
export async function settleBands(
  engine: Engine,
  session: Session,
  version: SealedVersion,
  plan: Plan,
  footer: Footer,
): Promise<Plan> {
  if (plan.kind !== "groups") return plan;
  const columns = plannedColumns(plan, version.columns);
  const settle = async (group: PlannedGroup): Promise<PlannedGroup> => {
    const { number } = columnTypeOf(columnAt(columns, group.column));
    if (group.width === undefined || !number?.isFloat) return group;
    const { width, column } = group;
    const fits = (extremes: Extremes) => hasBands(width, number.bits, ...extremes);
    const stored = extremesIn(footer, column);
    const isKnown = stored !== undefined && (fits(stored) || !isFiltered(plan));
    const extremes = isKnown ? stored : await readExtremes(column);
    if (!fits(extremes)) throw tooSmall(width, columnAt(columns, column).name, sizeOf(extremes));
    return isNear(width, sizeOf(extremes)) ? { ...group, isNear: true } : group;
  };
  const readExtremes = async (column: number): Promise<Extremes> => {
    const [row] = await readPlanned(engine, version, plan, (source) => session.all(extremesSql(plan, column, source)));
    return [Number(row?.[0] ?? 0), Number(row?.[1] ?? 0)];
  };
  const groups: PlannedGroup[] = [];
  for (const group of plan.groups) groups.push(await settle(group));
  return { ...plan, groups };
}

const sizeOf = (extremes: Extremes): number => Math.max(...extremes.map(Math.abs));

function tooSmall(width: string, column: string, size: number) {
  const wider = widthFor(size);
  const use =
    wider === undefined
      ? "No width is large enough: filter out such values."
      : `Use ${wider} or a greater power of ten.`;
  const message = `Width too small: ${width} for values of ${JSON.stringify(column)} up to ${size}. ${use}`;
  return fail("result_too_large", { message });
}
