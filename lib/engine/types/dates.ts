import { printsBack, tryCast } from "./cell-sql";
import { type ColumnType, type GuessedForm, plainTypes } from "./column-type";
import { isDate, readDate } from "./filter-value";
import { orderTexts } from "./text-order";

/** YYYY-MM-DD in the years 0001 to 9999. */
export const DATE_CELL: GuessedForm = {
  value: (x) => tryCast(x, "DATE"),
  fits: (x, v) => `(length(${x}) = 10 AND ${x} >= '0001' AND ${printsBack(x, v)})`,
  matches: isDate,
};

/** The type of spans of days. */
export const DATE: ColumnType = {
  name: "date",
  family: "date",
  duckdb: "DATE",
  json: { kind: "string" },
  columnar: { kind: "date" },
  readFilter: readDate,
  compareTexts: orderTexts,
  source: {
    declared: DATE_CELL,
    guessed: DATE_CELL,
    range: ["DATE '0001-01-01'", "DATE '9999-12-31'"],
    isKey: true,
  },
  profile: { isOrdered: true, isCounted: true, histogram: "day" },
  view: {
    measure: "time",
    editor: "text",
    order: "days",
    hint: "2001-01-31",
    usual: "gte",
    width: 24,
    literal: (quoted) => `DATE ${quoted}`,
  },
  vocabulary: { croissant: "sc:Date", frictionless: { type: "date" }, form: "`YYYY-MM-DD`", example: '"2020-04-01"' },
};

export const DATES = plainTypes("date", DATE);
