import type { JsonKind } from "./json/json-members";
import type { LeftOut } from "./left-out";

/** What the sandbox's readers made of a source: its cells, or Parquet written by our own DuckDB. */
export interface StagedSource {
  name: string;
  ordinal: number;
  /**
   * `text` and `json`: one CSV file without a header, in UTF-8, RFC 4180, whose records are `row,part,cell,cell,…`.
   * `row` is the number that a person sees when opening the file (line of the record's start, row of the sheet, index
   * in the array), `part` counts `parts` from 0. A bare empty cell is null, `""` an empty string. In `json` strings
   * carry the mark `s` before their first character; other values are their own JSON text, objects and arrays quoted; a
   * missing member or null is bare. Records of `json` may end early. `parquet`: one file for each part.
   */
  form: "text" | "json" | "parquet";
  files: string[];
  columns: StagedColumn[];
  /** The number of rows written to `files`, which DuckDB must find too. */
  rows: number;
  /** Rows of the entire source, if reading ended early; null if unknown. */
  rowsOf: number | null;
  /** Length of the CSV file's longest record, in bytes. */
  longestBytes: number;
  parts: { partition: string | null; member: string | null }[];
  /** What the reader left out, by cause. */
  leftOut: LeftOut[];
}

export interface StagedColumn {
  name: string;
  /** For `json`: the kinds of the values, without nulls; empty for a column of only nulls. */
  kinds?: JsonKind[];
  /** For `json`: the kinds of the items of arrays. */
  items?: JsonKind[];
}
