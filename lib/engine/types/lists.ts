import { matches } from "./cell-sql";
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
    vocabulary: {
      croissant: "sc:Text",
      frictionless: { type: "list", itemType: item.vocabulary.frictionless.type },
      form: "an array of values, each in its type's encoding",
      example: '["us", "ci"]',
    },
  };
}

const BLANKS = "chr(9) || chr(10) || chr(13) || ' '";
/** Only numbers and nulls. */
const NUMBERS = String.raw`\s*\[[-+0-9.eE,nul\s]*\]\s*`;

/** SQL of the items' text. Numbers are cut out of the array, as DuckDB's JSON functions round their digits. */
function items(x: string): string {
  const inside = `trim(${x}, '[]' || ${BLANKS})`;
  const each = `list_transform(string_split(${inside}, ','), lambda item: nullif(trim(item, ${BLANKS}), 'null'))`;
  return (
    `CASE WHEN NOT ${matches(x, NUMBERS)} THEN from_json(${x}, '["VARCHAR"]') WHEN ${inside} = '' THEN [] ELSE ` +
    `${each} END`
  );
}

/** A JSON array in which every item fits the item's form. */
export function listCell(item: CellForm): CellForm {
  return {
    value: (x) => `list_transform(${items(x)}, lambda item: CASE WHEN item IS NOT NULL THEN ${item.value("item")} END)`,
    fits: (x) =>
      `(json_type(${x}) = 'ARRAY' AND coalesce(list_bool_and(list_transform(${items(x)}, lambda item: item IS ` +
      `NULL OR ${item.fits("item", item.value("item"))})), true))`,
  };
}
