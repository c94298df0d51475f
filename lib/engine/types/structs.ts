import { type ColumnType, plainTypes } from "./column-type";
import { readText } from "./filter-value";

/** Its fields are only in a column's storage, each with a type of its own. */
const STRUCT: ColumnType = {
  name: "struct",
  family: "opaque",
  duckdb: undefined,
  json: { kind: "object", isLong: true },
  columnar: { kind: "nested" },
  readFilter: (raw) => readText(raw, "struct"),
  compareTexts: () => undefined,
  source: { isKey: false },
  profile: {},
  view: { measure: "category", editor: "text", hint: "", usual: "gte", width: 24 },
  words: {
    croissant: "sc:Text",
    frictionless: { type: "object" },
    form: "an object",
    example: '{ "major": 20, "minor": 1 }',
  },
};

export const STRUCTS = plainTypes("struct", STRUCT);
