/** Decisions that a sample made once, so that no refresh makes them again. Stored with the revision. */
export interface Lock {
  made_from_run: string;
  /** By table name: the columns of the result. */
  columns: Readonly<Record<string, LockedColumn[]>>;
  /** Columns whose type no step and no promise gave. */
  inferred: { table: string; column: string; type: string; why: string }[];
  /** By locale: month names in lower case, long and short, twelve each. */
  months: Readonly<Record<string, MonthNames>>;
  /** By JSON Pointer of a column set: the names that it stood for. */
  sets: Readonly<Record<string, string[]>>;
  /** By source name: what arrived, typed. */
  source_columns: Readonly<Record<string, SourceColumn[]>>;
}

export interface LockedColumn {
  name: string;
  type: string;
  storage: string;
  nullable: boolean;
}

export interface MonthNames {
  long: string[];
  short: string[];
}

/** A column as it arrives from a source: cells of text formats are `string`. `storage` is DuckDB's name. */
export interface SourceColumn {
  name: string;
  type: string;
  storage: string;
}
