import type { ColumnarForm } from "@/lib/engine/types/column-type";
import type { EngineColumn } from "@/lib/engine/types/column-types";
import { STRING } from "@/lib/engine/types/strings";
import { type ValueType, valueTypeOf } from "@/lib/engine/types/value-type";

/** How a typed format holds a column's values, down to the leaves. */
export type PageType =
  | { kind: "scalar"; form: ColumnarForm }
  | { kind: "list"; item: PageType }
  | { kind: "struct"; fields: readonly { name: string; type: PageType }[] };

/**
 * The type that a typed format uses for a page's column; with `int64: "string"` wide numbers are strings, as in the
 * JSON.
 */
export const pageType = (column: EngineColumn, wideAsText: boolean): PageType =>
  formOf(valueTypeOf(column), wideAsText);

function formOf(type: ValueType, wideAsText: boolean): PageType {
  if (type.kind === "list") return { kind: "list", item: formOf(type.item, wideAsText) };
  if (type.kind === "struct")
    return {
      kind: "struct",
      fields: type.fields.map(({ name, type: inner }) => ({ name, type: formOf(inner, wideAsText) })),
    };
  const isText = wideAsText && type.type.json.digits !== undefined;
  return { kind: "scalar", form: isText ? STRING.columnar : type.type.columnar };
}
