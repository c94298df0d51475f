import type { EngineColumn } from "@/lib/engine/types/column-types";
import { differsSql, groups, joined, type Pair, type SharedColumn, sideSql, valuesOf } from "./compare-sql";
import { quoteIdentifier, quoteLiteral } from "./identifier";

/** A SELECT of every row that differs, and its columns. */
export interface DifferenceSql {
  sql: string;
  columns: EngineColumn[];
}

const CHANGE = { name: "change", type: "string", storage: "VARCHAR" } as const;
const CHANGED_COLUMNS = { name: "changed_columns", type: "string", storage: "VARCHAR" } as const;
const TIMES = { name: "times", type: "int64", storage: "BIGINT" } as const;

/**
 * The rows that were changed (once as before and once as after), added and removed, in this order and by position.
 * `change` says which it is, `changed_columns` which columns differ.
 */
export function keyedDifferenceSql(pair: Pair): DifferenceSql {
  const columns = namedApart([CHANGE, CHANGED_COLUMNS], pair.columns);
  const differs = valuesOf(pair).map((column) => ({ name: column.name, sql: differsSql(column) }));
  const isChanged = differs.length > 0 ? differs.map(({ sql }) => sql).join(" OR ") : "FALSE";
  const names = differs.map(({ name, sql }) => `CASE WHEN ${sql} THEN ${quoteLiteral(name)} END`);
  const changed = names.length > 0 ? `concat_ws('; ', ${names.join(", ")})` : "NULL";
  const cells = pair.columns.flatMap(({ before, after }, at) => [`a.c${before} AS x${at}`, `b.c${after} AS y${at}`]);
  const rows =
    `SELECT a.p AS pa, b.p AS pb, CASE WHEN a.p IS NOT NULL AND b.p IS NOT NULL THEN ${changed} END AS m, ` +
    `${cells.join(", ")} FROM ${joined(pair, "FULL JOIN")} WHERE a.p IS NULL OR b.p IS NULL OR ${isChanged}`;
  const side = (own: "pa" | "pb", cell: string, kinds: { alone: string; part: number; both: string }) => {
    const other = own === "pa" ? "pb" : "pa";
    const list = pair.columns.map((_, at) => `${cell}${at} AS v${at}`);
    return (
      `SELECT CASE WHEN ${other} IS NULL THEN '${kinds.alone}' ELSE '${kinds.both}' END AS k, m, ${list.join(", ")}, ` +
      `CASE WHEN ${other} IS NULL THEN ${kinds.part} ELSE 0 END AS part, coalesce(pb, pa) AS p, '${cell}' AS side ` +
      `FROM d WHERE ${own} IS NOT NULL`
    );
  };
  const before = side("pa", "x", { alone: "removed", part: 2, both: "changed_from" });
  const after = side("pb", "y", { alone: "added", part: 1, both: "changed_to" });
  return {
    sql:
      `WITH d AS MATERIALIZED (${rows}) SELECT ${renamed(["k", "m"], columns)} ` +
      `FROM (${before} UNION ALL ${after}) ORDER BY part, p, side`,
    columns,
  };
}

/** The rows that one version contains more often than the other, each once. `times` says how many more times. */
export function countedDifferenceSql(pair: Pair): DifferenceSql {
  const columns = namedApart([CHANGE, TIMES], pair.columns);
  const side = (name: "before" | "after", { kind, more, part }: { kind: string; more: string; part: number }) => {
    const list = pair.columns.map((column, at) => `r.c${column[name]} AS v${at}`);
    return (
      `SELECT '${kind}' AS k, CAST(${more} AS BIGINT) AS m, ${list.join(", ")}, ${part} AS part, r.p AS p ` +
      `FROM ${sideSql(pair, name)} AS r JOIN g ON r.p = g.least_${name} WHERE ${more} > 0`
    );
  };
  const added = side("after", { kind: "added", more: "n - m", part: 1 });
  const removed = side("before", { kind: "removed", more: "m - n", part: 2 });
  return {
    sql:
      `WITH g AS MATERIALIZED (${groups(pair)}) SELECT ${renamed(["k", "m"], columns)} ` +
      `FROM (${added} UNION ALL ${removed}) ORDER BY part, p`,
    columns,
  };
}

/** Adds underscores to the names of the leading columns until no column of the table has the same name, in any case. */
function namedApart(front: readonly EngineColumn[], shared: readonly SharedColumn[]): EngineColumn[] {
  const taken = new Set(shared.map(({ name }) => name.toLowerCase()));
  const free = (name: string): string => (taken.has(name) ? free(`_${name}`) : name);
  const rest = shared.map(({ name, type, storage }) => ({ name, type, storage }));
  return [...front.map((column) => ({ ...column, name: free(column.name) })), ...rest];
}

const renamed = (front: readonly string[], columns: readonly EngineColumn[]): string =>
  columns.map(({ name }, at) => `${front[at] ?? `v${at - front.length}`} AS ${quoteIdentifier(name)}`).join(", ");
