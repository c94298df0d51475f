import { differsExactlySql, groups, joined, type Pair, type SharedColumn, sideSql, valuesOf } from "./compare-sql";
import { type EncodedColumn, type RowForm, rowJson, valueJson } from "./encode";
import { quoteLiteral } from "./identifier";

/** How the columns of two versions differ, as the JSON of the first change; undefined if they are the same. */
export type SchemaChange = { names: readonly string[]; json: string } | undefined;

/** The columns that a change has before those of the newer version. */
export const CHANGE_COLUMNS = [
  { name: "op", type: "string", storage: "VARCHAR" },
  { name: "changed", type: "list<string>", storage: "VARCHAR[]" },
] as const;

/**
 * A SELECT of the changes that turn one version's rows into another's: that of its columns, then the rows deleted, in
 * their order in the older version, then those inserted and updated, in their order in the newer one.
 */
export function changesSql(pair: Pair, schema: SchemaChange): string {
  const rows = pair.key.length > 0 ? keyedRows(pair) : countedRows(pair);
  const columns = schema ? [columnsRow(pair, schema)] : [];
  const list = ["op", "changed", ...pair.columns.map((_, at) => `v${at}`)];
  const named = list.map((name, at) => `${name} AS c${at}`).join(", ");
  return `SELECT ${named} FROM (${[...columns, rows].join(" UNION ALL ")}) ORDER BY part, p`;
}

const NOTHING_CHANGED = "CAST([] AS VARCHAR[])";

function columnsRow({ columns }: Pair, { names }: NonNullable<SchemaChange>): string {
  const cells = columns.map(({ storage }, at) => `CAST(NULL AS ${storage}) AS v${at}`);
  const changed = `CAST([${names.map(quoteLiteral).join(", ")}] AS VARCHAR[]) AS changed`;
  return `SELECT ${["'schema' AS op", changed, ...cells, "0 AS part", "0 AS p"].join(", ")}`;
}

/** A row with the same key in both versions is updated if any of its columns differs. */
function keyedRows(pair: Pair): string {
  const differs = [...valuesOf(pair), ...pair.key].map((column) => ({ column, sql: differsExactlySql(column) }));
  const inOrder = differs.sort((a, b) => pair.columns.indexOf(a.column) - pair.columns.indexOf(b.column));
  const names = inOrder.map(({ column, sql }) => `CASE WHEN ${sql} THEN ${quoteLiteral(column.name)} END`);
  const changed = `list_filter([${names.join(", ")}], lambda name: name IS NOT NULL)`;
  const [isNew, isGone] = ["a.p IS NULL", "b.p IS NULL"];
  const cells = pair.columns.map(
    ({ before, after }, at) => `CASE WHEN ${isGone} THEN a.c${before} ELSE b.c${after} END AS v${at}`,
  );
  const columns = [
    `CASE WHEN ${isNew} THEN 'inserted' WHEN ${isGone} THEN 'deleted' ELSE 'updated' END AS op`,
    `CASE WHEN ${isNew} OR ${isGone} THEN ${NOTHING_CHANGED} ELSE ${changed} END AS changed`,
    ...cells,
    `CASE WHEN ${isGone} THEN 1 ELSE 2 END AS part`,
    "coalesce(b.p, a.p) AS p",
  ];
  const where = [isNew, isGone, ...differs.map(({ sql }) => sql)].join(" OR ");
  return `SELECT ${columns.join(", ")} FROM ${joined(pair, "FULL JOIN")} WHERE ${where}`;
}

/** Copies of a row are listed by blocks, so that no list is long. */
const BLOCK = 4096;

/** A row that one version has n times more often than the other is there n times, at its first position. */
function countedRows(pair: Pair): string {
  const side = (name: "before" | "after", { op, more, part }: { op: string; more: string; part: number }) => {
    const cells = pair.columns.map((column, at) => `r.c${column[name]} AS v${at}`);
    const rows =
      `SELECT ${[...cells, `${more} AS more`, "r.p AS p"].join(", ")} ` +
      `FROM ${sideSql(pair, name)} AS r JOIN g ON r.p = g.least_${name} WHERE ${more} > 0`;
    const blocks = `SELECT *, unnest(range((more + ${BLOCK - 1}) // ${BLOCK})) AS block FROM (${rows})`;
    const copies = `SELECT *, unnest(range(least(${BLOCK}, more - block * ${BLOCK}))) AS copy FROM (${blocks})`;
    const list = pair.columns.map((_, at) => `v${at}`);
    const columns = [`'${op}' AS op`, `${NOTHING_CHANGED} AS changed`, ...list, `${part} AS part`, "p"];
    return `SELECT ${columns.join(", ")} FROM (${copies})`;
  };
  const deleted = side("before", { op: "deleted", more: "m - n", part: 1 });
  const inserted = side("after", { op: "inserted", more: "n - m", part: 2 });
  return `SELECT * FROM (WITH g AS MATERIALIZED (${groups(pair)}) ${deleted} UNION ALL ${inserted})`;
}

/** A change as JSON: `{"op", "key", "row", "changed"}`; the change of the columns has both versions' columns too. */
export const changeForm = (key: readonly string[], schema: SchemaChange): RowForm => ({
  separator: ",\n",
  row([op, changed, ...cells], encoding) {
    const ofKey = key.flatMap((name) => cells.find((cell) => cell.name === name) ?? []);
    const members = [
      `'{"op":"', ${refOf(op)}, '","key":'`,
      ofKey.length > 0 ? rowJson(ofKey, encoding) : "'null'",
      `',"row":', ${rowJson(cells, encoding)}`,
      `',"changed":', ${changed ? valueJson(changed, encoding) : "'[]'"}, '}'`,
    ];
    const row = `concat(${members.join(", ")})`;
    return schema ? `CASE WHEN ${refOf(op)} = 'schema' THEN ${quoteLiteral(schema.json)} ELSE ${row} END` : row;
  },
});

const refOf = (column: EncodedColumn | undefined): string => column?.ref ?? "NULL";

/** Where a column of the newer version that the older one lacks is read from: nulls that are computed. */
export const absentIn = (columns: readonly SharedColumn[], shared: ReadonlySet<string>) =>
  columns
    .filter(({ name }) => !shared.has(name))
    .map(({ before, storage }) => ({ index: before, sql: `CAST(NULL AS ${storage})` }));
