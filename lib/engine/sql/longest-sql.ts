import type { RowsPlan } from "@/lib/engine/plan/planned";
import { columnAt } from "@/lib/engine/plan/result-columns";
import { columnTypeOf, type EngineColumn } from "@/lib/engine/types/column-types";
import { valueJson } from "./encode";
import { columnsIn, fromSql, matchingSql, type Source, type Statement } from "./sql";
import { whereSql } from "./where-sql";

/** UTF-16 code units, as JavaScript and Excel count them. */
const units = (text: string) =>
  `2 * length(${text}) - length(regexp_replace(${text}, '[\\x{10000}-\\x{10ffff}]', '', 'g'))`;

/**
 * Which of a plan's columns have values that may be long, and a statement that returns for each, in this order, the
 * greatest length of a value as text in the rows of the plan. Lengths up to `bytesMin` bytes are 0.
 */
export function longestSql(
  plan: RowsPlan,
  columns: readonly EngineColumn[],
  source: Source,
  bytesMin: number,
): Statement & { of: number[] } {
  const params: string[] = [];
  const of = plan.columns.filter((column) => columnTypeOf(columnAt(columns, column)).json.isLong);
  const stored = columnsIn(source, columns);
  const lengths = of.map((column) => {
    const ref = `c${column}`;
    const isText = columnTypeOf(columnAt(columns, column)).family === "text";
    const text = isText ? ref : valueJson({ ...columnAt(stored, column), ref }, { int64AsText: false });
    return `max(CASE WHEN strlen(${text}) > ${bytesMin} THEN ${units(text)} ELSE 0 END)`;
  });
  const where = whereSql(matchingSql(plan, source, params));
  return { sql: `SELECT ${lengths.join(", ")} FROM ${fromSql(source)}${where}`, params, of };
}
