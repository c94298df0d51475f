import type { ColumnType } from "./column-type";
import { columnTypeOf, columnTypeOfStorage, type EngineColumn } from "./column-types";
import { parseStorageType, type StorageType } from "./storage-type";
import { STRING } from "./strings";

/** A column's type down to its leaves. `storage` of a scalar is DuckDB's name. */
export type ValueType =
  | { kind: "scalar"; type: ColumnType; storage: string }
  | { kind: "list"; item: ValueType }
  | { kind: "struct"; fields: readonly { name: string; type: ValueType }[] };

/** Types that have no row (INTERVAL, HUGEINT inside a struct) are written as DuckDB prints them. */
const PRINTED: ColumnType = {
  ...STRING,
  json: { kind: "string", value: (ref) => `CAST(${ref} AS VARCHAR)` },
};

/** The type of a column's values: a list's items by its name, a struct's fields by its storage. */
export function valueTypeOf(column: Pick<EngineColumn, "type" | "storage">): ValueType {
  const type = columnTypeOf(column);
  const storage = parseStorageType(column.storage);
  if (!storage) throw new Error(`Cannot encode the type ${column.storage}`);
  return valueType(type, storage);
}

function valueType(type: ColumnType | undefined, storage: StorageType): ValueType {
  if (storage.kind === "list") return { kind: "list", item: valueType(type?.item, storage.item) };
  if (storage.kind === "map") throw new Error("Cannot encode a map");
  if (storage.kind === "scalar") return { kind: "scalar", type: type ?? ofStorage(storage), storage: storage.name };
  const fields = storage.fields.map((field) => ({ name: field.name, type: valueType(undefined, field.type) }));
  return { kind: "struct", fields };
}

const ofStorage = (storage: StorageType): ColumnType => columnTypeOfStorage(storage) ?? PRINTED;
