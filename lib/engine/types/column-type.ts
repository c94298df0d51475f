import type { ReadValue } from "./filter-value";

/**
 * Which operators and functions apply; types of one family differ in how they are stored and written. `opaque` knows
 * null alone.
 */
export type Family = "numeric" | "text" | "boolean" | "date" | "timestamp" | "uuid" | "time" | "opaque";

/**
 * THE row of a column type: everything that any floor has to know of it. A new type is such a row and its line in
 * `column-types.ts`; types with parameters make rows (`decimals.ts`, `lists.ts`). Data and pure functions only.
 */
export interface ColumnType {
  /** As a schema spells it, with its parameters: `decimal(9,2)`. */
  name: string;
  family: Family;
  /**
   * DuckDB's name, which values are stored and cast as. Undefined for a struct, whose fields a column's storage names.
   */
  duckdb: string | undefined;
  /** Other names that DuckDB may give values of this type before publishing, or inside nested ones. */
  alsoStored?: readonly string[];
  /** Of a list. */
  item?: ColumnType;
  /** Of numbers. A binary float has NaN, infinities and two zeros, and no scale. */
  number?: { isFloat: true; bits: 32 | 64 } | { isFloat: false; scale: number };
  json: JsonForm;
  columnar: ColumnarForm;
  /** Reads one scalar of a filter, never null. Opaque types are not asked. */
  readFilter(raw: unknown): ReadValue;
  /**
   * Orders two texts as DuckDB casts them, for the bounds of a Parquet footer. Undefined where the texts cannot tell.
   */
  compareTexts(a: string, b: string): number | undefined;
  source: SourceForm;
  profile: ProfileForm;
  view: ViewForm;
  words: TypeWords;
}

/**
 * How a value becomes JSON in SQL. Without `value` and `text`, DuckDB's `to_json` writes the column rightly by itself.
 */
export interface JsonForm {
  kind: "number" | "string" | "boolean" | "array" | "object" | "any";
  /**
   * SQL that `to_json` writes in the contract's form. `storage` is DuckDB's name; `isGuarded` asks for NaN and
   * infinities too.
   */
  value?(ref: string, storage: string, isGuarded: boolean): string;
  /** SQL of the value's JSON text, where `to_json` would not write it exactly. */
  text?(ref: string, isNested: boolean): string;
  /**
   * SQL of all its digits as a string, which `int64: "string"` asks for; present for numbers that a double may not
   * hold.
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
  /** `read` makes the whole number out of a JSON string; without it the JSON is a number. */
  | { kind: "integer"; bits: 8 | 16 | 32 | 64; isSigned: boolean; read?(text: string): bigint }
  | { kind: "float"; bits: 32 | 64 }
  | { kind: "decimal"; precision: number; scale: number }
  | { kind: "nested" };

/** SQL over a text expression `x` that is not null, and over `v`, the value made once. */
export interface CellForm {
  value(x: string): string;
  /** Whether the text stands for exactly that value. */
  fits(x: string, v: string): string;
}

/** How files of publishers are read as this type. */
export interface SourceForm {
  /** Text cells of a column that is declared to be of the type; absent where text cannot be read as it. */
  declared?: CellForm;
  /** Text cells of a column without a declared type, stricter; absent where the type is never guessed. */
  guessed?: CellForm;
  /** DuckDB's name while publishing, where it is another one than stored. */
  staged?: string;
  /** SQL that a typed value of a file must meet to be cast to this type. */
  castable?(value: string): string;
  /** SQL of the least and the greatest value that every client can hold. */
  range?: readonly [low: string, high: string];
  /** Whether equal values are written in one way alone, so that they can be a primary key. */
  isKey: boolean;
}

/** What a profile tells of a column. */
export interface ProfileForm {
  /** Has a least and a greatest value. */
  isOrdered?: true;
  /** Its values are counted: distinct and commonest ones. */
  isCounted?: true;
  hasMoments?: true;
  countsTrue?: true;
  /** Quantiles, and a histogram whose bins are cut so. */
  histogram?: "whole" | "real" | "day" | "instant";
  length?: { unit: "characters" | "bytes" | "items"; sql(ref: string): string };
  /** SQL: whether a value can be shown. */
  isShown?(ref: string, lengthMax: number): string;
}

/** How pages show and take values; components map these kinds. */
export interface ViewForm {
  /** How values lie on an axis. */
  measure: "number" | "time" | "clock" | "category";
  /** What values of filters are typed into. */
  editor: "number" | "truth" | "text";
  /** What order is called: a day is after another, a text sorts after it; without it, a value is greater. */
  order?: "days" | "instants" | "texts";
  /** An example inside the empty field. */
  hint: string;
  /** The operator that is asked for most. */
  usual: "eq" | "gte";
  /** Characters of a usual value, where no profile tells. */
  width: number;
  /** Whether values are instants in UTC, written for people without the T and the Z. */
  isInstant?: true;
  /** A filter's value in DuckDB's SQL. `quoted` is its string as a literal, `cast` what DuckDB casts to the type. */
  literal?(quoted: string, cast: string): string;
}

/** What other vocabularies and the docs call it. */
export interface TypeWords {
  /** A schema.org class, as Croissant takes it. */
  croissant: string;
  /** A field's type in Table Schema 2.0 (Data Package). */
  frictionless: { type: string; format?: string; itemType?: string };
  /** How a value travels in JSON. */
  form: string;
  example: string;
  /** What the types of its kind are called together, where they are several. */
  plural?: string;
}

/** Types that one function makes: one alone, or all of a kind with parameters. */
export interface TypeFamily {
  /** How lists of types name it: `decimal(p,s)`, `int8 … int64`. */
  label: string;
  /** For the docs and tests: every type, those with parameters once. */
  examples: readonly ColumnType[];
  parse(name: string): ColumnType | undefined;
  /** The type that DuckDB's name stands for where nothing else is known. */
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
