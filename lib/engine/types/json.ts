import { type ColumnType, plainTypes } from "./column-type";
import { readText } from "./filter-value";
import { isJsonSql } from "./json-text";

const CELL = { value: (x: string) => `TRY_CAST(${x} AS JSON)`, fits: isJsonSql, matches: isJson };

const JSON_TYPE: ColumnType = {
  name: "json",
  family: "opaque",
  duckdb: "VARCHAR",
  alsoStored: ["JSON"],
  json: { kind: "any", text: (ref, isNested) => jsonText(isNested ? `CAST(${ref} AS VARCHAR)` : ref), isLong: true },
  columnar: { kind: "json" },
  readFilter: (raw) => readText(raw, "json"),
  compareTexts: () => undefined,
  source: {
    declared: CELL,
    guessed: CELL,
    staged: "JSON",
    castable: (value) => `coalesce(${isJsonSql(value)}, true)`,
    isKey: false, // equal documents can be written in several ways
  },
  profile: {},
  view: { measure: "category", editor: "text", hint: "", usual: "gte", width: 24 },
  vocabulary: {
    croissant: "sc:Text",
    frictionless: { type: "any" },
    form: "the document itself",
    example: '{ "any": ["thing"] }',
  },
};

/**
 * Stored JSON text unchanged, so that its numbers keep their digits, except line breaks, which are white space in JSON.
 */
function jsonText(ref: string): string {
  return (
    `CASE WHEN ${isJsonSql(ref)} THEN translate(${ref}, chr(10) || chr(13), '  ') ELSE CAST(to_json(CAST(${ref} ` +
    "AS VARCHAR)) AS VARCHAR) END"
  );
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

export const JSONS = plainTypes("json", JSON_TYPE);
