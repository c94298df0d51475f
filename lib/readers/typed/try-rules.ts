import type { Bench, Text } from "@/lib/readers/bench";
import type { CellRule } from "./cell-types";
import { aggregateTexts } from "./wide-cells";

/** So many rows are tried here: DuckDB takes longer to plan a rule than JavaScript to try it on their cells. */
export const FEW_ROWS = 1_000;
/** Longer cells are left to DuckDB. */
const CHARACTERS_MAX = 100;

/** A column's text in SQL, with candidate rules; the last one accepts any text. */
export interface TriedCells {
  text: string;
  rules: readonly CellRule[];
}

/** Whether all cells fit a rule; null without cells. */
export type Fits = boolean | null;

/**
 * For each column and each of its rules except the last, whether all cells of a relation fit. `areFew` if it has at
 * most `FEW_ROWS` rows.
 */
export async function tryRules(
  bench: Pick<Bench, "rows">,
  relation: string,
  columns: readonly TriedCells[],
  areFew: boolean,
): Promise<Fits[][]> {
  const known = areFew ? await tryFewCells(bench, relation, columns) : [];
  const isOpen = (column: number, at: number) => known[column]?.[at] === undefined;
  // without FILTER, whose memory grows with the square of the columns (profile.ts)
  const fitsAll = (x: string, rule: CellRule) =>
    `bool_and(CASE WHEN ${x} IS NOT NULL THEN coalesce(${rule.fits(x, rule.value(x))}, false) END)::VARCHAR`;
  const requests = columns.map(({ text, rules }, column) => ({
    text,
    aggregates: (x: string) => rules.slice(0, -1).flatMap((rule, at) => (isOpen(column, at) ? [fitsAll(x, rule)] : [])),
  }));
  const found = await aggregateTexts(bench, relation, requests);
  return columns.map(({ rules }, column) => {
    const rest = [...(found[column] ?? [])];
    return rules.slice(0, -1).map((_, at) => known[column]?.[at] ?? (isOpen(column, at) ? fitsOf(rest.shift()) : null));
  });
}

const fitsOf = (answer: Text | undefined): Fits => (answer == null ? null : answer === "true");

/** The same, as far as JavaScript can tell; undefined if only DuckDB can. */
async function tryFewCells(
  bench: Pick<Bench, "rows">,
  relation: string,
  columns: readonly TriedCells[],
): Promise<(Fits | undefined)[][]> {
  const answers: (Fits | undefined)[][] = columns.map(() => []);
  const tried = [...columns.keys()].filter((index) =>
    columns[index]?.rules.slice(0, -1).some(({ matches }) => matches),
  );
  if (tried.length === 0) return answers;
  const texts = tried.map((index) => `left(${columns[index]?.text}, ${CHARACTERS_MAX + 1})`);
  const records = await bench.rows(`SELECT ${texts.join(", ")} FROM ${relation}`);
  for (const [at, index] of tried.entries()) {
    const cells = records.flatMap((record) => record[at] ?? []);
    const whole = [...new Set(cells)].filter(({ length }) => length <= CHARACTERS_MAX);
    const isWhole = cells.every(({ length }) => length <= CHARACTERS_MAX);
    answers[index] = (columns[index]?.rules ?? []).slice(0, -1).map(({ matches }) => {
      if (!matches) return undefined;
      if (cells.length === 0) return null;
      return whole.every((cell) => matches(cell)) ? isWhole || undefined : false;
    });
  }
  return answers;
}
