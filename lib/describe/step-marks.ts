import type { StepRowsSide } from "@/lib/schemas/step-rows";

/** What a step changed in the rows that are shown, by index. */
export interface StepMarks {
  /** Columns and rows that are not there any more. */
  before: { columns: ReadonlySet<number>; rows: ReadonlySet<number> };
  /** New columns, columns of another type, and for each row its changed cells. */
  after: { columns: ReadonlySet<number>; retyped: ReadonlySet<number>; cells: readonly ReadonlySet<number>[] };
}

/**
 * Compares the rows before a step with those after it. Columns are recognized by their name, rows by their origin: the
 * nth one of it where the step keeps rows and their order, else only if no other row that is shown has it.
 */
export function stepMarks(before: StepRowsSide, after: StepRowsSide): StepMarks {
  const was = new Map(before.columns.map(({ name }, at) => [name, at]));
  const now = new Map(after.columns.map(({ name }, at) => [name, at]));
  const sources = after.columns.map(({ name }) => was.get(name));
  const isSameRows = after.keeps_order && before.rows === after.rows;
  const [keysBefore, keysAfter] = [before, after].map((side) => rowKeys(side.origins, isSameRows));
  const rowOf = new Map((keysBefore ?? []).flatMap((key, at) => (key === NO_KEY ? [] : [[key, at] as const])));
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
        const source = before.cells?.[rowOf.get(keysAfter?.[at] ?? NO_KEY) ?? -1];
        if (!source) return new Set<number>();
        return indexes(row, (cell, column) => {
          const from = sources[column];
          return from !== undefined && source[from] !== cell;
        });
      }),
    },
  };
}

const NO_KEY = "";

/** What recognizes each row, `NO_KEY` for one that cannot be recognized. */
function rowKeys(origins: readonly (string | null)[], isSameRows: boolean): string[] {
  const seen = new Map<string, number>();
  const nth = origins.map((origin) => {
    if (origin === null) return 0;
    const before = seen.get(origin) ?? 0;
    seen.set(origin, before + 1);
    return before;
  });
  return origins.map((origin, at) => {
    if (origin === null) return NO_KEY;
    if (isSameRows) return `${origin} ${nth[at]}`;
    return seen.get(origin) === 1 ? origin : NO_KEY;
  });
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
