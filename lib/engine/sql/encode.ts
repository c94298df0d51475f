import { parseStorageType, type StorageType } from "@/lib/engine/types/storage-type";
import { quoteLiteral } from "./identifier";
import { isJsonSql } from "./json-text";

/** A column to encode: the SQL that reads it, its service type and its DuckDB type. */
export interface EncodedColumn {
  name: string;
  ref: string;
  type: string;
  storage: string;
}

export interface Encoding {
  /** Whether int64, uint64 and decimal values travel as strings. */
  int64AsText: boolean;
}

/** How a value becomes JSON: through one `to_json` of a whole run of columns, or as JSON text of its own. */
interface Piece {
  key: string;
  sql: string;
  isText: boolean;
}

const NATIVE = new Set([
  "BOOLEAN",
  "TINYINT",
  "SMALLINT",
  "INTEGER",
  "UTINYINT",
  "USMALLINT",
  "UINTEGER",
  "VARCHAR",
  "DATE",
  "UUID",
]);

/**
 * SQL for a row's JSON object as text, in the contract's forms. Neighbouring columns share one `to_json`, which is
 * several
 * times quicker than a cast for each; what it would not write exactly (decimals, json, nested values of such) is
 * spliced in.
 */
export function rowJson(columns: readonly EncodedColumn[], encoding: Encoding): string {
  const floats = columns.filter((column) => column.type === "float32" || column.type === "float64");
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
  if (column.type === "json") return { key: column.name, sql: jsonColumn(column.ref), isText: true };
  const storage = parseStorageType(column.storage);
  if (!storage) throw new Error(`Cannot encode the type ${column.storage}`);
  if (isNative(storage, encoding)) return { key: column.name, sql: column.ref, isText: false };
  const isText = storage.kind !== "scalar" || isExactDecimal(storage.name, encoding);
  return {
    key: column.name,
    sql: isText ? jsonText(storage, column.ref, encoding, 0) : wireValue(storage.name, column.ref, encoding, guarded),
    isText,
  };
}

/** Whether `to_json` writes the type's values in the contract's form by itself. */
function isNative(storage: StorageType, encoding: Encoding): boolean {
  if (storage.kind === "list") return isNative(storage.item, encoding);
  if (storage.kind === "struct") return storage.fields.every((field) => isNative(field.type, encoding));
  return (
    NATIVE.has(storage.name) ||
    (!encoding.int64AsText && (isWide(storage.name) || /^DECIMAL\(\d+,0\)$/.test(storage.name)))
  );
}

function isWide(name: string): boolean {
  return name === "BIGINT" || name === "UBIGINT";
}

function isExactDecimal(name: string, encoding: Encoding): boolean {
  return name.startsWith("DECIMAL") && !encoding.int64AsText;
}

/** A scalar in a form that `to_json` writes as the contract asks. */
function wireValue(name: string, ref: string, encoding: Encoding, guarded: boolean): string {
  if (name.startsWith("DECIMAL")) return encoding.int64AsText ? decimalText(name, ref) : ref;
  if (isWide(name)) return encoding.int64AsText ? `CAST(${ref} AS VARCHAR)` : ref;
  if (name === "FLOAT" || name === "DOUBLE") return floatValue(name, ref, guarded);
  if (name.startsWith("TIMESTAMP")) return timestampValue(name, ref);
  if (name === "TIME") return timeValue(ref);
  if (name === "BLOB") return `to_base64(${ref})`;
  if (name === "JSON") return ref;
  return `CAST(${ref} AS VARCHAR)`;
}

/** All digits of a decimal. One with no digit before the point is written without its zero by DuckDB: `.5`, `-.5`. */
function decimalText(name: string, ref: string): string {
  const text = `CAST(${ref} AS VARCHAR)`;
  const [, precision, scale] = /^DECIMAL\((\d+),(\d+)\)$/.exec(name) ?? [];
  if (precision !== scale) return text;
  return `CASE WHEN ${ref} < 0 THEN replace(${text}, '-.', '-0.') ELSE '0' || ${text} END`;
}

