import type { Condition } from "@/lib/engine/plan/conditions";
import type { Search } from "@/lib/engine/plan/filters";
import type { Plan } from "@/lib/engine/plan/planned";
import { beforeLower, foldedSql } from "@/lib/engine/types/case-fold";
import type { ColumnType } from "@/lib/engine/types/column-type";
import { OPERATORS } from "@/lib/engine/types/operators";
import { copiedStorage } from "@/lib/engine/types/timestamps";

/** The conditions of a plan over the table's columns, to be joined by AND. */
export function filterSql({ conditions, search }: Pick<Plan, "conditions" | "search">, params: string[]): string[] {
  const filters = conditions.map((condition) => conditionSql(condition, params));
  return search ? [...filters, searchSql(search, params)] : filters;
}

/** A condition over columns named `c` or, in a grouped result, `o`, followed by their index. */
export function conditionSql(condition: Condition, params: string[], prefix: "c" | "o" = "c"): string {
  if (condition.operator === "never") return "FALSE";
  const { column, values, cast, ignoreCase } = condition;
  const ref = `${prefix}${column}`;
  const { sql } = OPERATORS[condition.operator];
  return ignoreCase
    ? sql(
        foldedSql(ref, values),
        values.map((value) => foldedParam(value, params)),
      )
    : sql(
        ref,
        values.map((value) => bind(value, cast, params)),
      );
}

function searchSql({ columns, text }: Search, params: string[]): string {
  const wanted = foldedParam(text, params);
  return `(${columns.map((column) => `contains(${foldedSql(`c${column}`, [text])}, ${wanted})`).join(" OR ")})`;
}

const foldedParam = (text: string, params: string[]): string => `lower(${bind(beforeLower(text), "VARCHAR", params)})`;

export function whereSql(conditions: readonly string[]): string {
  return conditions.length > 0 ? ` WHERE ${conditions.join(" AND ")}` : "";
}

/** The placeholder of a bound string, cast to its type as read copies store it: one cast, however many rows. */
export function bind(value: string, cast: string, params: string[]): string {
  params.push(value);
  return `CAST($${params.length} AS ${copiedStorage(cast)})`;
}

export const castOf = (type: ColumnType): string => type.duckdb ?? "VARCHAR";
