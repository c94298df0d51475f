/** A column of a table as the database in the browser has it. */
export interface SqlColumn {
  name: string;
  /** The column's type in the catalogue: `timestamp`. */
  type: string;
  /** DuckDB's type: `TIMESTAMP`. */
  sql: string;
  /** About how many bytes its values take in memory. */
  bytes: number;
}

/** A version of a table that queries may name. */
export interface SqlTable {
  /** Its name in queries. */
  name: string;
  columns: readonly SqlColumn[];
  rows: number;
  /** The Parquet file: its URL, size and SHA-256 as 64 hex digits. */
  file: { url: string; bytes: number; sha256: string };
}

/** A column of a result. `type` is one of the catalogue's, or `string` for types that it does not have. */
export interface ResultColumn {
  name: string;
  type: string;
  /** DuckDB's type. */
  sql: string;
}

export interface Result {
  columns: readonly ResultColumn[];
  rows: number;
  milliseconds: number;
  /** Names of the tables that were read. */
  tables: readonly string[];
}

export const SAVED_FORMATS = ["csv", "parquet", "arrow"] as const;
export type SavedFormat = (typeof SAVED_FORMATS)[number];

/** What the page asks of the worker; `of`: the id of the question whose result is meant. */
export type Question =
  | { kind: "run"; tables: readonly SqlTable[]; sql: string }
  | { kind: "rows"; of: number; from: number; count: number }
  | { kind: "save"; of: number; format: SavedFormat; about: Readonly<Record<string, string>> };

/** Why a query has no result. `table` has too many bytes for this page. */
export interface SqlProblem {
  message: string;
  table?: string | undefined;
}

export type Request = Question & { id: number };

/** What the worker says while it works, and in the end. */
export type Answer =
  | { id: number; kind: "progress"; text: string }
  | { id: number; kind: "problem"; problem: SqlProblem }
  | { id: number; kind: "result"; result: Result }
  | { id: number; kind: "rows"; rows: readonly string[] }
  | { id: number; kind: "file"; file: Blob };

/** A problem that is said to the person who wrote the query. */
export class QueryProblem extends Error {
  readonly table: string | undefined;

  constructor(message: string, table?: string) {
    super(message);
    this.table = table;
  }
}