/** FLOAT is widened by way of its own shortest text, so that 0.1 stays 0.1. */
function floatValue(name: string, ref: string, guarded: boolean): string {
  const finite = name === "FLOAT" ? `CAST(CAST(${ref} AS VARCHAR) AS DOUBLE)` : ref;
  if (!guarded) return finite;
  return (
    `CASE WHEN isfinite(${ref}) THEN to_json(${finite}) WHEN isnan(${ref}) THEN to_json('NaN') WHEN ${ref} > 0 ` +
    `THEN to_json('Infinity') WHEN ${ref} < 0 THEN to_json('-Infinity') END`
  );
}

function timestampValue(name: string, ref: string): string {
  const utc =
    name === "TIMESTAMP"
      ? ref
      : name === "TIMESTAMP WITH TIME ZONE"
        ? `make_timestamp(epoch_us(${ref}))`
        : `CAST(${ref} AS TIMESTAMP)`;
  return (
    `CASE WHEN epoch_us(${ref}) % 1000000 = 0 THEN strftime(${utc}, '%Y-%m-%dT%H:%M:%SZ') ELSE strftime(${utc}, ` +
    "'%Y-%m-%dT%H:%M:%S.%fZ') END"
  );
}

/** A time has no strftime of its own; the date that carries it is not written. */
function timeValue(ref: string): string {
  const carried = `DATE '2000-01-01' + ${ref}`;
  return (
    `CASE WHEN microsecond(${ref}) % 1000000 = 0 THEN strftime(${carried}, '%H:%M:%S') ELSE strftime(${carried}, ` +
    "'%H:%M:%S.%f') END"
  );
}

/** JSON text of any value, element by element; SQL NULL for null. `depth` keeps lambda names apart. */
function jsonText(storage: StorageType, ref: string, encoding: Encoding, depth: number): string {
  if (isNative(storage, encoding)) return `CAST(to_json(${ref}) AS VARCHAR)`;
  if (storage.kind === "list") {
    const item = `x${depth}`;
    const items =
      `list_transform(${ref}, lambda ${item}: coalesce(${jsonText(storage.item, item, encoding, depth + 1)}, ` +
      "'null'))";
    return `CASE WHEN ${ref} IS NOT NULL THEN concat('[', array_to_string(${items}, ','), ']') END`;
  }
  if (storage.kind === "struct") {
    const fields = storage.fields.map(
      ({ name, type }) =>
        `${quoteLiteral(`${JSON.stringify(name)}:`)}, ` +
        `coalesce(${jsonText(type, `struct_extract(${ref}, ${quoteLiteral(name)})`, encoding, depth + 1)}, ` +
        "'null')",
    );
    return `CASE WHEN ${ref} IS NOT NULL THEN concat('{', ${fields.join(", ',', ")}, '}') END`;
  }
  if (storage.name === "JSON") return jsonColumn(`CAST(${ref} AS VARCHAR)`);
  return isExactDecimal(storage.name, encoding)
    ? decimalText(storage.name, ref)
    : `CAST(to_json(${wireValue(storage.name, ref, encoding, true)}) AS VARCHAR)`;
}

/** Stored JSON text as it stands, so that its numbers keep their digits; line breaks in JSON are white space alone. */
function jsonColumn(ref: string): string {
  return (
    `CASE WHEN ${isJsonSql(ref)} THEN translate(${ref}, chr(10) || chr(13), '  ') ELSE CAST(to_json(CAST(${ref} ` +
    "AS VARCHAR)) AS VARCHAR) END"
  );
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

/** The braces of the whole object that a run keeps. */
interface Braces {
  opens: boolean;
  closes: boolean;
}

/**
 * A brace is dropped from the front by `ltrim`, which stops at once (a key's quote follows); from the end only by
 * counting characters.
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
