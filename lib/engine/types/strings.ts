import { type ColumnType, plainTypes } from "./column-type";
import { readText } from "./filter-value";
import { orderTexts } from "./text-order";

const ANY = { value: (x: string) => x, fits: () => "true", matches: () => true };

export const STRING: ColumnType = {
  name: "string",
  family: "text",
  duckdb: "VARCHAR",
  json: { kind: "string", isLong: true },
  columnar: { kind: "text" },
  readFilter: (raw) => readText(raw, "string"),
  // only printable ASCII: DuckDB compares bytes, and prints [ and \ in bounds differently
  compareTexts: (a, b) => (/^[ -[\]-~]*$/.test(a + b) ? orderTexts(a, b) : undefined),
  source: { declared: ANY, guessed: ANY, isKey: true },
  profile: {
    isOrdered: true,
    isCounted: true,
    length: { unit: "characters", sql: (ref) => `length(${ref})` },
    // PostgreSQL's JSON cannot contain U+0000
    isShown: (ref, lengthMax) => `length(${ref}) <= ${lengthMax} AND NOT contains(${ref}, chr(0))`,
  },
  view: { measure: "category", editor: "text", order: "texts", hint: "", usual: "eq", width: 24 },
  vocabulary: { croissant: "sc:Text", frictionless: { type: "string" }, form: "text", example: '"Torgersen"' },
};

export const STRINGS = plainTypes("string", STRING);
