import { columnTypeOf, type EngineColumn } from "@/lib/engine/types/column-types";
import { quoteLiteral } from "./identifier";
import { cellJson } from "./preview-sql";
import { fromSql, positionOf, type Source, type Statement } from "./sql";

/** A column that both versions have with the same type, by its index in each. */
export interface SharedColumn extends EngineColumn {
  before: number;
  after: number;
}

/** Two versions of a table and the columns that they are compared by. */
export interface Pair {
  before: Source;
  after: Source;
  columns: readonly SharedColumn[];
  /** The key columns among `columns`; empty if entire rows are counted. */
  key: readonly SharedColumn[];
  /** Whether values that differ only in the sign of a zero differ. */
  keepsZeros?: true;
}

/**
 * One row from a single join: the positions of the first added, removed and changed rows (of the latter before, then
 * after, in the order of after), then the numbers of added, removed and changed rows, and for each column the number of
 * rows in which it changed.
 */
export function keyedSql(pair: Pair, take: number): Statement {
  const differs = valuesOf(pair).map(differsSql);
  const both = "a.p IS NOT NULL AND b.p IS NOT NULL";
  const changed = `${both} AND (${differs.length > 0 ? differs.join(" OR ") : "FALSE"})`;
  const counted = ["a.p IS NULL", "b.p IS NULL", changed, ...differs.map((differ) => `${both} AND ${differ}`)];
  const parts = [
    firstSql("b.p", "b.p", "a.p IS NULL", take),
    firstSql("a.p", "a.p", "b.p IS NULL", take),
    firstSql("a.p", "b.p", changed, take),
    firstSql("b.p", "b.p", changed, take),
    ...counted.map((where) => `count(CASE WHEN ${where} THEN 1 END)`),
  ];
  return { sql: `SELECT ${parts.join(", ")} FROM ${joined(pair, "FULL JOIN")}`, params: [] };
}

/** The first few of `value` by `order` where a condition holds, comma-separated; null if there are none. */
const firstSql = (value: string, order: string, where: string, take: number): string =>
  take > 0
    ? `array_to_string(min_by(${value}, ${order}, ${Math.trunc(take)}) FILTER (${where}), ',')`
    : "CAST(NULL AS VARCHAR)";

/** Rows of one version at these positions as JSON, in their order. */
export function rowsAtSql(pair: Pair, side: "before" | "after", positions: readonly string[]): Statement {
  return {
    sql:
      `SELECT ${rowOf(pair, side, "r")} FROM ${sideSql(pair, side)} AS r ` +
      `WHERE ${atSql("r.p", positions)} ORDER BY r.p`,
    params: [],
  };
}

/**
 * The changed rows at these positions of both versions: before and after as JSON, and a flag for each column outside
 * the key, 1 if it changed. Ordered by the position after.
 */
export function changesAtSql(pair: Pair, before: readonly string[], after: readonly string[]): Statement {
  const marks = valuesOf(pair).map((column) => `CASE WHEN ${differsSql(column)} THEN '1' ELSE '0' END`);
  return {
    sql:
      `SELECT ${rowOf(pair, "before", "a")}, ${rowOf(pair, "after", "b")}, concat(${marks.join(", ")}) FROM ` +
      `${joined(pair, "JOIN", { before: atSql("p", before), after: atSql("p", after) })} ORDER BY b.p`,
    params: [],
  };
}

/** A condition on positions, which are digits from one of our own statements. */
const atSql = (ref: string, positions: readonly string[]): string =>
  `${ref} IN (${positions.map((position) => BigInt(position)).join(", ")})`;

/**
 * One row: the positions of the first rows that the newer and the older version contain more often than the other, then
 * the numbers of added, removed and unchanged rows.
 */
export function countedSql(pair: Pair, take: number): Statement {
  const sums = ["greatest(n - m, 0)", "greatest(m - n, 0)", "least(m, n)"].map((sql) => `coalesce(sum(${sql}), 0)`);
  const first = [
    firstSql("least_after", "least_after", "n > m", take),
    firstSql("least_before", "least_before", "m > n", take),
  ];
  return { sql: `SELECT ${[...first, ...sums].join(", ")} FROM (${groups(pair)})`, params: [] };
}

