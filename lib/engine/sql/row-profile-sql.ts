import { conditionFor } from "@/lib/engine/plan/conditions";
import type { RowsPlan } from "@/lib/engine/plan/planned";
import { columnAt } from "@/lib/engine/plan/result-columns";
import { columnTypeOf, type EngineColumn } from "@/lib/engine/types/column-types";
import { valueSql } from "./profile-value";
import { columnsIn, fromSql, matchingSql, type Source, type Statement } from "./sql";
import { conditionSql, whereSql } from "./where-sql";

/**
 * What is counted of a column: its values in bins, as filters by their edges would find them, its most frequent values,
 * or only how many rows have none.
 */
export interface CountedColumn {
  column: number;
  /** The edges of the bins, ascending. The first and the last are not compared with, as no value is beyond them. */
  edges?: readonly unknown[];
  hasValues?: boolean;
}

/** The bin of NaN and infinities. */
export const NOT_FINITE = -1;
/** More than the bins of any column and the values that are shown of any. */
const GROUPS_MAX = 64;

/** Counts the rows that a plan matches, and then, for each column, those without a value: one row. */
export function nullCountsSql(plan: RowsPlan, columns: readonly number[], source: Source): Statement {
  const params: string[] = [];
  const where = whereSql(matchingSql(plan, source, params));
  const counts = columns.map((column) => `count(*) - count(c${column})`);
  return { sql: `SELECT ${["count(*)", ...counts].join(", ")} FROM ${fromSql(source)}${where}`, params };
}

/**
 * Counts the rows that a plan matches, in one scan. Each row of the result has: the index of the counted column; how
 * many rows; and their bin, or their value's JSON text, which is empty for a value that cannot be shown, or null. Of
 * the values of a column, the most frequent are returned.
 */
export function rowProfileSql(
  plan: RowsPlan,
  counted: readonly CountedColumn[],
  columns: readonly EngineColumn[],
  source: Source,
): Statement {
  const params: string[] = [];
  const where = whereSql(matchingSql(plan, source, params));
  const stored = columnsIn(source, columns);
  const keys = counted.map((each) => keySql(each, columns, params));
  const names = keys.map((_, at) => `k${at}`);
  const rows = `SELECT ${keys.map((sql, at) => `${sql} AS k${at}`).join(", ")} FROM ${fromSql(source)}${where}`;
  const set = `CASE ${names.map((name, at) => `WHEN grouping(${name}) = 0 THEN ${at}`).join(" ")} END`;
  const groups =
    `SELECT ${set} AS s, count(*) AS n, ${names.join(", ")} FROM (${rows}) ` +
    `GROUP BY GROUPING SETS (${names.map((name) => `(${name})`).join(", ")})`;
  const isNull = names.map((name) => `${name} IS NULL`).join(" AND ");
  const rank = `row_number() OVER (PARTITION BY s ORDER BY ${isNull} DESC, n DESC, ${names.join(", ")})`;
  const texts = counted.map((each, at) => textSql(each, stored, `k${at}`));
  const sql =
    `SELECT s, n, coalesce(${texts.join(", ")}) FROM (SELECT *, ${rank} AS r FROM (${groups})) ` +
    `WHERE r <= ${GROUPS_MAX} ORDER BY s, r`;
  return { sql, params };
}

/** A column's bin or its value; null for null. */
function keySql(
  { column: index, edges, hasValues }: CountedColumn,
  columns: readonly EngineColumn[],
  params: string[],
): string {
  const ref = `c${index}`;
  if (hasValues) return ref;
  const column = columnAt(columns, index);
  const inner = (edges ?? []).slice(1, -1);
  const below = inner.map((value) => {
    const condition = conditionFor({ column: column.name, operator: "lt", value }, "", column, index);
    if (Array.isArray(condition)) throw new Error(`An edge of ${column.name} is not a value of its type`);
    return condition;
  });
  const bin = searchSql(0, below.length);
  const isFloat = columnTypeOf(column).number?.isFloat;
  const key = isFloat ? `CASE WHEN isfinite(${ref}) THEN ${bin} ELSE ${NOT_FINITE} END` : bin;
  return `CASE WHEN ${ref} IS NOT NULL THEN ${key} END`;

  /** Which of the bins from `first` to `last` it is: a binary search among their edges. */
  function searchSql(first: number, last: number): string {
    if (first === last) return String(first);
    const middle = (first + last) >> 1;
    const condition = below[middle];
    if (!condition) throw new Error(`There is no edge ${middle}`);
    return (
      `CASE WHEN ${conditionSql(condition, params)} THEN ${searchSql(first, middle)} ` +
      `ELSE ${searchSql(middle + 1, last)} END`
    );
  }
}

function textSql({ column: index, hasValues }: CountedColumn, stored: readonly EngineColumn[], key: string): string {
  if (!hasValues) return `${key}::VARCHAR`;
  const column = columnAt(stored, index);
  const { number, profile: form } = columnTypeOf(column);
  const isFloat = number?.isFloat === true;
  const shown = `coalesce(${valueSql({ ...column, ref: key, isFloat, form }, key)}, '')`;
  const value = isFloat ? `CASE WHEN isnan(${key}) THEN '' ELSE ${shown} END` : shown;
  return `CASE WHEN ${key} IS NOT NULL THEN ${value} END`;
}
