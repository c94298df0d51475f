import { type ColumnType, plainTypes } from "./column-type";
import { readText } from "./filter-value";

/** Its fields and their types are given only by a column's storage. */
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
  vocabulary: {
    croissant: "sc:Text",
    frictionless: { type: "object" },
    form: "an object",
    example: '{ "major": 20, "minor": 1 }',
  },
};

export const STRUCTS = plainTypes("struct", STRUCT);
