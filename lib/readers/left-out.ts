/**
 * Why a part of a file is not among its values as it stands there, as shown to people. Nothing is left out for another
 * reason.
 */
export const LEFT_OUT_CAUSES = {
  preamble: "rows before the header, left out",
  between: "rows between the header and the first row, left out",
  footer: "rows after the data, left out",
  blank_row: "rows without a value, left out",
  comment: "comment lines, left out",
  missing_cell: "cells that short rows lack, read as null",
  blank_cell: "blank cells beyond the header's columns, left out",
  cut: "cells beyond the header's columns, left out",
  dropped_column: "cells of columns that the reader drops",
  outside_range: "cells outside the range, left out",
  error_cell: "spreadsheet errors, read as null",
  formula: "formulas without a stored value, read as null",
  bad_bytes: "bytes that are invalid in the encoding, replaced",
  bad_line: "lines that are not JSON objects, left out",
  end_mark: "a Ctrl-Z that marks the end of the file, left out",
} as const;
export type LeftOutCause = keyof typeof LEFT_OUT_CAUSES;

/** Causes that lose a value which the file has among its data: they count as rejects. */
export const LOSSES: readonly LeftOutCause[] = ["cut", "error_cell", "formula", "bad_bytes", "bad_line"];

/** Something that was left out, as a person sees it in the file. */
export interface LeftOutExample {
  /** Index of the source's part, from 0. */
  part: number;
  /** Line, row of the sheet, index of the record: from 1. */
  row: number;
  /** From 1; null for an entire row. */
  column: number | null;
  /** At most 200 characters. */
  value: string;
}

/** Everything that was left out for one reason. The counts are exact. */
export interface LeftOut {
  cause: LeftOutCause;
  rows: number;
  cells: number;
  /** The first ones. */
  examples: LeftOutExample[];
}

/** The same within one file, as it is told. */
export interface LeftOutInFile extends Pick<LeftOut, "rows" | "cells"> {
  cause: string;
  examples: readonly Omit<LeftOutExample, "part">[];
}

const EXAMPLES_MAX = 1000;
const VALUE_CHARACTERS = 200;

/** Counts what is left out, and lists the first of each cause. */
export class LeftOutCount {
  private readonly found = new Map<LeftOutCause, LeftOut & { lastPart: number; lastRow: number }>();

  /** One entry for a cell (`column` from 1) or for an entire row of `cells` cells (`column` null). */
  add(cause: LeftOutCause, example: LeftOutExample, cells = 1): void {
    const entry = this.found.get(cause) ?? { cause, rows: 0, cells: 0, examples: [], lastPart: -1, lastRow: -1 };
    this.found.set(cause, entry);
    if (example.row !== entry.lastRow || example.part !== entry.lastPart) entry.rows += 1;
    entry.lastRow = example.row;
    entry.lastPart = example.part;
    entry.cells += cells;
    if (entry.examples.length < EXAMPLES_MAX)
      entry.examples.push({ ...example, value: example.value.slice(0, VALUE_CHARACTERS) });
  }

  /** By cause, in the order in which they first occurred. */
  list(): LeftOut[] {
    return [...this.found.values()].map(({ cause, rows, cells, examples }) => ({ cause, rows, cells, examples }));
  }
}

const SHOWN = 5;
const SHOWN_CHARACTERS = 60;

/** What was left out, in words, with the first rows of each cause: one sentence for each cause. */
export function leftOutInText(found: readonly LeftOutInFile[]): string[] {
  return found.map(({ cause, rows, cells, examples }) => {
    const count = examples[0]?.column == null ? rows : cells;
    const shown = examples.slice(0, SHOWN).map(({ row, column, value }) => {
      const location = column === null ? `row ${row}` : `row ${row}, column ${column}`;
      return value.trim() === "" ? location : `${location}: ${JSON.stringify(value.slice(0, SHOWN_CHARACTERS))}`;
    });
    const [first = "", ...rest] = LEFT_OUT_CAUSES[cause as LeftOutCause] ?? cause;
    const more = examples.length > shown.length ? "; …" : "";
    return `${first.toUpperCase()}${rest.join("")}: ${count} (${shown.join("; ")}${more}).`;
  });
}
