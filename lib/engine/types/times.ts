import { CLOCK, matches, SECONDS, tryCast } from "./cell-sql";
import { type ColumnType, plainTypes } from "./column-type";
import { readText } from "./filter-value";
import { orderTexts } from "./text-order";

const CLOCK_AND_SECONDS = new RegExp(`^${CLOCK}${SECONDS}$`);
const value = (x: string) => tryCast(x, "TIME");

const TIME: ColumnType = {
  name: "time",
  family: "time",
  duckdb: "TIME",
  json: { kind: "string", value: timeValue },
  columnar: { kind: "time" },
  readFilter: (raw) => readText(raw, "time"),
  compareTexts: orderTexts,
  source: {
    declared: { value, fits: (x, v) => `(${v} IS NOT NULL AND ${matches(x, `${CLOCK}(${SECONDS})?`)})` },
    guessed: {
      value,
      fits: (x, v) => `(${matches(x, CLOCK + SECONDS)} AND ${v} IS NOT NULL)`,
      matches: (text) => CLOCK_AND_SECONDS.test(text),
    },
    range: ["TIME '00:00:00'", "TIME '23:59:59.999999'"],
    isKey: true,
  },
  profile: { isOrdered: true, isCounted: true },
  view: { measure: "clock", editor: "text", hint: "", usual: "gte", width: 24 },
  vocabulary: {
    croissant: "sc:Time",
    frictionless: { type: "time" },
    form: "`hh:mm:ss`, with up to six fractional digits",
    example: '"13:45:00.5"',
  },
};

/** strftime does not accept a time, so it is added to a date that is not written. */
function timeValue(ref: string): string {
  const carried = `DATE '2000-01-01' + ${ref}`;
  return (
    `CASE WHEN microsecond(${ref}) % 1000000 = 0 THEN strftime(${carried}, '%H:%M:%S') ELSE strftime(${carried}, ` +
    "'%H:%M:%S.%f') END"
  );
}

export const TIMES = plainTypes("time", TIME);
