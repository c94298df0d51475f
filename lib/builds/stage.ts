import { join } from "node:path";
import { quoteLiteral } from "@/lib/engine/sql/identifier";
import { columnTypeOf, parseColumnType } from "@/lib/engine/types/column-types";
import { readParquet } from "@/lib/readers/parquet/parquet-reading";
import type { StagedColumn, StagedSource } from "@/lib/readers/staged-source";
import {
  type CellRule,
  currentRule,
  JSON_BOOLEAN_RULES,
  JSON_NUMBER_RULES,
  JSON_RULE,
  jsonArrayRules,
  STRING_RULE,
  sizedRules,
} from "@/lib/readers/typed/cell-types";
import { cellsLayout, csvRelation } from "@/lib/readers/typed/csv-reading";
import { FEW_ROWS, type TriedCells, tryRules } from "@/lib/readers/typed/try-rules";
import { aggregateCells, dropWideCells, isWideCells, readableByColumns } from "@/lib/readers/typed/wide-cells";
import type { SourceColumn } from "./lock";
import { type BuildBench, BuildStopped } from "./plan";

import { columnsNow, storageOf } from "./relation";

/** A source in the bench: `c0 …`, and each row's place in the files as `n` and `part`. */
export interface Stage {
  source: StagedSource;
  table: string;
  columns: SourceColumn[];
  rows: number;
  isText: boolean;
}

/** An origin combines the source's ordinal with the row's position in its stage. */
export const ORIGIN_BITS = 40;

export const stageName = (source: { ordinal: number }): string => `src_${source.ordinal}`;

/** Reads a source's cells into the bench. Under a lock, a cell that does not fit its column's type stops the build. */
export async function fillStage(
  bench: BuildBench,
  source: StagedSource,
  locked: readonly SourceColumn[] | undefined,
): Promise<Stage> {
  const table = stageName(source);
  if (source.form === "parquet") return await stageParquet(bench, source, table);
  const relation = await cellsRelation(bench, source);
  const types = new Map(locked?.map(({ name, type }) => [name, type]));
  const columns =
    source.form === "text"
      ? source.columns.map((column, at) => textCell(column, at))
      : await jsonCells(bench, source, relation, types);
  const values = columns.map(({ value }, at) => `${value} AS c${at}`);
  const position = isWideCells(relation) ? "rowid" : "row_number() OVER () - 1";
  const positions = ["CAST(t0 AS BIGINT) AS n", "CAST(t1 AS INTEGER) AS part", `${position} AS p`];
  await bench.run(`CREATE TABLE ${table} AS SELECT ${[...values, ...positions].join(", ")} FROM ${relation}`);
  await proveCount(bench, source, table);
  if (source.form === "json") await proveLocked(bench, source, relation, columns);
  if (isWideCells(relation)) await dropWideCells(bench);
  return {
    source,
    table,
    rows: source.rows,
    isText: source.form === "text",
    columns: columns.map(({ name, type }) => ({ name, type, storage: storageOf(columnTypeOf({ type })) })),
  };
}

/** A wide source is read into a table first: over a file, its types and positions take too much time and memory. */
async function cellsRelation(bench: BuildBench, source: StagedSource): Promise<string> {
  const { files, columns, longestBytes, form } = source;
  const relation = csvRelation(
    cellsLayout(join(bench.folder, files[0] ?? ""), columns.length, longestBytes, form === "json"),
  );
  return await readableByColumns(bench, relation, columns.length);
}

/** The types that a run gives to the columns of a JSON source. */
export async function jsonTypes(bench: BuildBench, source: StagedSource): Promise<string[]> {
  const cells = await jsonCells(bench, source, await cellsRelation(bench, source), new Map());
  await dropWideCells(bench);
  return cells.map(({ type }) => type);
}

interface StagedCell {
  name: string;
  type: string;
  value: string;
  /** For a locked type: SQL over the relation, true if the cell does not fit. */
  bad?: string;
  text: string;
}

