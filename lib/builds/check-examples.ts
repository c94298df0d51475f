import type { CheckResult } from "./plan";
import type { ChecksRun } from "./run-checks";
import { textSql } from "./steps/cell-rule";

const CELL_CHARACTERS = 200;
/** Number of columns that identify rows of a table without a primary key. */
const FIRST_COLUMNS = 3;
/** Maximum number of columns that a check looked at; if there are more, those with missing values come first. */
const LOOKED_MAX = 16;

type Examples = CheckResult["examples"];
type Cells = Examples[number]["cells"];

/**
 * The failures that a check found, each with a row number or null and its values, preceded by the cells that identify
 * the row: those of the primary key or the first columns.
 */
export async function examplesOf(
  run: Pick<ChecksRun, "bench" | "stored" | "relation" | "primaryKey">,
  names: readonly string[],
  found: readonly (string | null)[][],
): Promise<Examples> {
  const examples = found.map(([row = null, ...values]) => ({ row: row === null ? null : Number(row), values }));
  const keysByRow = await identifyingCells(
    run,
    names,
    examples.flatMap(({ row }) => row ?? []),
  );
  return examples.map(({ row, values }) => {
    const shown = values.map(cut);
    return { row, values: shown, cells: { ...(row === null ? {} : keysByRow.get(row)), ...lookedAt(names, shown) } };
  });
}

function lookedAt(names: readonly string[], values: readonly (string | null)[]): Cells {
  const cells = names.map((name, at): [string, string | null] => [name, values[at] ?? null]);
  if (cells.length <= LOOKED_MAX) return Object.fromEntries(cells);
  const [missing, others] = [cells.filter(([, value]) => value === null), cells.filter(([, value]) => value !== null)];
  return Object.fromEntries([...missing, ...others].slice(0, LOOKED_MAX));
}

const cut = (value: string | null): string | null => value?.slice(0, CELL_CHARACTERS) ?? null;

/** The cells that identify rows, by row number, without those that are shown anyway. */
async function identifyingCells(
  { bench, stored, relation, primaryKey }: Parameters<typeof examplesOf>[0],
  shown: readonly string[],
  rows: readonly number[],
): Promise<Map<number, Cells>> {
  const others = relation.columns.flatMap((column, index) => (shown.includes(column.name) ? [] : [{ column, index }]));
  const keys = others.filter(({ column }) => primaryKey.includes(column.name));
  const identifying = primaryKey.length > 0 ? keys : others.slice(0, FIRST_COLUMNS);
  if (rows.length === 0 || identifying.length === 0) return new Map();
  const cells = identifying.map(({ column, index }) => `CAST(${textSql(`c${index}`, column)} AS VARCHAR)`).join(", ");
  const numbers = rows.map((row) => row - 1).join(", ");
  const found = await bench.rows(`SELECT CAST(p + 1 AS VARCHAR), ${cells} FROM ${stored} WHERE p IN (${numbers})`);
  return new Map(
    found.map(([row, ...values]) => [
      Number(row),
      Object.fromEntries(identifying.map(({ column }, at) => [column.name, cut(values[at] ?? null)])),
    ]),
  );
}
