import { type ColumnType, plainTypes } from "./column-type";
import { orderTexts } from "./text-order";

const BOOLEAN: ColumnType = {
  name: "boolean",
  family: "boolean",
  duckdb: "BOOLEAN",
  json: { kind: "boolean" },
  columnar: { kind: "boolean" },
  readFilter: (raw) => (typeof raw === "boolean" ? { text: String(raw) } : { rejected: "Expected true or false." }),
  compareTexts: orderTexts,
  source: {
    declared: {
      value: (x) => `(lower(${x}) IN ('true', 't', 'yes', '1'))`,
      fits: (x) => `(lower(${x}) IN ('true', 'false', 't', 'f', 'yes', 'no', '1', '0'))`,
    },
    guessed: {
      value: (x) => `(lower(${x}) = 'true')`,
      fits: (x) => `(lower(${x}) IN ('true', 'false'))`,
      matches: (text) => /^(?:true|false)$/i.test(text),
    },
    isKey: true,
  },
  profile: { countsTrue: true },
  view: { measure: "category", editor: "truth", hint: "", usual: "eq", width: 5 },
  vocabulary: {
    croissant: "sc:Boolean",
    frictionless: { type: "boolean" },
    form: "true or false",
    example: "true",
  },
};

export const BOOLEANS = plainTypes("boolean", BOOLEAN);
