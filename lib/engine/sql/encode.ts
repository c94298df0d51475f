import { columnTypeOf } from "@/lib/engine/types/column-types";
import { type ValueType, valueTypeOf } from "@/lib/engine/types/value-type";
import { quoteLiteral } from "./identifier";

/** A column to encode: the SQL that reads it, its service type and its DuckDB type. */
export interface EncodedColumn {
  name: string;
  ref: string;
  type: string;
  storage: string;
}

export interface Encoding {
  /** Whether int64, uint64 and decimal values are sent as strings. */
  int64AsText: boolean;
  /** The form of a row; JSON by default. */
  form?: RowForm;
}

/** How a row becomes text, and the separator between two rows: two bytes without a quote. */
export interface RowForm {
  row(columns: readonly EncodedColumn[], encoding: Encoding): string;
  separator: ",\n" | "\r\n";
}

/** How a value becomes JSON: by one `to_json` for a run of columns, or as separate JSON text. */
interface Piece {
  key: string;
  sql: string;
  isText: boolean;
}

/**
 * SQL for a row's JSON object as text, in the contract's forms. Neighbouring columns share one `to_json`, which is
 * several times faster than one cast each. Values that it would not write exactly (decimals, json and values that
 * contain them) are spliced in.
 */
export function rowJson(columns: readonly EncodedColumn[], encoding: Encoding): string {
  const floats = columns.filter((column) => columnTypeOf(column).number?.isFloat);
  const plain = joinPieces(columns.map((column) => piece(column, encoding, false)));
  if (floats.length === 0) return plain;
  const guarded = joinPieces(columns.map((column) => piece(column, encoding, true)));
  return `CASE WHEN ${floats.map(({ ref }) => `NOT isfinite(${ref})`).join(" OR ")} THEN ${guarded} ELSE ${plain} END`;
}

/** SQL for one value's JSON text; null is the text `null`. */
export function valueJson(column: EncodedColumn, encoding: Encoding): string {
  const { sql, isText } = piece(column, encoding, true);
  return isText ? `coalesce(${sql}, 'null')` : `coalesce(CAST(to_json(${sql}) AS VARCHAR), 'null')`;
}

function piece(column: EncodedColumn, encoding: Encoding, guarded: boolean): Piece {
  const { name: key, ref } = column;
  const type = valueTypeOf(column);
  if (isNative(type, encoding)) return { key, sql: ref, isText: false };
  if (type.kind !== "scalar") return { key, sql: nestedText(type, ref, encoding, 0), isText: true };
  return { key, ...scalar(type, ref, encoding, { isNested: false, isGuarded: guarded }) };
}

type ScalarType = Extract<ValueType, { kind: "scalar" }>;

/** Whether `to_json` writes the type's values in the contract's form without help. */
function isNative(type: ValueType, encoding: Encoding): boolean {
  if (type.kind === "list") return isNative(type.item, encoding);
  if (type.kind === "struct") return type.fields.every((field) => isNative(field.type, encoding));
  const { json } = type.type;
  return !json.value && !json.text && !(json.digits && encoding.int64AsText);
}

/** A value in the form given by its type's row: a value for `to_json`, or its JSON text. */
function scalar(
  { type, storage }: ScalarType,
  ref: string,
  { int64AsText }: Encoding,
  { isNested, isGuarded }: { isNested: boolean; isGuarded: boolean },
): { sql: string; isText: boolean } {
  const { json } = type;
  if (int64AsText && json.digits) return { sql: json.digits(ref), isText: false };
  if (json.text) return { sql: json.text(ref, isNested), isText: true };
  return { sql: json.value?.(ref, storage, isGuarded) ?? ref, isText: false };
}

/** JSON text of any value, element by element; SQL NULL for null. `depth` keeps lambda names distinct. */
function nestedText(type: ValueType, ref: string, encoding: Encoding, depth: number): string {
  if (isNative(type, encoding)) return `CAST(to_json(${ref}) AS VARCHAR)`;
  if (type.kind === "list") {
    const item = `x${depth}`;
    const items =
      `list_transform(${ref}, lambda ${item}: coalesce(${nestedText(type.item, item, encoding, depth + 1)}, ` +
      "'null'))";
    return `CASE WHEN ${ref} IS NOT NULL THEN concat('[', array_to_string(${items}, ','), ']') END`;
  }
  if (type.kind === "struct") {
    const fields = type.fields.map(
      (field) =>
        `${quoteLiteral(`${JSON.stringify(field.name)}:`)}, ` +
        `coalesce(${nestedText(field.type, memberOf(ref, field.name), encoding, depth + 1)}, ` +
        "'null')",
    );
    return `CASE WHEN ${ref} IS NOT NULL THEN concat('{', ${fields.join(", ',', ")}, '}') END`;
  }
  const { sql, isText } = scalar(type, ref, encoding, { isNested: true, isGuarded: true });
  return isText ? sql : `CAST(to_json(${sql}) AS VARCHAR)`;
}

function joinPieces(pieces: readonly Piece[]): string {
  const runs = pieces.reduce<Piece[][]>((all, next) => {
    const last = all.at(-1);
    if (last && !last[0]?.isText && !next.isText) last.push(next);
    else all.push([next]);
    return all;
  }, []);
  const [only] = runs;
  if (only && runs.length === 1 && !only[0]?.isText) return objectJson(only);
  const parts = runs.map((run, at) => runText(run, { opens: at === 0, closes: at === runs.length - 1 }));
  return `concat(${parts.join(", ',', ")})`;
}

/** The braces of the row's object that a run keeps. */
interface Braces {
  opens: boolean;
  closes: boolean;
}

/**
 * `ltrim` drops a leading brace and stops immediately, since a key's quote follows. A trailing brace can only be
 * dropped by counting characters.
 */
function runText(run: readonly Piece[], { opens, closes }: Braces): string {
  const [first] = run;
  if (first?.isText) {
    const key = quoteLiteral(`${opens ? "{" : ""}${JSON.stringify(first.key)}:`);
    return `${key}, coalesce(${first.sql}, 'null')${closes ? ", '}'" : ""}`;
  }
  const object = opens ? objectJson(run) : `ltrim(${objectJson(run)}, '{')`;
  return closes ? object : `left(${object}, -1)`;
}

function objectJson(run: readonly Piece[]): string {
  return `CAST(to_json({${run.map(({ key, sql }) => `${quoteLiteral(key)}: ${sql}`).join(", ")}}) AS VARCHAR)`;
}

const memberOf = (ref: string, name: string): string => `struct_extract(${ref}, ${quoteLiteral(name)})`;
