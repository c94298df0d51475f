import type { ColumnPlan, Reading } from "./reading";
import { refuseFile, refuseValue } from "./refusal";
import { onlyRow, type Workbench } from "./workbench";

export interface StagedColumn {
  name: string;
  type: string;
}

/**
 * The typed rows in the file's order: table `stage` with columns `c0, c1, …`; its rowid is the row's place in the file.
 */
export interface Stage {
  columns: StagedColumn[];
  rows: number;
}

/** Reads the whole source into the stage, proving on every row that each value fits its column. */
export async function fillStage(bench: Workbench, reading: Reading): Promise<Stage> {
  let columns = reading.columns;
  await readInto(bench, reading.relation, columns);
  const misfits = await findMisfits(bench);
  if (misfits.length > 0) {
    const better = await reading.replan?.(misfits.map((misfit) => misfit.column));
    if (!better) throw await misfitRefusal(bench, reading.relation, columns, misfits);
    columns = better;
    await readInto(bench, reading.relation, columns);
    const left = await findMisfits(bench);
    if (left.length > 0) throw await misfitRefusal(bench, reading.relation, columns, left);
  }
  const rows = Number((await onlyRow(bench, "SELECT count(*)::VARCHAR FROM stage"))[0]);
  if (reading.rows !== undefined && reading.rows !== rows)
    throw refuseFile(
      `Read ${rows} of ${reading.rows} rows; the file changed while it was read, or is not regular CSV. Nothing ` +
        `was published.`,
    );
  return { columns: columns.map(({ name, type }) => ({ name, type })), rows };
}

interface Misfit {
  column: number;
  /** Place in the file, from 0. */
  row: number;
}

/** Values are made in an inner query, so that their tests need not make them again. */
async function readInto(bench: Workbench, relation: string, columns: readonly ColumnPlan[]): Promise<void> {
  const values = columns.map((column, index) => `${column.value} AS ${valueRef(index)}`);
  const tests = columns.flatMap((column, index) =>
    column.fits ? [`WHEN NOT ${column.fits(valueRef(index))} THEN ${index}`] : [],
  );
  const misfit = tests.length === 0 ? "NULL" : `CASE ${tests.join(" ")} END`;
  const named = columns.map((_, index) => `${valueRef(index)} AS c${index}`);
  const made = `(SELECT *, ${values.join(", ")} FROM ${relation})`;
  await bench.run(
    `CREATE OR REPLACE TABLE stage AS SELECT ${named.join(", ")}, (${misfit})::INTEGER AS misfit FROM ${made}`,
  );
}

/** A name that no column of a source can have: control characters are refused there. */
const valueRef = (index: number): string => `"\u0001${index}"`;

/** The first row of each column at fault; a row counts for the first of its columns alone. */
async function findMisfits(bench: Workbench): Promise<Misfit[]> {
  const rows = await bench.rows(
    "SELECT misfit::VARCHAR, min(rowid)::VARCHAR FROM stage WHERE misfit IS NOT NULL GROUP BY misfit ORDER BY " +
      "min(rowid)",
  );
  return rows.map(([column, row]) => ({ column: Number(column), row: Number(row) }));
}

async function misfitRefusal(
  bench: Workbench,
  relation: string,
  columns: readonly ColumnPlan[],
  misfits: readonly Misfit[],
): Promise<Error> {
  const first = misfits[0];
  const plan = first && columns[first.column];
  if (!first || !plan) throw new Error("A cast error names no column");
  const [value] = await onlyRow(bench, `SELECT (${plan.shown})::VARCHAR FROM ${relation} LIMIT 1 OFFSET ${first.row}`);
  const more = misfits.length > 1 ? ` (${misfits.length - 1} more columns have cast errors.)` : "";
  return refuseValue(
    { column: plan.name, row: first.row + 1, value: value ?? null, type: plan.type },
    `Correct the value, or declare another type.${more}`,
  );
}
