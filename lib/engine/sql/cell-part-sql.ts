import { CELL_BYTES_MAX } from "@/lib/engine/grammar/bounds";
import type { CellPlan } from "@/lib/engine/plan/planned";
import { fromSql, type Source, type Statement } from "./sql";
import { filterSql, whereSql } from "./where-sql";

/**
 * Selects the cell from its offset on, up to as many characters as one part can hold, and its length. Returns two rows
 * if the filters match more than one.
 */
export function cellPartSql(plan: CellPlan, source: Source): Statement {
  const params: string[] = [];
  const where = filterSql(plan, params);
  const ref = `c${plan.column}`;
  const part = `substring(${ref}, ${plan.offset + 1}, ${CELL_BYTES_MAX})`;
  return { sql: `SELECT ${part}, length(${ref}) FROM ${fromSql(source)}${whereSql(where)} LIMIT 2`, params };
}
