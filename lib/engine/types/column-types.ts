import { AGGREGATES } from "./aggregates";
import { BINARIES } from "./binaries";
import { BOOLEANS } from "./booleans";
import type { ColumnType, TypeFamily } from "./column-type";
import { DATES } from "./dates";
import { DECIMALS } from "./decimals";
import { FLOAT32S, FLOAT64S } from "./floats";
import { INTEGERS, UNSIGNED_INTEGERS } from "./integers";
import { JSONS } from "./json";
import { listType } from "./lists";
import { OPERATORS, type Operator } from "./operators";
import { parseStorageType, type StorageType } from "./storage-type";
import { STRINGS } from "./strings";
import { STRUCTS } from "./structs";
import { TIMES } from "./times";
import { TIMESTAMPS } from "./timestamps";
import { UUIDS } from "./uuids";

/** A column as the engine sees it. `storage` is the DuckDB type as text, which is needed to encode nested values. */
export interface EngineColumn {
  name: string;
  type: string;
  storage: string;
}

const LISTS: TypeFamily = {
  label: "list<T>",
  examples: STRINGS.examples.map(listType),
  parse: (name) => {
    const item = name.startsWith("list<") && name.endsWith(">") ? parseColumnType(name.slice(5, -1)) : undefined;
    return item && listType(item);
  },
  ofStorage: () => undefined, // a tree, handled by columnTypeOfStorage
};

/** THE column types, in the order they are listed. A bare DuckDB type is read as the first row stored that way. */
export const COLUMN_TYPES: readonly TypeFamily[] = [
  BOOLEANS,
  INTEGERS,
  UNSIGNED_INTEGERS,
  FLOAT32S,
  FLOAT64S,
  DECIMALS,
  STRINGS,
  DATES,
  TIMES,
  TIMESTAMPS,
  UUIDS,
  BINARIES,
  LISTS,
  STRUCTS,
  JSONS,
];

/** Every type of the closed list, for the docs; those with parameters once, with sample parameters. */
export const typeExamples = (): readonly ColumnType[] => COLUMN_TYPES.flatMap(({ examples }) => examples);

/** Parses the name of a column type: `int64`, `list<decimal(9,2)>`. Undefined for a name outside the closed list. */
export function parseColumnType(name: string): ColumnType | undefined {
  for (const family of COLUMN_TYPES) {
    const type = family.parse(name);
    if (type) return type;
  }
  return undefined;
}

/** The type of a published column. Throws if a type outside the closed list is stored. */
export function columnTypeOf(column: { type: string }): ColumnType {
  const type = parseColumnType(column.type);
  if (!type) throw new Error(`Not a column type: ${column.type}`);
  return type;
}

/**
 * The column type for a DuckDB type name. Undefined for types that the service does not have (HUGEINT, INTERVAL, MAP,
 * ENUM …), which must be cast first.
 */
export function columnTypeOfDuckdb(storage: string): ColumnType | undefined {
  const parsed = parseStorageType(storage);
  return parsed && columnTypeOfStorage(parsed);
}

export function columnTypeOfStorage(storage: StorageType): ColumnType | undefined {
  if (storage.kind === "list") {
    const item = columnTypeOfStorage(storage.item);
    return item && listType(item);
  }
  if (storage.kind === "struct")
    return storage.fields.every((field) => columnTypeOfStorage(field.type)) ? parseColumnType("struct") : undefined;
  if (storage.kind === "map") return undefined;
  return scalarOfStorage(storage.name);
}

function scalarOfStorage(name: string): ColumnType | undefined {
  for (const family of COLUMN_TYPES) {
    const type = family.ofStorage(name);
    if (type) return type;
  }
  return undefined;
}

/** Whether a type has an order, so that results can be sorted and grouped by it. */
export const isOrderable = (type: ColumnType): boolean => type.family !== "opaque";

/** Filter operators that apply to a column type, in the table's order. */
export function operatorsFor(type: string): string[] {
  const column = columnTypeOf({ type });
  return Object.entries(OPERATORS).flatMap(([name, row]) => (applies(row, column) ? [name] : []));
}

function applies({ families, ofItems = [] }: Operator, { family, item }: ColumnType): boolean {
  return families.includes(family) || (item !== undefined && ofItems.includes(item.family));
}

/** Aggregate functions that apply to a column type, in the table's order, without `count`, which takes no column. */
export function functionsFor(type: string): string[] {
  const { family } = columnTypeOf({ type });
  return Object.entries(AGGREGATES).flatMap(([name, row]) => (row.families.includes(family) ? [name] : []));
}
