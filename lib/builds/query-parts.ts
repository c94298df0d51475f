import { type Condition, conditionFor, type Filter } from "@/lib/engine/plan/conditions";
import { conditionSql } from "@/lib/engine/sql/where-sql";
import type { Fault } from "@/lib/kernel/errors";
import { engineColumns, type Relation } from "./relation";
import { type Bind, type Found, findColumn, type Scope } from "./steps/step";

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
export function conditionsSql(conditions: readonly Condition[], bind: Bind): string {
  if (conditions.length === 0) return "TRUE";
  return `(${conditions.map((condition) => boundSql(condition, bind)).join(" AND ")})`;
}

const boundSql = (condition: Condition, bind: Bind): string =>
  rebound((params) => conditionSql(condition, params), bind);

/** Renumbers the parameters of the engine's SQL, which start at 1, among the parameters of the statement. */
export function rebound(write: (params: string[]) => string, bind: Bind): string {
  const params: string[] = [];
  const sql = write(params);
  const places = params.map((param) => /\$\d+/.exec(bind(param, "VARCHAR"))?.[0] ?? "");
  return sql.replace(/\$(\d+)/g, (_, number: string) => places[Number(number) - 1] ?? "");
}

/** The columns that filters refer to. */
export const filteredColumns = (input: Relation, conditions: readonly Condition[]): Found[] =>
  conditions.flatMap(({ column: index }) => {
    const column = input.columns[index];
    return column ? [{ index, column }] : [];
  });
