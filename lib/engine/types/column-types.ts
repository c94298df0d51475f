import { AGGREGATES } from "./aggregates";
import { OPERATORS } from "./operators";
import { parseStorageType, type StorageType } from "./storage-type";

/** A column as the engine sees it. `storage` is the DuckDB type text, which nested values need to be encoded. */
export interface EngineColumn {
  name: string;
  type: string;
  storage: string;
}

export type ColumnType =
  | { kind: "boolean" | "string" | "date" | "time" | "timestamp" | "uuid" | "binary" | "struct" | "json" }
  | { kind: "integer"; bits: number; signed: boolean }
  | { kind: "float"; bits: 32 | 64 }
  | { kind: "decimal"; precision: number; scale: number }
  | { kind: "list"; item: ColumnType };

/** What filters may do with a type; `opaque` types know null alone. */
export type Family = "numeric" | "text" | "boolean" | "date" | "timestamp" | "uuid" | "time" | "opaque";

const PLAIN: Readonly<Record<string, ColumnType>> = {
  boolean: { kind: "boolean" },
  float32: { kind: "float", bits: 32 },
  float64: { kind: "float", bits: 64 },
  string: { kind: "string" },
  date: { kind: "date" },
  time: { kind: "time" },
  timestamp: { kind: "timestamp" },
  uuid: { kind: "uuid" },
  binary: { kind: "binary" },
  struct: { kind: "struct" },
  json: { kind: "json" },
};

const INTEGERS: Readonly<Record<string, string>> = {
  int8: "TINYINT",
  int16: "SMALLINT",
  int32: "INTEGER",
  int64: "BIGINT",
  uint8: "UTINYINT",
  uint16: "USMALLINT",
  uint32: "UINTEGER",
  uint64: "UBIGINT",
};

/** Every type of the closed list, for the docs; those with parameters once, with some filled in. */
export const TYPE_EXAMPLES: readonly string[] = [
  "boolean",
  ...Object.keys(INTEGERS),
  "decimal(18,2)",
  ...Object.keys(PLAIN).filter((name) => name !== "boolean"),
  "list<string>",
];

const STORED: Readonly<Record<string, string>> = {
  boolean: "BOOLEAN",
  float32: "FLOAT",
  float64: "DOUBLE",
  string: "VARCHAR",
  date: "DATE",
  time: "TIME",
  timestamp: "TIMESTAMP WITH TIME ZONE",
  uuid: "UUID",
  binary: "BLOB",
  json: "VARCHAR",
  ...INTEGERS,
};

/** Storage types that reach the engine only before publishing, or inside nested values. */
const ALSO_STORED: Readonly<Record<string, string>> = {
  JSON: "json",
  TIMESTAMP: "timestamp",
  TIMESTAMP_S: "timestamp",
  TIMESTAMP_MS: "timestamp",
  TIMESTAMP_NS: "timestamp",
};

/** Reads a column type of the service. Undefined for a name outside the closed list. */
export function parseColumnType(text: string): ColumnType | undefined {
  if (Object.hasOwn(PLAIN, text)) return PLAIN[text];
  const integer = /^(u?)int(8|16|32|64)$/.exec(text);
  if (integer) return { kind: "integer", bits: Number(integer[2]), signed: integer[1] === "" };
  const decimal = /^decimal\((\d{1,2}),(\d{1,2})\)$/.exec(text);
  if (decimal) return decimalType(Number(decimal[1]), Number(decimal[2]));
  const item = /^list<(.+)>$/.exec(text)?.[1];
  const itemType = item === undefined ? undefined : parseColumnType(item);
  return itemType && { kind: "list", item: itemType };
}

export function formatColumnType(type: ColumnType): string {
  switch (type.kind) {
    case "integer":
      return `${type.signed ? "" : "u"}int${type.bits}`;
    case "float":
      return `float${type.bits}`;
    case "decimal":
      return `decimal(${type.precision},${type.scale})`;
    case "list":
      return `list<${formatColumnType(type.item)}>`;
    default:
      return type.kind;
  }
}

/** The parsed type of a column that was published. Throws where a type outside the closed list was stored. */
export function columnTypeOf(column: { type: string }): ColumnType {
  const type = parseColumnType(column.type);
  if (!type) throw new Error(`Not a column type: ${column.type}`);
  return type;
}

export function familyOf(type: ColumnType): Family {
  switch (type.kind) {
    case "integer":
    case "float":
    case "decimal":
      return "numeric";
    case "string":
      return "text";
    case "boolean":
    case "date":
    case "timestamp":
    case "uuid":
    case "time":
      return type.kind;
    default:
      return "opaque";
  }
}

/** DuckDB's name of a type that is no struct. Undefined for a struct, and for a name outside the closed list. */
export function duckdbTypeOf(type: string): string | undefined {
  const parsed = parseColumnType(type);
  if (parsed?.kind === "decimal") return `DECIMAL(${parsed.precision},${parsed.scale})`;
  if (parsed?.kind !== "list") return Object.hasOwn(STORED, type) ? STORED[type] : undefined;
  const item = duckdbTypeOf(formatColumnType(parsed.item));
  return item && `${item}[]`;
}

/**
 * The column type for a DuckDB type text. Undefined where the service has none (HUGEINT, INTERVAL, MAP, ENUM …): cast
 * it first.
 */
export function columnTypeOfDuckdb(storage: string): string | undefined {
  const parsed = parseStorageType(storage);
  return parsed && columnTypeOfStorage(parsed);
}

export function columnTypeOfStorage(storage: StorageType): string | undefined {
  if (storage.kind === "struct")
    return storage.fields.every((field) => columnTypeOfStorage(field.type)) ? "struct" : undefined;
  if (storage.kind === "list") {
    const item = columnTypeOfStorage(storage.item);
    return item && `list<${item}>`;
  }
  if (storage.name.startsWith("DECIMAL(")) return storage.name.toLowerCase();
  return Object.entries(STORED).find(([, name]) => name === storage.name)?.[0] ?? ALSO_STORED[storage.name];
}

/** The JSON type of a column's values in replies. */
export function jsonKindOf(type: string): "number" | "string" | "boolean" | "array" | "object" | "any" {
  const kind = columnTypeOf({ type }).kind;
  if (kind === "boolean") return "boolean";
  if (kind === "integer" || kind === "float" || kind === "decimal") return "number";
  if (kind === "list") return "array";
  if (kind === "struct") return "object";
  return kind === "json" ? "any" : "string";
}

/** Filter operators that apply to a column type, in the table's order. */
export function operatorsFor(type: string): string[] {
  const family = familyOf(columnTypeOf({ type }));
  return Object.entries(OPERATORS).flatMap(([name, row]) => (row.families.includes(family) ? [name] : []));
}

/** Aggregate functions that apply to a column type, in the table's order; `count` takes no column and is left out. */
export function functionsFor(type: string): string[] {
  const family = familyOf(columnTypeOf({ type }));
  return Object.entries(AGGREGATES).flatMap(([name, row]) => (row.families.includes(family) ? [name] : []));
}

function decimalType(precision: number, scale: number): ColumnType | undefined {
  return precision >= 1 && precision <= 38 && scale <= precision ? { kind: "decimal", precision, scale } : undefined;
}
