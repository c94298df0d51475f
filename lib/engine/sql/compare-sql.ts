import { columnTypeOf, type EngineColumn } from "@/lib/engine/types/column-types";
import { quoteLiteral } from "./identifier";
import { cellJson } from "./preview-sql";
import { fromSql, positionOf, type Source, type Statement } from "./sql";

/** A column that both versions have with the same type, by its index in each. */
export interface SharedColumn extends EngineColumn {
  before: number;
  after: number;
}

/** What two versions of a table are compared on. */
export interface Pair {
  before: Source;
  after: Source;
  columns: readonly SharedColumn[];
  /** The key columns among `columns`; empty if whole rows are counted. */
  key: readonly SharedColumn[];
}

/** Added, removed, changed, and for each column the number of rows in which it changed: one row of counts. */
export function keyedCountsSql(pair: Pair): Statement {
  const differs = valuesOf(pair).map(differsSql);
  const both = "a.p IS NOT NULL AND b.p IS NOT NULL";
  const changed = differs.length > 0 ? differs.join(" OR ") : "FALSE";
  const counts = [
    "a.p IS NULL",
    "b.p IS NULL",
    `${both} AND (${changed})`,
    ...differs.map((differ) => `${both} AND ${differ}`),
  ];
  return {
    sql:
      `SELECT ${counts.map((where) => `count(CASE WHEN ${where} THEN 1 END)`).join(", ")} FROM ` +
      `${joined(pair, "FULL JOIN")}`,
    params: [],
  };
}

/** The first rows that only one version has, as JSON. */
export function keyedRowsSql(pair: Pair, side: "before" | "after", take: number): Statement {
  const [own, other, join] =
    side === "before" ? (["a", "b", "LEFT JOIN"] as const) : (["b", "a", "RIGHT JOIN"] as const);
  const picked =
    `SELECT ${rowOf(pair, side, own)} AS j, ${own}.p AS p FROM ${joined(pair, join)} WHERE ${other}.p IS NULL ` +
    `ORDER BY ${own}.p LIMIT ${Math.trunc(take)}`;
  return { sql: `SELECT j FROM (${picked}) ORDER BY p`, params: [] };
}

/** The first changed rows: before and after as JSON, and a flag for each column outside the key, 1 if it changed. */
export function keyedChangesSql(pair: Pair, take: number): Statement {
  const differs = valuesOf(pair).map(differsSql);
  const marks = differs.map((differ) => `CASE WHEN ${differ} THEN '1' ELSE '0' END`);
  const picked = `SELECT ${rowOf(pair, "before", "a")} AS x, ${rowOf(pair, "after", "b")} AS y,
    concat(${marks.join(", ")}) AS m, b.p AS p
    FROM ${joined(pair, "JOIN")} WHERE ${differs.join(" OR ")} ORDER BY b.p LIMIT ${Math.trunc(take)}`;
  return { sql: `SELECT x, y, m FROM (${picked}) ORDER BY p`, params: [] };
}

/** Rows that one version holds more often than the other: removed, added and unchanged. */
export function countedSql(pair: Pair): Statement {
  const sums = ["greatest(m - n, 0)", "greatest(n - m, 0)", "least(m, n)"].map((sql) => `coalesce(sum(${sql}), 0)`);
  return { sql: `SELECT ${sums.join(", ")} FROM (${groups(pair)})`, params: [] };
}

/** The first rows that one version holds more often than the other, each once. */
export function countedRowsSql(pair: Pair, side: "before" | "after", take: number): Statement {
  const [position, more] =
    side === "before" ? (["least_before", "m > n"] as const) : (["least_after", "n > m"] as const);
  const places = `SELECT ${position} AS p FROM (${groups(pair)}) WHERE ${more} ORDER BY 1 LIMIT ${Math.trunc(take)}`;
  return {
    sql: `SELECT ${rowOf(pair, side, "r")} FROM ${sideSql(pair, side)} AS r WHERE r.p IN (${places}) ORDER BY r.p`,
    params: [],
  };
}

/** How many keys occur more than once in a version or are incomplete. */
export function keyFaultsSql(pair: Pair, side: "before" | "after"): Statement {
  const refs = pair.key.map((column) => `c${column[side]}`);
  const groups = `SELECT 1 FROM ${fromSql(pair[side])} GROUP BY ${refs.join(", ")} HAVING count(*) > 1`;
  const doubled = `SELECT count(*) FROM (${groups})`;
  const empty = `SELECT count(*) FROM ${fromSql(pair[side])} WHERE ${refs.map((ref) => `${ref} IS NULL`).join(" OR ")}`;
  return { sql: `SELECT (${doubled}) + (${empty})`, params: [] };
}

/** The columns outside the key. */
export const valuesOf = ({ columns, key }: Pair): SharedColumn[] => columns.filter((column) => !key.includes(column));

/** Both versions side by side as `a` and `b`, by the key. */
export function joined(pair: Pair, join: string): string {
  const on = pair.key.map(({ before, after }) => `a.c${before} = b.c${after}`).join(" AND ");
  return `${sideSql(pair, "before")} AS a ${join} ${sideSql(pair, "after")} AS b ON ${on}`;
}

/** The compared columns of one version, and each row's position. */
export function sideSql(pair: Pair, side: "before" | "after"): string {
  const refs = pair.columns.map((column) => `c${column[side]}`);
  return `(SELECT ${[...refs, `${positionOf(pair[side])} AS p`].join(", ")} FROM ${fromSql(pair[side])})`;
}

/** NaN equals NaN, and null equals null; the sign of a zero is ignored. */
export const differsSql = ({ before, after }: SharedColumn): string => `a.c${before} IS DISTINCT FROM b.c${after}`;

/** Equal rows by 128 bits of hash: how often each version has them, and where first. */
export function groups(pair: Pair): string {
  const side = (name: "before" | "after", flag: number) => {
    const refs = pair.columns.map((column) => hashed(column, `c${column[name]}`));
    return (
      `SELECT hash(${["1", ...refs].join(", ")}) AS one, hash(${["2", ...refs].join(", ")}) AS two, ${flag} AS ` +
      `side, ${positionOf(pair[name])} AS p FROM ${fromSql(pair[name])}`
    );
  };
  return `SELECT count(*) FILTER (side = 0) AS m, count(*) FILTER (side = 1) AS n, min(p) FILTER (side = 0) AS
    least_before, min(p) FILTER (side = 1) AS least_after
    FROM (${side("before", 0)} UNION ALL ${side("after", 1)}) GROUP BY one, two`;
}

/** Zeros of both signs are one value here as well. */
const hashed = (column: SharedColumn, ref: string): string =>
  columnTypeOf(column).number?.isFloat ? `${ref} + 0` : ref;

/** A row as JSON; long cells are cut as in a preview. */
function rowOf({ columns }: Pair, side: "before" | "after", alias: string): string {
  const cells = columns.map(
    (column) =>
      `${quoteLiteral(`${JSON.stringify(column.name)}:`)}, ` +
      `${cellJson({ ...column, ref: `${alias}.c${column[side]}` })}`,
  );
  return `concat('{', ${cells.join(", ',', ")}, '}')`;
}
