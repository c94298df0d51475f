import type { Probe } from "@/lib/engine/plan/noted";
import { fromSql, type Source, type Statement } from "./sql";
import { bind, conditionSql, filterSql, whereSql } from "./where-sql";

/** One row with an answer to each probe: the number of its rows, or 1 or 0 for whether there is any. */
export function probesSql(probes: readonly Probe[], source: Source): Statement {
  const params: string[] = [];
  const answers = probes.map((probe) => {
    const from = `${fromSql(source)}${whereSql(probeSql(probe, params))}`;
    return probe.counts ? `(SELECT count(*) FROM ${from})` : `CAST(EXISTS (SELECT 1 FROM ${from}) AS BIGINT)`;
  });
  return { sql: `SELECT ${answers.join(", ")}`, params };
}

function probeSql({ conditions, search, unless, withoutItems }: Probe, params: string[]): string[] {
  const list = `c${withoutItems}`;
  return [
    ...filterSql({ conditions, ...(search && { search }) }, params),
    ...(unless ? [`NOT (${conditionSql(unless, params)})`] : []),
    ...(withoutItems === undefined ? [] : [`(${list} IS NULL OR length(${list}) = 0)`]),
  ];
}

/**
 * The values of a string column that are at most so many edits of bytes from a text without case and accents, nearest
 * first. Without edits, the work is linear in the text.
 */
export function nearValuesSql(column: number, text: string, edits: number, most: number, source: Source): Statement {
  const params: string[] = [];
  const wanted = `strip_accents(lower(${bind(text, "VARCHAR", params)}))`;
  const distinct = `SELECT DISTINCT c${column} AS v FROM ${fromSql(source)} WHERE c${column} IS NOT NULL`;
  const folded = `SELECT v, strip_accents(lower(v)) AS f, ${wanted} AS w FROM (${distinct})`;
  const edited = edits > 0 ? ` WHEN abs(strlen(f) - strlen(w)) <= ${edits} THEN levenshtein(f, w)` : "";
  const near = `SELECT v, CASE WHEN f = w THEN 0${edited} END AS d FROM (${folded})`;
  return { sql: `SELECT v FROM (${near}) WHERE d <= ${edits} ORDER BY d, v LIMIT ${most}`, params };
}
