import { columnTypeOf } from "@/lib/engine/types/column-types";
import { hasSignedZeros, negativeZeroSql, zeroSignsSql } from "@/lib/engine/types/zero-signs";
import { type Bench, onlyRow } from "@/lib/readers/bench";
import type { ColumnPlan } from "@/lib/readers/typed/reading";
import { aggregateByColumns, isWideCells } from "@/lib/readers/typed/wide-cells";

/** DuckDB's planning time grows with the square of a statement's columns. */
const COLUMNS_AT_ONCE = 32;

/** SQL: whether a row has a negative zero, over the computed values of its columns. */
export function negativeZeroInRow(columns: readonly ColumnPlan[], ref: (index: number) => string): string {
  const tests = signedColumns(columns).map(({ index, storage }) => negativeZeroSql(ref(index), storage));
  return tests.length === 0 ? "false" : tests.join(" OR ");
}

/** Whether the table `stage` has a negative zero. */
export async function hasNegativeZeros(bench: Bench, columns: readonly ColumnPlan[]): Promise<boolean> {
  const tests = signedColumns(columns).map(({ index, storage }) => [
    `bool_or(${negativeZeroSql(`c${index}`, storage)})::VARCHAR`,
  ]);
  return (await aggregateByColumns(bench, "stage", tests)).some(([found]) => found === "true");
}

/** Whether the table `stage` has every zero with the sign that the relation gives it. Both are read completely. */
export async function areZerosKept(bench: Bench, relation: string, columns: readonly ColumnPlan[]): Promise<boolean> {
  const signed = signedColumns(columns);
  for (let from = 0; from < signed.length; from += COLUMNS_AT_ONCE) {
    const batch = signed.slice(from, from + COLUMNS_AT_ONCE);
    const signs = batch.map(({ index, storage }) => `CAST(${zeroSignsSql(`c${index}`, storage, "n")} AS VARCHAR)`);
    const values = batch.map(({ index }) => `${columns[index]?.value} AS c${index}`);
    const position = isWideCells(relation) ? "rowid" : "row_number() OVER () - 1";
    const source = `(SELECT ${values.join(", ")}, ${position} AS n FROM ${relation})`;
    const found = await onlyRow(bench, `SELECT ${signs.join(", ")} FROM ${source}`);
    const stored = await onlyRow(
      bench,
      `SELECT ${signs.join(", ")} FROM ` +
        `(SELECT ${batch.map(({ index }) => `c${index}`).join(", ")}, rowid AS n FROM stage)`,
    );
    if (found.join() !== stored.join()) return false;
  }
  return true;
}

interface SignedColumn {
  index: number;
  storage: string;
}

/** The columns whose values may be or contain zeros of both signs. A struct's fields are not known here. */
function signedColumns(columns: readonly ColumnPlan[]): SignedColumn[] {
  return columns.flatMap(({ type }, index) => {
    const { duckdb: storage = "STRUCT" } = columnTypeOf({ type });
    return storage === "STRUCT" || hasSignedZeros(storage) ? [{ index, storage }] : [];
  });
}
