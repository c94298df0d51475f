import type { StepRowsSide } from "@/lib/schemas/step-rows";

/** What a step changed in the rows that are shown, by index. */
export interface StepMarks {
  /** Columns and rows that are not there any more. */
  before: { columns: ReadonlySet<number>; rows: ReadonlySet<number> };
  /** New columns, columns of another type, and for each row its changed cells. */
  after: { columns: ReadonlySet<number>; retyped: ReadonlySet<number>; cells: readonly ReadonlySet<number>[] };
}

/** Compares the rows before a step with those after it. Rows are recognized by their origin, columns by their name. */
export function stepMarks(before: StepRowsSide, after: StepRowsSide): StepMarks {
  const was = new Map(before.columns.map(({ name }, at) => [name, at]));
  const now = new Map(after.columns.map(({ name }, at) => [name, at]));
  const sources = after.columns.map(({ name }) => was.get(name));
  const rowOf = new Map(before.origins.flatMap((origin, at) => (origin === null ? [] : [[origin, at] as const])));
  return {
    before: {
      columns: indexes(before.columns, ({ name }) => !now.has(name) && after.more_columns === 0),
      rows: goneRows(before, after),
    },
    after: {
      columns: indexes(after.columns, ({ name }) => !was.has(name) && before.more_columns === 0),
      retyped: indexes(after.columns, ({ type }, at) => {
        const source = sources[at];
        return source !== undefined && before.columns[source]?.type !== type;
      }),
      cells: (after.cells ?? []).map((row, at) => {
        const source = before.cells?.[rowOf.get(after.origins[at] ?? "") ?? -1];
        if (!source) return new Set<number>();
        return indexes(row, (cell, column) => {
          const from = sources[column];
          return from !== undefined && source[from] !== cell;
        });
      }),
    },
  };
}

/** Rows that are certainly missing: all rows after the step are shown, or it keeps their order. */
function goneRows(before: StepRowsSide, after: StepRowsSide): ReadonlySet<number> {
  const left = new Set(after.origins);
  const isWhole = after.cells !== null && after.rows === after.cells.length;
  if (left.has(null) || after.cells === null || !(isWhole || after.keeps_order)) return new Set();
  return indexes(before.origins, (origin) => origin !== null && !left.has(origin));
}

const indexes = <T>(values: readonly T[], test: (value: T, at: number) => boolean): Set<number> =>
  new Set(values.flatMap((value, at) => (test(value, at) ? [at] : [])));
