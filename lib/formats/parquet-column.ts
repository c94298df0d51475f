import type { SchemaElement } from "hyparquet";
import type { StorageType } from "@/lib/engine/types/storage-type";
import { dayOf, digitsOf, instantOf, jsonOf, timeOf, unitsOf } from "./exact-values";
import type { Row, Value } from "./page-rows";
import { decimalOf } from "./page-types";

/** How Parquet holds a value: its place in the schema without a name, and what the writer is given for it. */
interface Leaf {
  element: Omit<SchemaElement, "name" | "repetition_type">;
  write(value: Value): unknown;
}

/** The schema of a column, parents before children, as the stored table's own files have it: everything may be null. */
export function parquetElements(name: string, type: StorageType): SchemaElement[] {
  if (type.kind === "list") {
    const list: SchemaElement = {
      name,
      repetition_type: "OPTIONAL",
      num_children: 1,
      converted_type: "LIST",
      logical_type: { type: "LIST" },
    };
    return [
      list,
      { name: "list", repetition_type: "REPEATED", num_children: 1 },
      ...parquetElements("element", type.item),
    ];
  }
  if (type.kind === "struct") {
    const fields = type.fields.flatMap((field) => parquetElements(field.name, field.type));
    return [{ name, repetition_type: "OPTIONAL", num_children: type.fields.length }, ...fields];
  }
  return [{ name, repetition_type: "OPTIONAL", ...leafOf(type.name).element }];
}

/** A function that turns a value of a reply into what the writer takes for the type: exact to the last digit. */
export function parquetValue(type: StorageType): (value: Value) => unknown {
  const write =
    type.kind === "list"
      ? listValue(type.item)
      : type.kind === "struct"
        ? structValue(type.fields)
        : leafOf(type.name).write;
  return (value) => (value === null ? null : write(value));
}

/** A dictionary would make one value of both zeros. */
export function holdsFloats(type: StorageType): boolean {
  if (type.kind === "list") return holdsFloats(type.item);
  return type.kind === "struct"
    ? type.fields.some((field) => holdsFloats(field.type))
    : type.name === "FLOAT" || type.name === "DOUBLE";
}

function listValue(item: StorageType): (value: Value) => unknown {
  const write = parquetValue(item);
  return (value) => (value as readonly Value[]).map(write);
}

function structValue(fields: readonly { name: string; type: StorageType }[]): (value: Value) => unknown {
  const writers = fields.map(({ name, type }) => [name, parquetValue(type)] as const);
  return (value) => Object.fromEntries(writers.map(([name, write]) => [name, write((value as Row)[name] ?? null)]));
}

function leafOf(name: string): Leaf {
  const decimal = decimalOf(name);
  if (decimal) return decimalLeaf(decimal.precision, decimal.scale);
  return LEAVES[name] ?? (name.startsWith("TIMESTAMP") ? TIMESTAMP : TEXT);
}

/** The narrowest of the three widths, as DuckDB writes them. */
function decimalLeaf(precision: number, scale: number): Leaf {
  const logical = {
    converted_type: "DECIMAL",
    precision,
    scale,
    logical_type: { type: "DECIMAL", precision, scale },
  } as const;
  const write = (value: Value) => unitsOf(digitsOf(value), scale);
  if (precision <= 9) return { element: { type: "INT32", ...logical }, write };
  if (precision <= 18) return { element: { type: "INT64", ...logical }, write };
  return { element: { type: "FIXED_LEN_BYTE_ARRAY", type_length: 16, ...logical }, write };
}

const number = (value: Value): number => Number(digitsOf(value));
const integer = (value: Value): bigint => BigInt(digitsOf(value));

const TEXT: Leaf = {
  element: { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } },
  write: String,
};

const TIMESTAMP: Leaf = {
  element: {
    type: "INT64",
    converted_type: "TIMESTAMP_MICROS",
    logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MICROS" },
  },
  write: instantOf,
};

const LEAVES: Readonly<Record<string, Leaf>> = {
  BOOLEAN: { element: { type: "BOOLEAN" }, write: (value) => value },
  TINYINT: { element: { type: "INT32", converted_type: "INT_8" }, write: number },
  SMALLINT: { element: { type: "INT32", converted_type: "INT_16" }, write: number },
  INTEGER: { element: { type: "INT32", converted_type: "INT_32" }, write: number },
  BIGINT: { element: { type: "INT64", converted_type: "INT_64" }, write: integer },
  UTINYINT: { element: { type: "INT32", converted_type: "UINT_8" }, write: number },
  USMALLINT: { element: { type: "INT32", converted_type: "UINT_16" }, write: number },
  UINTEGER: { element: { type: "INT32", converted_type: "UINT_32" }, write: number },
  UBIGINT: { element: { type: "INT64", converted_type: "UINT_64" }, write: integer },
  FLOAT: { element: { type: "FLOAT" }, write: number },
  DOUBLE: { element: { type: "DOUBLE" }, write: number },
  BLOB: { element: { type: "BYTE_ARRAY" }, write: (value) => Buffer.from(String(value), "base64") },
  UUID: { element: { type: "FIXED_LEN_BYTE_ARRAY", type_length: 16, logical_type: { type: "UUID" } }, write: String },
  JSON: { ...TEXT, write: jsonOf },
  DATE: { element: { type: "INT32", converted_type: "DATE", logical_type: { type: "DATE" } }, write: dayOf },
  TIME: {
    element: {
      type: "INT64",
      converted_type: "TIME_MICROS",
      logical_type: { type: "TIME", isAdjustedToUTC: false, unit: "MICROS" },
    },
    write: timeOf,
  },
};