const cellRef = (at: number): string => `t${at + 2}`;
const textCell = ({ name }: StagedColumn, at: number): StagedCell => ({
  name,
  type: "string",
  value: cellRef(at),
  text: cellRef(at),
});

/** Verifies the number of rows, since DuckDB silently skips what it cannot read. */
async function proveCount(bench: BuildBench, source: StagedSource, table: string): Promise<void> {
  const [row] = await bench.rows(`SELECT CAST(count(*) AS VARCHAR) FROM ${table}`);
  if (row?.[0] !== String(source.rows)) throw new Error(`Read ${row?.[0]} of ${source.rows} rows of ${source.name}`);
}

/** Strings carry the mark `s`. A column of several kinds is JSON, with every digit. */
async function jsonCells(
  bench: BuildBench,
  source: StagedSource,
  relation: string,
  locked: ReadonlyMap<string, string>,
): Promise<StagedCell[]> {
  const tried = source.columns.map((column, at) => {
    const { text, rules } = jsonRules(column, cellRef(at));
    const type = locked.get(column.name);
    const rule = type === undefined ? undefined : lockedRule(type, column, cellRef(at));
    return rule
      ? { name: column.name, text: rule.text, rules: [rule.rule], isLocked: true }
      : { name: column.name, text, rules, isLocked: false };
  });
  const chosen = await fittingRules(bench, relation, tried, source.rows);
  const found = tried.map(({ text, rules }, at) => ({ text, rule: rules[chosen[at] ?? rules.length - 1] }));
  const sized = await sizedRules(bench, relation, found);
  return tried.map(({ name, text, rules, isLocked }, at) => {
    const rule = sized[at] ?? rules.at(-1) ?? STRING_RULE;
    const value =
      `CASE WHEN ${text} IS NOT NULL THEN CAST(${rule.value(text)} AS ` + `${storageOf(columnTypeOf(rule))}) END`;
    const bad = `${text} IS NOT NULL AND NOT coalesce(${rule.fits(text, rule.value(text))}, false)`;
    return {
      name,
      type: rule.type,
      value: isLocked ? `CASE WHEN NOT (${bad}) THEN ${value} END` : value,
      text,
      ...(isLocked && { bad }),
    };
  });
}

function jsonRules({ kinds = [], items = [] }: StagedColumn, cell: string): TriedCells {
  const only = kinds.length === 1 ? kinds[0] : undefined;
  if (kinds.length === 0) return { text: cell, rules: [STRING_RULE] };
  if (only === "string") return { text: `substr(${cell}, 2)`, rules: [STRING_RULE] };
  if (only === "number") return { text: cell, rules: JSON_NUMBER_RULES };
  if (only === "boolean") return { text: cell, rules: JSON_BOOLEAN_RULES };
  if (only === "array") return { text: cell, rules: jsonArrayRules(new Set(items)) };
  return { text: jsonText(cell), rules: [JSON_RULE] };
}

const jsonText = (cell: string): string =>
  `(CASE WHEN starts_with(${cell}, 's') THEN to_json(substr(${cell}, 2))::VARCHAR ELSE ${cell} END)`;

/** Distinguishes a string from a number that is written the same way, unless the lock accepts any text. */
function lockedRule(
  type: string,
  { kinds = [] }: StagedColumn,
  cell: string,
): { text: string; rule: CellRule } | undefined {
  const rule = currentRule(type);
  if (!rule) return undefined;
  if (columnTypeOf(rule).json.kind === "any") return { text: jsonText(cell), rule };
  const hasStrings = kinds.includes("string");
  const text = `(CASE WHEN starts_with(${cell}, 's') THEN substr(${cell}, 2) ELSE ${cell} END)`;
  if (type === "string" || !hasStrings) return { text, rule };
  return { text, rule: { ...rule, fits: (x, v) => `(NOT starts_with(${cell}, 's') AND ${rule.fits(x, v)})` } };
}

