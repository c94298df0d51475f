/** Decisions that a sample made once, so that refreshes do not make them again. Stored with the revision. */
export interface Lock {
  made_from_run: string;
  /** By table name: the columns of the result. */
  columns: Readonly<Record<string, LockedColumn[]>>;
  /** Columns whose type was given neither by a step nor by a promise. */
  inferred: { table: string; column: string; type: string; why: string }[];
  /** By locale: month names in lower case, long and short, twelve each. */
  months: Readonly<Record<string, MonthNames>>;
  /** By JSON Pointer of a column set: the names that it resolved to in the sample. Each run resolves it again. */
  sets: Readonly<Record<string, string[]>>;
  /** By source name: the columns that arrived, with their types. */
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
