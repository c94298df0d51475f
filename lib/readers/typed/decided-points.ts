import { FLOAT64 } from "@/lib/engine/types/floats";
import { STRING } from "@/lib/engine/types/strings";
import { type Bench, onlyRow } from "@/lib/readers/bench";
import { mismatch } from "@/lib/readers/failure";
import type { ColumnPlan, Reading } from "./reading";
import { aggregateCells, firstOf } from "./wide-cells";
import { evidenceOf, type MarkEvidence, plainMark, readNumbers } from "./written-numbers";

/** Whole numbers, and numbers whose point could as well separate thousands. */
const UNCLEAR = String.raw`-?([1-9][0-9]{0,2}\.[0-9]{3}|0|[1-9][0-9]*)`;
const FIRST_ROWS = 1_000;
const COLUMNS_MAX = 200;

interface PointsFile {
  /** Asked only if a column is unclear. */
  delimiter(): Promise<string>;
  /** Whether somebody chose the column's type, or an earlier version has it. */
  isDecided(name: string): boolean;
}

/**
 * A reading that refuses columns like `1.234`, `12.500` where the file's other numbers, or its semicolons, leave open
 * whether the points separate thousands. The first rows clear most columns, so that all rows are seldom read for this.
 */
export async function withDecidedPoints(bench: Bench, reading: Reading, file: PointsFile): Promise<Reading> {
  await checkPoints(bench, reading.relation, reading.columns, file);
  const { replan } = reading;
  if (!replan) return reading;
  return {
    ...reading,
    replan: async (castErrors) => {
      const columns = await replan(castErrors);
      if (columns) await checkPoints(bench, reading.relation, columns, file);
      return columns;
    },
  };
}

async function checkPoints(
  bench: Bench,
  relation: string,
  columns: readonly ColumnPlan[],
  { delimiter, isDecided }: PointsFile,
): Promise<void> {
  const numbers = columns.filter(({ type }) => type === FLOAT64.name);
  const isOpen = ({ name }: ColumnPlan) => !isDecided(name);
  const first = firstOf(relation, FIRST_ROWS);
  const suspects = await unclear(bench, first, numbers.filter(isOpen));
  if (suspects.length === 0) return;
  const [column] = await unclear(bench, relation, suspects);
  if (!column) return;
  const clear = await withPoints(bench, relation, numbers);
  const others = columns.filter(({ type }) => type === STRING.name).slice(0, COLUMNS_MAX);
  const evidence: MarkEvidence[] = [...clear.map(() => "point" as const), ...(await evidenceIn(bench, first, others))];
  if (plainMark(evidence, await delimiter()) === ".") return;
  const example = `SELECT (${column.shown})::VARCHAR FROM ${relation} WHERE contains(${column.shown}, '.') LIMIT 1`;
  const [cell = ""] = await onlyRow(bench, example);
  throw mismatch(
    `Column ${JSON.stringify(column.name)}: the file does not tell whether ${JSON.stringify(cell)} is ${cell} or ` +
      `${cell?.replace(".", "")}. Declare the column's type: float64 if the point marks decimals, string to keep the ` +
      "text.",
  );
}

const hasPoint = (x: string) => `bool_or(coalesce(contains(${x}, '.'), false))`;
const isUnclear = (x: string) => `bool_and(${x} IS NULL OR regexp_full_match(${x}, '${UNCLEAR}'))`;

/** SQL of a column that has points, none of which tells what it means. */
export const unclearSql = (x: string): string => `(${hasPoint(x)} AND ${isUnclear(x)})`;

/** The columns of which this is true. */
const unclear = (bench: Bench, relation: string, columns: readonly ColumnPlan[]): Promise<ColumnPlan[]> =>
  chosen(bench, relation, columns, unclearSql);

/** The columns that have points which mark decimals. */
const withPoints = (bench: Bench, relation: string, columns: readonly ColumnPlan[]): Promise<ColumnPlan[]> =>
  chosen(bench, relation, columns, (x) => `${hasPoint(x)} AND NOT ${isUnclear(x)}`);

async function chosen(
  bench: Bench,
  relation: string,
  columns: readonly ColumnPlan[],
  test: (x: string) => string,
): Promise<ColumnPlan[]> {
  if (columns.length === 0) return [];
  const tests = columns.map(({ shown }) => [`(${test(shown)})::VARCHAR`]);
  const answers = await aggregateCells(bench, relation, tests);
  return columns.filter((_, at) => answers[at]?.[0] === "true");
}

async function evidenceIn(bench: Bench, relation: string, columns: readonly ColumnPlan[]): Promise<MarkEvidence[]> {
  if (columns.length === 0) return [];
  const rows = await bench.rows(
    `SELECT ${columns.map(({ shown }) => `(${shown})::VARCHAR`).join(", ")} FROM ${relation}`,
  );
  return columns.map((_, at) => {
    const cells = rows.flatMap((row) => (row[at] == null || row[at] === "" ? [] : [row[at]]));
    return cells.length === 0 ? "none" : evidenceOf(readNumbers(cells));
  });
}
