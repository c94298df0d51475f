import type { SchemaElement } from "hyparquet";
import type { ColumnarForm } from "@/lib/engine/types/column-type";
import { dayOf, digitsOf, instantOf, jsonOf, timeOf, unitsOf, wholeReader } from "./exact-values";
import type { Row, Value } from "./page-rows";
import type { PageType } from "./page-types";

/** How Parquet holds a value: its schema element without a name, and the writer's input. */
interface Leaf {
  element: Omit<SchemaElement, "name" | "repetition_type">;
  write(value: Value): unknown;
}

/** The schema of a column, parents before children, as in the stored table's files: everything is nullable. */
export function parquetElements(name: string, type: PageType): SchemaElement[] {
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
  return [{ name, repetition_type: "OPTIONAL", ...leafOf(type.form).element }];
}

/** A function that converts a value of a reply to the writer's input for the type: exact to the last digit. */
export function parquetValue(type: PageType): (value: Value) => unknown {
  const write =
    type.kind === "list"
      ? listValue(type.item)
      : type.kind === "struct"
        ? structValue(type.fields)
        : leafOf(type.form).write;
  return (value) => (value === null ? null : write(value));
}

/** A dictionary would merge the two zeros. */
export function holdsFloats(type: PageType): boolean {
  if (type.kind === "list") return holdsFloats(type.item);
  return type.kind === "struct" ? type.fields.some((field) => holdsFloats(field.type)) : type.form.kind === "float";
}

function listValue(item: PageType): (value: Value) => unknown {
  const write = parquetValue(item);
  return (value) => (value as readonly Value[]).map(write);
}

function structValue(fields: readonly { name: string; type: PageType }[]): (value: Value) => unknown {
  const writers = fields.map(({ name, type }) => [name, parquetValue(type)] as const);
  return (value) => Object.fromEntries(writers.map(([name, write]) => [name, write((value as Row)[name] ?? null)]));
}

function leafOf(form: ColumnarForm): Leaf {
  switch (form.kind) {
    case "integer":
      return integerLeaf(form);
    case "float":
      return { element: { type: form.bits === 32 ? "FLOAT" : "DOUBLE" }, write: number };
    case "decimal":
      return decimalLeaf(form.precision, form.scale);
    default:
      return LEAVES[form.kind];
  }
}

function integerLeaf(form: Extract<ColumnarForm, { kind: "integer" }>): Leaf {
  const converted_type = `${form.isSigned ? "" : "U"}INT_${form.bits}` as const;
  const read = wholeReader(form);
  if (form.bits === 64) return { element: { type: "INT64", converted_type }, write: read };
  return { element: { type: "INT32", converted_type }, write: (value) => Number(read(value)) };
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

const TEXT: Leaf = {
  element: { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } },
  write: String,
};

const LEAVES: Readonly<Record<Exclude<ColumnarForm["kind"], "integer" | "float" | "decimal">, Leaf>> = {
  boolean: { element: { type: "BOOLEAN" }, write: (value) => value },
  text: TEXT,
  json: { ...TEXT, write: jsonOf },
  nested: { ...TEXT, write: jsonOf },
  binary: { element: { type: "BYTE_ARRAY" }, write: (value) => Buffer.from(String(value), "base64") },
  uuid: { element: { type: "FIXED_LEN_BYTE_ARRAY", type_length: 16, logical_type: { type: "UUID" } }, write: String },
  date: { element: { type: "INT32", converted_type: "DATE", logical_type: { type: "DATE" } }, write: dayOf },
  time: {
    element: {
      type: "INT64",
      converted_type: "TIME_MICROS",
      logical_type: { type: "TIME", isAdjustedToUTC: false, unit: "MICROS" },
    },
    write: timeOf,
  },
  timestamp: {
    element: {
      type: "INT64",
      converted_type: "TIMESTAMP_MICROS",
      logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MICROS" },
    },
    write: instantOf,
  },
};
