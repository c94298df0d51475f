import type { EngineColumn } from "@/lib/engine/types/column-types";
import { parseStorageType, type StorageType } from "@/lib/engine/types/storage-type";

const TEXT: StorageType = { kind: "scalar", name: "VARCHAR" };
const JSON_TEXT: StorageType = { kind: "scalar", name: "JSON" };

/**
 * The type in which a typed form writes a page's column: json is its text; with `int64: "string"` wide numbers are text
 * too, as in the JSON.
 */
export function pageType({ type, storage }: EngineColumn, wideAsText: boolean): StorageType {
  if (type === "json") return JSON_TEXT;
  const parsed = parseStorageType(storage);
  if (!parsed) throw new Error(`Cannot write the type ${storage}`);
  return wideAsText ? withWideText(parsed) : parsed;
}

function withWideText(type: StorageType): StorageType {
  if (type.kind === "list") return { kind: "list", item: withWideText(type.item) };
  if (type.kind === "struct")
    return {
      kind: "struct",
      fields: type.fields.map(({ name, type: inner }) => ({ name, type: withWideText(inner) })),
    };
  return /^(U?BIGINT|DECIMAL)/.test(type.name) ? TEXT : type;
}

/** Precision and scale of a decimal's storage type; undefined for others. */
export function decimalOf(name: string): { precision: number; scale: number } | undefined {
  const [, precision, scale] = /^DECIMAL\((\d+),(\d+)\)$/.exec(name) ?? [];
  return precision && scale ? { precision: Number(precision), scale: Number(scale) } : undefined;
}
