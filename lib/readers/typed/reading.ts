import type { LeftOut } from "@/lib/readers/left-out";
import type { ColumnNote } from "@/lib/schemas/publish";

/** How one column of the source becomes a column of the stage. */
export interface ColumnPlan {
  name: string;
  type: string;
  /** SQL over the relation's columns. */
  value: string;
  /**
   * SQL condition over the source and over `v`, the computed value; false if a value does not fit. Undefined if every
   * value fits.
   */
  fits: ((v: string) => string) | undefined;
  /** The same for any cell `x` with the text that `shown` has, whose value it computes itself. Absent if there is no text. */
  cellFits?(x: string): string;
  /** SQL that shows the source's value as text, for messages. */
  shown: string;
  /** What to do about a value that does not fit, if declaring another type is no way on. */
  advice?: string;
}

/** A source that DuckDB can read, with what is known about its columns. */
export interface Reading {
  /** SQL of a relation in the file's order. */
  relation: string;
  columns: ColumnPlan[];
  /** Set if its values are text in the file, so that they take about as much space without compression. */
  isText?: true;
  /** The expected number of rows, if counted by something other than DuckDB. */
  rows?: number;
  /** What is left out of the file. */
  leftOut?: LeftOut[];
  /** A file that was made for reading, to be removed after it. */
  copy?: string;
  /** What DuckDB could not read, and where, if reading fails by the file's fault. */
  unreadable?(error: Error): Promise<Error>;
  /** Better plans for columns whose values did not fit, based on all rows; undefined if the type was declared. */
  replan?(castErrors: readonly number[]): Promise<ColumnPlan[] | undefined>;
}

export const noteOf = (notes: readonly ColumnNote[], name: string): ColumnNote | undefined =>
  notes.find((note) => note.name === name);
