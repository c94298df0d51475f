import type { CellForm, ColumnType } from "./column-type";
import { readText } from "./filter-value";

/** A list of values of one type, which can be any. */
export function listType(item: ColumnType): ColumnType {
  const declared = item.item ? undefined : item.source.declared;
  return {
    name: `list<${item.name}>`,
    family: "opaque",
    duckdb: item.duckdb && `${item.duckdb}[]`,
    item,
    json: { kind: "array", isLong: true },
    columnar: { kind: "nested" },
    readFilter: (raw) => readText(raw, "list"),
    compareTexts: () => undefined,
    source: { ...(declared && { declared: listCell(declared) }), isKey: false },
    profile: { length: { unit: "items", sql: (ref) => `len(${ref})` } },
    view: { measure: "category", editor: "text", hint: "", usual: "gte", width: 24 },
    words: {
      croissant: "sc:Text",
      frictionless: { type: "list", itemType: item.words.frictionless.type },
      form: "an array of values, each in its type's encoding",
      example: '["us", "ci"]',
    },
  };
}

/** A JSON array in which every item fits the item's form. */
export function listCell(item: CellForm): CellForm {
  const items = (x: string) => `from_json(${x}, '["VARCHAR"]')`;
  return {
    value: (x) => `list_transform(${items(x)}, lambda item: CASE WHEN item IS NOT NULL THEN ${item.value("item")} END)`,
    fits: (x) =>
      `(json_type(${x}) = 'ARRAY' AND coalesce(list_bool_and(list_transform(${items(x)}, lambda item: item IS ` +
      `NULL OR ${item.fits("item", item.value("item"))})), true))`,
  };
}
