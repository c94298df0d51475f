import { onlyRow, type Text } from "@/lib/readers/bench";
import type { LeftOut } from "@/lib/readers/left-out";
import type { ColumnPlan, Reading } from "@/lib/readers/typed/reading";
import { aggregateAlike, aggregateByColumns, dropWideCells, isWide, isWideCells } from "@/lib/readers/typed/wide-cells";
import { lacksMemory, lacksSpace, rejectFile, rejectValue } from "./rejection";
import type { Workbench } from "./workbench";
import { areZerosKept, hasNegativeZeros, negativeZeroInRow } from "./zero-signs-stored";

export interface StagedColumn {
  name: string;
  type: string;
}

/**
 * The typed rows in the file's order: table `stage` with columns `c0, c1, …`; its rowid is the row's position in the
 * file.
 */
export interface Stage {
  columns: StagedColumn[];
  rows: number;
}

/** A stage that was read from a file. */
export interface FilledStage extends Stage {
  /** What the reader left out. */
  leftOut: readonly LeftOut[];
}

/** Aggregates of the stage's rows, `cells` for each of its columns, each cast to text. */
export const aggregate = (bench: Workbench, cells: readonly (readonly string[])[]): Promise<Text[][]> =>
  aggregateByColumns(bench, "stage", cells);

/** Methods that take half the time of writing a stage, whose rows are read only a few times. */
const SLOW_COMPRESSION = "dictionary,fsst,dict_fsst,zstd,rle,alp,alprd,chimp,patas";

/** Reads the entire source into the stage, checking in every row that each value fits its column. */
export async function fillStage(bench: Workbench, reading: Reading): Promise<FilledStage> {
  let columns = reading.columns;
  // one of an earlier source would hide this one's
  await bench.run("DROP TABLE IF EXISTS temp.stage");
  if (reading.isText) await bench.run(`SET GLOBAL disabled_compression_methods = '${SLOW_COMPRESSION}'`);
  const castErrors = await readExplained(bench, reading, columns);
  if (castErrors.length > 0) {
    const better = await reading.replan?.(castErrors.map(({ column }) => column));
    if (!better) throw await castErrorRejection(bench, reading.relation, columns, castErrors);
    columns = better;
    const left = await readInto(bench, reading.relation, columns);
    if (left.length > 0) throw await castErrorRejection(bench, reading.relation, columns, left);
  }
  await restoreZeroSigns(bench, reading.relation, columns);
  if (isWideCells(reading.relation)) await dropWideCells(bench);
  const rows = Number((await onlyRow(bench, "SELECT count(*)::VARCHAR FROM stage"))[0]);
  if (reading.rows !== undefined && reading.rows !== rows)
    throw rejectFile(
      `Read only ${rows} of ${reading.rows} rows: the file changed while it was read, or is not regular CSV. Nothing ` +
        `was published.`,
    );
  return { columns: columns.map(({ name, type }) => ({ name, type })), rows, leftOut: reading.leftOut ?? [] };
}

/** Rejects a file that DuckDB cannot read to its end, by the place of its fault. */
async function readExplained(bench: Workbench, reading: Reading, columns: readonly ColumnPlan[]): Promise<CastError[]> {
  try {
    return await readInto(bench, reading.relation, columns);
  } catch (error) {
    const isMine = error instanceof Error && !lacksMemory(error) && !lacksSpace(error);
    throw (isMine && (await reading.unreadable?.(error))) || error;
  }
}

interface CastError {
  column: number;
  /** Position in the file, from 0. */
  row: number;
}

/**
 * DuckDB's file stores a run of zeros of both signs as one of them. If it did, the stage becomes a temporary table,
 * whose values stay as they are, in memory and next to the stage.
 */
async function restoreZeroSigns(bench: Workbench, relation: string, columns: readonly ColumnPlan[]): Promise<void> {
  // what a table has not yet written to its file may be lost later
  if (!(await hasNegativeZero(bench, columns))) return;
  await bench.run("CHECKPOINT");
  if (await areZerosKept(bench, relation, columns)) return;
  await bench.run("DROP TABLE stage");
  await readInto(bench, relation, columns, "TEMPORARY");
}

