import { type Condition, conditionFor, type Filter } from "@/lib/engine/plan/conditions";
import { quoteLiteral } from "@/lib/engine/sql/identifier";
import { conditionSql } from "@/lib/engine/sql/where-sql";
import type { Fault } from "@/lib/kernel/errors";
import { engineColumns, type Relation } from "./relation";
import { type Found, findColumn, type Scope } from "./steps/step";

/** The query's own filters over a relation. Undefined if one is invalid; filters on unknown columns are omitted. */
export function planFilters(
  scope: Scope,
  input: Relation,
  filters: readonly Filter[],
  at: string,
): Condition[] | undefined {
  const columns = engineColumns(input);
  const faults: Fault[] = [];
  const planned = filters.map((filter, index) => {
    const pointer = `${at}/${index}`;
    const found = findColumn(scope, input, filter.column, `${pointer}/column`);
    const known = found?.column.type ? columns[found.index] : undefined;
    const condition = conditionFor(filter, scope.pointer + pointer, known, found?.index ?? -1);
    if (Array.isArray(condition)) faults.push(...condition);
    return found && !Array.isArray(condition) ? condition : undefined;
  });
  scope.faults.push(...faults);
  return faults.length === 0 && planned.every((condition) => condition !== undefined) ? planned : undefined;
}

/** Conditions as SQL over `c0 …`, ANDed. */
export function conditionsSql(conditions: readonly Condition[]): string {
  if (conditions.length === 0) return "TRUE";
  return `(${conditions.map((condition) => withValues((params) => conditionSql(condition, params))).join(" AND ")})`;
}

/** The engine's SQL with its parameters written as values: planned once, where a bound statement is planned twice. */
export function withValues(write: (params: string[]) => string): string {
  const params: string[] = [];
  const sql = write(params);
  return sql.replace(/\$(\d+)/g, (_, number: string) => quoteLiteral(params[Number(number) - 1] ?? ""));
}

/** A string as SQL, cast to a DuckDB type. */
export const literalSql = (text: string, cast: string): string => `CAST(${quoteLiteral(text)} AS ${cast})`;

/** The columns that filters refer to. */
export const filteredColumns = (input: Relation, conditions: readonly Condition[]): Found[] =>
  conditions.flatMap(({ column: index }) => {
    const column = input.columns[index];
    return column ? [{ index, column }] : [];
  });
