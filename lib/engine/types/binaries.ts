import { type ColumnType, plainTypes } from "./column-type";
import { readText } from "./filter-value";

const BINARY: ColumnType = {
  name: "binary",
  family: "opaque",
  duckdb: "BLOB",
  json: { kind: "string", value: (ref) => `to_base64(${ref})`, isLong: true },
  columnar: { kind: "binary" },
  readFilter: (raw) => readText(raw, "binary"),
  compareTexts: () => undefined,
  source: {
    declared: { value: (x) => `TRY(from_base64(${x}))`, fits: (x, v) => `coalesce(to_base64(${v}) = ${x}, false)` },
    isKey: true,
  },
  profile: { length: { unit: "bytes", sql: (ref) => `octet_length(${ref})` } },
  view: { measure: "category", editor: "text", hint: "", usual: "gte", width: 24 },
  vocabulary: {
    croissant: "sc:Text",
    frictionless: { type: "string", format: "binary" },
    form: "base64",
    example: '"aGVsbG8="',
  },
};

export const BINARIES = plainTypes("binary", BINARY);
