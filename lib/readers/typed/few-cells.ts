import type { Bench } from "@/lib/readers/bench";
import type { CellRule } from "./cell-types";

/** So many rows are tried here: DuckDB takes longer to plan a rule than JavaScript to try it on their cells. */
export const FEW_ROWS = 1_000;
/** Longer cells are left to DuckDB. */
const CHARACTERS_MAX = 100;

/** A column's text in SQL, with candidate rules; the last one accepts any text. */
export interface TriedCells {
  text: string;
  rules: readonly CellRule[];
}

/** Whether all cells fit a rule; null without cells, undefined if only DuckDB can tell. */
type Answer = boolean | null | undefined;

/** For each column and each rule except its last, whether all cells of a relation of few rows fit. */
export async function tryFewCells(
  bench: Pick<Bench, "rows">,
  relation: string,
  columns: readonly TriedCells[],
): Promise<Answer[][]> {
  const answers: Answer[][] = columns.map(() => []);
  const asked = [...columns.keys()].filter((index) => columns[index]?.rules.slice(0, -1).some(({ holds }) => holds));
  if (asked.length === 0) return answers;
  const texts = asked.map((index) => `left(${columns[index]?.text}, ${CHARACTERS_MAX + 1})`);
  const records = await bench.rows(`SELECT ${texts.join(", ")} FROM ${relation}`);
  for (const [at, index] of asked.entries()) {
    const cells = records.flatMap((record) => record[at] ?? []);
    const whole = [...new Set(cells)].filter(({ length }) => length <= CHARACTERS_MAX);
    const isWhole = cells.every(({ length }) => length <= CHARACTERS_MAX);
    answers[index] = (columns[index]?.rules ?? []).slice(0, -1).map(({ holds }) => {
      if (!holds) return undefined;
      if (cells.length === 0) return null;
      return whole.every((cell) => holds(cell)) ? isWhole || undefined : false;
    });
  }
  return answers;
}
