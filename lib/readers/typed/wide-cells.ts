import { type Bench, onlyRow, type Text } from "@/lib/readers/bench";

/** Tables of so many columns are read by one statement, in one pass. */
const USUAL_COLUMNS = 100;
/** DuckDB's planning time grows with the square of a statement's columns. */
const COLUMNS_AT_ONCE = 32;
const WIDE_CELLS = "wide_cells";

/** Whether a table has so many columns that planning takes longer than reading, unless they are read by pieces. */
export const isWide = (columns: number): boolean => columns > USUAL_COLUMNS;

/**
 * The relation itself, or, if it is wide, a table with its rows: of a table, statements over a few columns read only
 * those.
 */
export async function readableByColumns(bench: Bench, relation: string, columns: number): Promise<string> {
  if (!isWide(columns)) return relation;
  await bench.run(`CREATE OR REPLACE TABLE ${WIDE_CELLS} AS SELECT * FROM ${relation}`);
  return WIDE_CELLS;
}

/** Whether a relation is the table of a wide one, or its first rows. Its `rowid` is the row's position in the file. */
export const isWideCells = (relation: string): boolean => relation.split(" ", 1)[0] === WIDE_CELLS;

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

/** The same for any relation: in one pass unless it is wide. */
export const aggregateCells = (
  bench: Pick<Bench, "rows">,
  from: string,
  cells: readonly (readonly string[])[],
): Promise<Text[][]> =>
  isWideCells(from) || isWide(cells.length)
    ? aggregateByColumns(bench, from, cells)
    : aggregateAtOnce(bench, from, cells);

/** A column's cells, and the aggregates asked of them, as SQL over a cell and its row `n`. */
export interface CellAggregates {
  text: string;
  aggregates(x: string): readonly string[];
}

/** Aggregates of text cells that many columns share: in one pass, or for a wide table, which `from` names, alike together. */
export const aggregateTexts = (
  bench: Pick<Bench, "rows">,
  from: string,
  columns: readonly CellAggregates[],
): Promise<Text[][]> =>
  isWide(columns.length)
    ? aggregateAlike(bench, from, columns)
    : aggregateAtOnce(
        bench,
        from,
        columns.map(({ text, aggregates }) => aggregates(text)),
      );

/** Columns whose cells are laid one below the other. */
const COLUMNS_BELOW = 512;

/**
 * The same for aggregates that many columns share, of which each is planned once: a type's rule takes longer to plan
 * than to try on a thousand rows.
 */
export async function aggregateAlike(
  bench: Pick<Bench, "rows">,
  from: string,
  columns: readonly CellAggregates[],
): Promise<Text[][]> {
  const found: Text[][] = columns.map(() => []);
  const alike = Map.groupBy(columns.keys(), (at) => columns[at]?.aggregates("x").join());
  for (const group of alike.values())
    for (let start = 0; start < group.length; start += COLUMNS_BELOW) {
      const some = group.slice(start, start + COLUMNS_BELOW);
      const aggregates = columns[some[0] ?? 0]?.aggregates("x") ?? [];
      if (aggregates.length === 0) continue;
      const texts = some.map((at) => columns[at]?.text);
      const indexes = `unnest([${some.join(", ")}]) AS place`;
      const cells = `SELECT rowid AS n, ${indexes}, unnest([${texts.join(", ")}]) AS x FROM ${from}`;
      const rows = await bench.rows(`SELECT place::VARCHAR, ${aggregates.join(", ")} FROM (${cells}) GROUP BY place`);
      for (const [index, ...answers] of rows) found[Number(index)] = answers;
    }
  return found;
}

async function aggregateAtOnce(
  bench: Pick<Bench, "rows">,
  from: string,
  cells: readonly (readonly string[])[],
): Promise<Text[][]> {
  const expressions = cells.flat();
  if (expressions.length === 0) return cells.map(() => []);
  const rest = [...(await onlyRow(bench, `SELECT ${expressions.join(", ")} FROM ${from}`))];
  return cells.map(({ length }) => rest.splice(0, length));
}
