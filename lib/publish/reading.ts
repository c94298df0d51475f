import type { ColumnNote } from "@/lib/schemas/publish";

/** How one column of the source becomes a column of the stage. */
export interface ColumnPlan {
  name: string;
  type: string;
  /** SQL over the relation's columns. */
  value: string;
  /**
   * SQL condition over the source and over `v`, the value made once; false where a value does not fit. Undefined where
   * all do by nature.
   */
  fits: ((v: string) => string) | undefined;
  /** SQL that shows the source's value as text, for messages. */
  shown: string;
}

/** A source that DuckDB can read, with what is known of its columns. */
export interface Reading {
  /** SQL of a relation in the file's order. */
  relation: string;
  columns: ColumnPlan[];
  /** How many rows there must be, where something else than DuckDB counted them. */
  rows?: number;
  /** Better plans for columns whose values did not fit, made from all rows; undefined where the type was declared. */
  replan?(misfits: readonly number[]): Promise<ColumnPlan[] | undefined>;
}

export const noteOf = (notes: readonly ColumnNote[], name: string): ColumnNote | undefined =>
  notes.find((note) => note.name === name);
