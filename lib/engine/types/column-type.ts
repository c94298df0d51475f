import type { ExactNumber, Quantised } from "./exact-number";

/**
 * A filter value, parsed for its column's type. `text` is the string that DuckDB casts. Types with whole coefficients
 * also have `quantised`.
 */
export interface FilterValue {
  text: string;
  exact?: ExactNumber;
  quantised?: Quantised;
}

export type ReadValue = FilterValue | { rejected: string };

/**
 * Which operators and functions apply; types of one family differ in how they are stored and written. `opaque` supports
 * only the null operators.
 */
export type Family = "numeric" | "text" | "boolean" | "date" | "timestamp" | "uuid" | "time" | "opaque";

/**
 * THE row of a column type: everything that any layer needs to know about it. A new type is one such row and its line
 * in `column-types.ts`. Types with parameters build rows (`decimals.ts`, `lists.ts`). Data and pure functions only.
 */
export interface ColumnType {
  /** The name as schemas spell it, with its parameters: `decimal(9,2)`. */
  name: string;
  family: Family;
  /**
   * DuckDB's name for the type that values are stored and cast as. Undefined for a struct, whose fields are given by
   * the column's storage.
   */
  duckdb: string | undefined;
  /** Other names that DuckDB may give values of this type before publishing, or inside nested ones. */
  alsoStored?: readonly string[];
  /** Item type of a list. */
  item?: ColumnType;
  /** For numbers. A binary float has NaN, infinities and two zeros, and no scale. */
  number?: { isFloat: true; bits: 32 | 64 } | { isFloat: false; scale: number };
  json: JsonForm;
  columnar: ColumnarForm;
  /** Parses a scalar of a filter, which is never null. Not called for opaque types. */
  readFilter(raw: unknown): ReadValue;
  /**
   * Compares two strings as DuckDB would cast them, for the bounds in a Parquet footer. Undefined if they cannot be
   * ordered.
   */
  compareTexts(a: string, b: string): number | undefined;
  source: SourceForm;
  profile: ProfileForm;
  view: ViewForm;
  vocabulary: TypeVocabulary;
}

/**
 * How a value becomes JSON in SQL. Without `value` and `text`, DuckDB's `to_json` already writes the column correctly.
 */
export interface JsonForm {
  kind: "number" | "string" | "boolean" | "array" | "object" | "any";
  /**
   * SQL of a value that `to_json` writes in the contract's form. `storage` is DuckDB's name. With `isGuarded`, it also
   * covers NaN and infinities.
   */
  value?(ref: string, storage: string, isGuarded: boolean): string;
  /** SQL of the value's JSON text, where `to_json` would not write it exactly. */
  text?(ref: string, isNested: boolean): string;
  /**
   * SQL of all its digits as a string, as requested by `int64: "string"`. Present for numbers that a double may not
   * hold exactly.
   */
  digits?(ref: string): string;
  /** Whether values may be long, so that previews cut them. */
  isLong?: true;
}

/** How Arrow and Parquet hold a value; `lib/formats` maps the kinds to its writers. */
export type ColumnarForm =
  | { kind: "boolean" | "text" | "json" | "binary" | "uuid" }
  | { kind: "date" }
  | { kind: "time" }
  | { kind: "timestamp" }
  /** `read` parses the whole number from a JSON string; without it the JSON is a number. */
  | { kind: "integer"; bits: 8 | 16 | 32 | 64; isSigned: boolean; read?(text: string): bigint }
  | { kind: "float"; bits: 32 | 64 }
  | { kind: "decimal"; precision: number; scale: number }
  | { kind: "nested" };

/** SQL over a text expression `x` that is not null, and over `v`, the value computed from it. */
export interface CellForm {
  value(x: string): string;
  /** Whether the text represents exactly that value. */
  fits(x: string, v: string): string;
}

/** How a text cell is recognised as a value of a type that nobody declared. */
export interface GuessedForm extends CellForm {
  /** The same condition as `fits`, for inspections: both must agree on every text. */
  matches(text: string): boolean;
}

/** How publishers' files are read as this type. */
export interface SourceForm {
  /** Text cells of a column that is declared to have the type; absent if text cannot be read as this type. */
  declared?: CellForm;
  /** Text cells of a column without a declared type. Stricter; absent if the type is never inferred. */
  guessed?: GuessedForm;
  /**
   * Text cells of a column whose type was decided by earlier cells, if that is stricter than `declared`: nobody chose
   * to round these.
   */
  kept?: CellForm;
  /** DuckDB's name while publishing, if it differs from the stored one. */
  staged?: string;
  /** SQL condition that a typed value of a file must meet to be cast to this type. */
  castable?(value: string): string;
  /** SQL of the least and the greatest value that every client can hold. */
  range?: readonly [low: string, high: string];
  /** Whether equal values have only one written form, so that they can be a primary key. */
  isKey: boolean;
}

/** What a profile contains for a column of the type. */
export interface ProfileForm {
  /** Whether the profile has a minimum and a maximum. */
  isOrdered?: true;
  /** Whether the profile counts distinct and most frequent values. */
  isCounted?: true;
  hasMoments?: true;
  countsTrue?: true;
  /** Quantiles, and a histogram with bins of this kind. */
  histogram?: "whole" | "real" | "day" | "instant";
  length?: { unit: "characters" | "bytes" | "items"; sql(ref: string): string };
  /** SQL: whether a value can be shown. */
  isShown?(ref: string, lengthMax: number): string;
}

/** How pages show and accept values; components map these kinds. */
export interface ViewForm {
  /** The scale of values on an axis. */
  measure: "number" | "time" | "clock" | "category";
  /** The input that filter values are typed into. */
  editor: "number" | "truth" | "text";
  /** How the order is worded: a day is after another, a string sorts after another; if absent, a value is greater. */
  order?: "days" | "instants" | "texts";
  /** Placeholder for the empty field. */
  hint: string;
  /** The most common operator, preselected. */
  usual: "eq" | "gte";
  /** Length of a typical value in characters, used without a profile. */
  width: number;
  /** Whether values are instants in UTC, shown to people without the T and the Z. */
  isInstant?: true;
  /** A filter value in DuckDB's SQL. `quoted` is its string as a literal, `cast` the type that DuckDB casts it to. */
  literal?(quoted: string, cast: string): string;
}

/** Its names in other vocabularies and in the docs. */
export interface TypeVocabulary {
  /** A schema.org class, as Croissant expects it. */
  croissant: string;
  /** A field's type in Table Schema 2.0 (Data Package). */
  frictionless: { type: string; format?: string; itemType?: string };
  /** Its form in JSON. */
  form: string;
  example: string;
  /** The common name for the types of its kind, if there are several. */
  plural?: string;
}

/** Types built by one function: a single type, or all types of a kind with parameters. */
export interface TypeFamily {
  /** How lists of types name it: `decimal(p,s)`, `int8 … int64`. */
  label: string;
  /** For the docs and tests: every type, those with parameters once. */
  examples: readonly ColumnType[];
  parse(name: string): ColumnType | undefined;
  /** The type for DuckDB's name if nothing else is known. */
  ofStorage(storage: string): ColumnType | undefined;
}

/** A family of types without parameters. */
export function plainTypes(label: string, ...rows: readonly ColumnType[]): TypeFamily {
  return {
    label,
    examples: rows,
    parse: (name) => rows.find((row) => row.name === name),
    ofStorage: (storage) => rows.find((row) => row.duckdb === storage || row.alsoStored?.includes(storage)),
  };
}
