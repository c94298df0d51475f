import { matches, tryCast } from "./cell-sql";
import { type ColumnType, plainTypes } from "./column-type";
import { readUuid } from "./filter-value";

const UUID: ColumnType = {
  name: "uuid",
  family: "uuid",
  duckdb: "UUID",
  json: { kind: "string" },
  columnar: { kind: "uuid" },
  readFilter: readUuid,
  compareTexts: () => undefined,
  source: {
    declared: {
      value: (x) => tryCast(x, "UUID"),
      fits: (x) => matches(x, "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"),
    },
    isKey: true,
  },
  profile: { isCounted: true },
  view: {
    measure: "category",
    editor: "text",
    hint: "00000000-0000-0000-0000-000000000000",
    usual: "eq",
    width: 24,
    literal: (quoted) => `CAST(${quoted} AS UUID)`,
  },
  vocabulary: {
    croissant: "sc:Text",
    frictionless: { type: "string", format: "uuid" },
    form: "text",
    example: '"0f4b1b9e-6f0c-4c79-8f53-1b1f5a4c0a01"',
  },
};

export const UUIDS = plainTypes("uuid", UUID);
