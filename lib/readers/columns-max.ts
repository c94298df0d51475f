import { mismatch, type ReadFailure } from "./failure";

/** Columns that a table may have. */
export const COLUMNS_MAX = 10_000;

/** Refuses a file for its width; `what` is the subject of the sentence, such as `Line 1`. */
export const tooManyColumns = (what: string, columns: number | string, row?: number): ReadFailure =>
  mismatch(
    `${what} has ${columns} columns, and a table may have ${COLUMNS_MAX}. Write one row for each value, with the ` +
      "column's name in a column of its own, or split the file by columns.",
    row,
  );