/** For each column, the first rule that all its cells fit; undefined if only the last one may fit. */
async function fittingRules(
  bench: BuildBench,
  relation: string,
  tried: readonly TriedCells[],
  rows: number,
): Promise<(number | undefined)[]> {
  const fits = await tryRules(bench, relation, tried, rows <= FEW_ROWS);
  return fits.map((each) => {
    const first = each.findIndex((fit) => fit !== false);
    return first < 0 ? undefined : first;
  });
}

async function proveLocked(
  bench: BuildBench,
  source: StagedSource,
  relation: string,
  columns: readonly StagedCell[],
): Promise<void> {
  const locked = columns.filter(({ bad }) => bad !== undefined);
  const answers = await aggregateCells(
    bench,
    relation,
    locked.map(({ bad }) => [`CAST(bool_or(${bad}) AS VARCHAR)`]),
  );
  for (const { name, type, bad, text } of locked.filter((_, at) => answers[at]?.[0] === "true")) {
    const [row] = await bench.rows(`SELECT t0, CAST(${text} AS VARCHAR) FROM ${relation} WHERE ${bad} LIMIT 1`);
    if (!row) continue;
    throw new BuildStopped({
      code: "schema_violation",
      message:
        `${source.name}, row ${row[0]}, column ${JSON.stringify(name)}: ` +
        `${JSON.stringify((row[1] ?? "").slice(0, 80))} is not ${type}. Propose a revision that widens the ` +
        `type.`,
      at: { table: source.name, column: name },
    });
  }
}

/** Parquet keeps its own types, which must be the same in all parts of a source. */
async function stageParquet(bench: BuildBench, source: StagedSource, table: string): Promise<Stage> {
  let columns: SourceColumn[] = [];
  let rows = 0;
  for (const [part, file] of source.files.entries()) {
    const path = join(bench.folder, file);
    const reading = await readParquet(bench, path, [], []);
    const wanted =
      source.columns.length > 0 ? source.columns.map(({ name }) => name) : reading.columns.map(({ name }) => name);
    const chosen = wanted.map((name) => reading.columns.find((column) => column.name === name));
    const missing = wanted.find((_, at) => !chosen[at]);
    if (missing !== undefined)
      throw new BuildStopped({
        code: "schema_violation",
        message:
          `${source.name}: the file has no column ${JSON.stringify(missing)}. ` +
          columnsNow(reading.columns.map((column) => column.name)),
        at: { table: source.name, column: missing },
      });
    const values = chosen.map((column, at) => `${column?.value} AS c${at}`);
    const select =
      `SELECT ${values.join(", ")}, file_row_number + 1 AS n, ${part} AS part, row_number() OVER () - 1 ` +
      `+ ${rows} AS p FROM ` +
      `read_parquet(${quoteLiteral(path)}, file_row_number = true)`;
    const found = chosen.map((column) => ({ name: column?.name ?? "", type: column?.type ?? "string" }));
    const differing = found.find(({ type }, at) => part > 0 && columns[at]?.type !== type);
    if (differing)
      throw new BuildStopped({
        code: "schema_violation",
        message: `${source.name}: ${JSON.stringify(differing.name)} has a different type in part ${part + 1}.`,
        at: { table: source.name, column: differing.name },
      });
    await bench.run(part === 0 ? `CREATE TABLE ${table} AS ${select}` : `INSERT INTO ${table} ${select}`);
    rows = Number((await bench.rows(`SELECT CAST(count(*) AS VARCHAR) FROM ${table}`))[0]?.[0] ?? 0);
    const stored = await bench.rows(`SELECT column_type FROM (DESCRIBE ${table})`);
    const these = found.map(({ name, type }, at) => ({
      name,
      type,
      storage: stored[at]?.[0] ?? storageOf(parseColumnType(type) ?? columnTypeOf({ type: "string" })),
    }));
    columns = these;
  }
  return { source, table, isText: false, columns, rows };
}