async function hasNegativeZero(bench: Workbench, columns: readonly ColumnPlan[]): Promise<boolean> {
  if (isWide(columns.length)) return await hasNegativeZeros(bench, columns);
  const [found] = await onlyRow(bench, "SELECT coalesce(bool_or(negative_zero), false)::VARCHAR FROM stage");
  return found === "true";
}

/** Fills the stage, and returns the first invalid row of each column. */
async function readInto(
  bench: Workbench,
  relation: string,
  columns: readonly ColumnPlan[],
  kind: "TEMPORARY" | "" = "",
): Promise<CastError[]> {
  if (!isWideCells(relation)) {
    await readAtOnce(bench, relation, columns, kind);
    return await findCastErrors(bench);
  }
  const values = columns.map(({ value }, index) => `${value} AS c${index}`);
  await bench.run(`CREATE OR REPLACE ${kind} TABLE stage AS SELECT ${values.join(", ")} FROM ${relation}`);
  return await findWideCastErrors(bench, relation, columns);
}

/** Values are computed in an inner query, so that their checks do not compute them again. */
async function readAtOnce(
  bench: Workbench,
  relation: string,
  columns: readonly ColumnPlan[],
  kind: "TEMPORARY" | "",
): Promise<void> {
  const values = columns.map((column, index) => `${column.value} AS ${valueRef(index)}`);
  const tests = columns.flatMap((column, index) =>
    column.fits ? [`WHEN NOT ${column.fits(valueRef(index))} THEN ${index}`] : [],
  );
  const firstFault = tests.length === 0 ? "NULL" : `CASE ${tests.join(" ")} END`;
  const named = columns.map((_, index) => `${valueRef(index)} AS c${index}`);
  const computed = `(SELECT *, ${values.join(", ")} FROM ${relation})`;
  const found = [`(${firstFault})::INTEGER AS cast_error`];
  // for a wide table, DuckDB would plan both for several times as long as it reads the file
  if (!isWide(columns.length)) found.push(`${negativeZeroInRow(columns, valueRef)} AS negative_zero`);
  await bench.run(
    `CREATE OR REPLACE ${kind} TABLE stage AS SELECT ${[...named, ...found].join(", ")} FROM ${computed}`,
  );
}

/** A name that no column of a source can have: control characters are rejected there. */
const valueRef = (index: number): string => `"\u0001${index}"`;

/** The first invalid row of each column; a row counts only for the first of its invalid columns. */
async function findCastErrors(bench: Workbench): Promise<CastError[]> {
  const rows = await bench.rows(
    "SELECT cast_error::VARCHAR, min(rowid)::VARCHAR FROM stage WHERE cast_error IS NOT NULL GROUP BY cast_error " +
      "ORDER BY min(rowid)",
  );
  return rows.map(([column, row]) => ({ column: Number(column), row: Number(row) }));
}

/** The first invalid row of each column. */
async function findWideCastErrors(
  bench: Workbench,
  relation: string,
  columns: readonly ColumnPlan[],
): Promise<CastError[]> {
  const tests = columns.map(({ cellFits, shown }) => ({
    text: shown,
    aggregates: (x: string) => (cellFits ? [`min(CASE WHEN NOT ${cellFits(x)} THEN n END)::VARCHAR`] : []),
  }));
  const found = await aggregateAlike(bench, relation, tests);
  const rows = found.flatMap(([row], column) => (row == null ? [] : [{ column, row: Number(row) }]));
  return rows.sort((a, b) => a.row - b.row);
}

async function castErrorRejection(
  bench: Workbench,
  relation: string,
  columns: readonly ColumnPlan[],
  castErrors: readonly CastError[],
): Promise<Error> {
  const first = castErrors[0];
  const plan = first && columns[first.column];
  if (!first || !plan) throw new Error("A cast error names no column");
  const [value] = await onlyRow(bench, `SELECT (${plan.shown})::VARCHAR FROM ${relation} LIMIT 1 OFFSET ${first.row}`);
  const more = castErrors.length > 1 ? ` (Columns with further cast errors: ${castErrors.length - 1}.)` : "";
  return rejectValue(
    { column: plan.name, row: first.row + 1, value: value ?? null, type: plan.type },
    `${plan.advice ?? "Correct the value, or declare another type."}${more}`,
  );
}