/** The number of keys that occur more than once in a version or are incomplete. */
export function keyFaultsSql(pair: Pair, side: "before" | "after"): Statement {
  const refs = pair.key.map((column) => `c${column[side]}`);
  const groups = `SELECT 1 FROM ${fromSql(pair[side])} GROUP BY ${refs.join(", ")} HAVING count(*) > 1`;
  const doubled = `SELECT count(*) FROM (${groups})`;
  const empty = `SELECT count(*) FROM ${fromSql(pair[side])} WHERE ${refs.map((ref) => `${ref} IS NULL`).join(" OR ")}`;
  return { sql: `SELECT (${doubled}) + (${empty})`, params: [] };
}

/** The columns outside the key. */
export const valuesOf = ({ columns, key }: Pair): SharedColumn[] => columns.filter((column) => !key.includes(column));

/** Joins both versions by the key as `a` and `b`, each restricted to the rows for which its condition holds. */
export function joined(pair: Pair, join: string, where?: { before: string; after: string }): string {
  const on = pair.key.map(({ before, after }) => `a.c${before} = b.c${after}`).join(" AND ");
  const side = (name: "before" | "after") =>
    where ? `(SELECT * FROM ${sideSql(pair, name)} WHERE ${where[name]})` : sideSql(pair, name);
  return `${side("before")} AS a ${join} ${side("after")} AS b ON ${on}`;
}

/** The compared columns of one version, and each row's position. */
export function sideSql(pair: Pair, side: "before" | "after"): string {
  const refs = pair.columns.map((column) => `c${column[side]}`);
  return `(SELECT ${[...refs, `${positionOf(pair[side])} AS p`].join(", ")} FROM ${fromSql(pair[side])})`;
}

/** NaN equals NaN, and null equals null; the sign of a zero is ignored. */
export const differsSql = ({ before, after }: SharedColumn): string => `a.c${before} IS DISTINCT FROM b.c${after}`;

/**
 * SQL that tells apart what DuckDB takes for equal: zeros of different signs and, in hashes, a struct of nulls and
 * null. Undefined for columns without such values. Nested values are compared as text too, since they may contain them
 * anywhere.
 */
function toldApart(column: EngineColumn, ref: string, keepsZeros: boolean): string | undefined {
  const { number, columnar } = columnTypeOf(column);
  if (columnar.kind === "nested") return keepsZeros || !HAS_FLOATS.test(column.storage) ? textOf(ref) : undefined;
  return number?.isFloat && keepsZeros ? `${ref} = 0 AND signbit(${ref})` : undefined;
}

const HAS_FLOATS = /\b(?:DOUBLE|FLOAT)\b/;
const textOf = (ref: string): string => `CAST(${ref} AS VARCHAR)`;

/** The same with the sign of a zero, for exact copies. */
export function differsExactlySql(column: SharedColumn): string {
  const [one, other] = [`a.c${column.before}`, `b.c${column.after}`].map((ref) => toldApart(column, ref, true));
  const differs = differsSql(column);
  return one === undefined ? differs : `(${differs} OR (${one}) IS DISTINCT FROM (${other}))`;
}

/** Groups equal rows by a 128-bit hash: how often each version has them, and where they first occur. */
export function groups(pair: Pair): string {
  const side = (name: "before" | "after", flag: number) => {
    const refs = pair.columns.flatMap((column) => {
      const ref = `c${column[name]}`;
      return [hashed(column, ref), toldApart(column, ref, pair.keepsZeros === true) ?? []].flat();
    });
    return (
      `SELECT hash(${["1", ...refs].join(", ")}) AS one, hash(${["2", ...refs].join(", ")}) AS two, ${flag} AS ` +
      `side, ${positionOf(pair[name])} AS p FROM ${fromSql(pair[name])}`
    );
  };
  return `SELECT count(*) FILTER (side = 0) AS m, count(*) FILTER (side = 1) AS n, min(p) FILTER (side = 0) AS
    least_before, min(p) FILTER (side = 1) AS least_after
    FROM (${side("before", 0)} UNION ALL ${side("after", 1)}) GROUP BY one, two`;
}

/** Zeros of both signs are the same value here as well. */
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
