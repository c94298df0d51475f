import { type Bench, onlyRow, type Text } from "@/lib/readers/bench";

/** Tables of so many columns are read by one statement, in one pass. */
const USUAL_COLUMNS = 100;
/** DuckDB's planning time grows with the square of a statement's columns. */
const COLUMNS_AT_ONCE = 32;
const WIDE_CELLS = "wide_cells";

/**
 * The relation itself, or, if it is wide, a table with its rows: of a table, statements over a few columns read only
 * those.
 */
export async function readableByColumns(bench: Bench, relation: string, columns: number): Promise<string> {
  if (columns <= USUAL_COLUMNS) return relation;
  await bench.run(`CREATE OR REPLACE TABLE ${WIDE_CELLS} AS SELECT * FROM ${relation}`);
  return WIDE_CELLS;
}

/** Whether a relation is the table of a wide one. Its `rowid` is the row's position in the file. */
export const isWideCells = (relation: string): boolean => relation === WIDE_CELLS;

export const dropWideCells = (bench: Bench): Promise<void> => bench.run(`DROP TABLE IF EXISTS ${WIDE_CELLS}`);

/** What follows FROM for the relation's first rows. */
export const firstOf = (relation: string, rows: number): string =>
  isWideCells(relation) ? `${relation} WHERE rowid < ${rows}` : `(SELECT * FROM ${relation} LIMIT ${rows})`;

/** Aggregates of a relation's rows, `cells` for each of its columns, a few columns at once. */
export async function aggregateByColumns(
  bench: Pick<Bench, "rows">,
  from: string,
  cells: readonly (readonly string[])[],
): Promise<Text[][]> {
  const found: Text[][] = [];
  for (let start = 0; start < cells.length; start += COLUMNS_AT_ONCE)
    found.push(...(await aggregateAtOnce(bench, from, cells.slice(start, start + COLUMNS_AT_ONCE))));
  return found;
}

/** The same for any relation: in one pass unless it is the table of a wide one. */
export const aggregateCells = (
  bench: Pick<Bench, "rows">,
  from: string,
  cells: readonly (readonly string[])[],
): Promise<Text[][]> =>
  isWideCells(from.split(" ", 1)[0] ?? "") ? aggregateByColumns(bench, from, cells) : aggregateAtOnce(bench, from, cells);

async function aggregateAtOnce(
  bench: Pick<Bench, "rows">,
  from: string,
  cells: readonly (readonly string[])[],
): Promise<Text[][]> {
  const asked = cells.flat();
  if (asked.length === 0) return cells.map(() => []);
  const rest = [...(await onlyRow(bench, `SELECT ${asked.join(", ")} FROM ${from}`))];
  return cells.map(({ length }) => rest.splice(0, length));
}
