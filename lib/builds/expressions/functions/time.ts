import {
  type Argument,
  CLOCK,
  cast,
  DATE,
  DAY,
  type ExpressionFunction,
  FLOAT64,
  INSTANT,
  INT32,
  TIME,
  TIMESTAMP,
  WHOLE,
  word,
} from "@/lib/builds/expressions/function-row";
import type { Typed } from "@/lib/builds/expressions/typed";
import { quoteLiteral } from "@/lib/engine/sql/identifier";

const DAYS = ["year", "quarter", "month", "week", "day"];
const HOURS = ["hour", "minute", "second"];

const part = (english: string, sql: (x: string) => string, arg: Argument = TIME): ExpressionFunction => ({
  group: "time",
  english,
  args: [arg],
  result: () => INT32,
  sql: ([x = ""]) => cast(sql(x), INT32),
});

/** The type of the time itself. A date has no hours. */
const ownOf = (unit: Typed | undefined, time: Typed | undefined) =>
  time?.type?.family === "date" && HOURS.includes(String(unit?.literal))
    ? `A date has no ${String(unit?.literal)}.`
    : (time?.type ?? DATE);

const STEPS: Readonly<Record<string, string>> = {
  year: "to_years",
  quarter: "to_quarters",
  month: "to_months",
  week: "to_weeks",
  day: "to_days",
  hour: "to_hours",
  minute: "to_minutes",
  second: "to_seconds",
};

/** `add` for a date or timestamp. Adding months stays within the month: 31 January plus a month is 28 February. */
export const ADD_TIME: ExpressionFunction = {
  group: "time",
  english: "a time plus a number of units",
  args: [TIME, WHOLE, word(...DAYS, ...HOURS)],
  result: ([time, , unit]) => ownOf(unit, time),
  sql: ([time, n = "", unit = ""], { result }) => {
    const count =
      unit === "hour" || unit === "minute" || unit === "second" ? `CAST(${n} AS BIGINT)` : `CAST(${n} AS INTEGER)`;
    return cast(`${time} + ${STEPS[unit]}(${count})`, result);
  },
};

/** Timestamps are read in UTC unless a zone is named. */
export const TIMES: Readonly<Record<string, ExpressionFunction>> = {
  year: part("the year", (x) => `year(${x})`),
  quarter: part("the quarter, 1 to 4", (x) => `quarter(${x})`),
  month: part("the month, 1 to 12", (x) => `month(${x})`),
  day: part("the day of the month", (x) => `day(${x})`),
  iso_week: part("the ISO 8601 week", (x) => `weekofyear(${x})`),
  iso_weekday: part("the day of the week, 1 (Monday) to 7", (x) => `isodow(${x})`),
  day_of_year: part("the day of the year", (x) => `dayofyear(${x})`),
  hour: part("the hour", (x) => `hour(${x})`, CLOCK),
  minute: part("the minute", (x) => `minute(${x})`, CLOCK),
  second: part("the second", (x) => `second(${x})`, CLOCK),
  truncate: {
    group: "time",
    english: "the start of the unit",
    args: [word(...DAYS, ...HOURS), TIME],
    result: ([unit, time]) => ownOf(unit, time),
    sql: ([unit = "", time], { result }) => cast(`date_trunc(${quoteLiteral(unit)}, ${time})`, result),
  },
  difference: {
    group: "time",
    english: "the number of whole units from the first time to the second",
    args: [word(...DAYS, ...HOURS), TIME, TIME],
    result: () => INT32,
    sql: ([unit = "", a = "", b = ""]) =>
      cast(`date_sub(${quoteLiteral(unit)}, ${cast(a, TIMESTAMP)}, ${cast(b, TIMESTAMP)})`, INT32),
  },
  make_date: {
    group: "time",
    english: "the date of year, month and day; null if it does not exist",
    args: [WHOLE, WHOLE, WHOLE],
    result: () => DATE,
    sql: ([y = "", m = "", d = ""], { name }) => {
      const [year, month, day] = [
        name(cast(y, { ...INT32, duckdb: "BIGINT" })),
        name(`CAST(${m} AS BIGINT)`),
        name(`CAST(${d} AS BIGINT)`),
      ];
      const sound = `${year} BETWEEN 1 AND 9999 AND ${month} BETWEEN 1 AND 12 AND ${day} BETWEEN 1 AND 31`;
      return `CASE WHEN ${sound} THEN TRY_CAST(printf('%04d-%02d-%02d', ${year}, ${month}, ${day}) AS DATE) END`;
    },
  },
  end_of_month: {
    group: "time",
    english: "the last day of its month",
    args: [TIME],
    result: () => DATE,
    sql: ([x]) => `last_day(${x})`,
  },
  to_date: {
    group: "time",
    english: "the day in a time zone",
    args: [INSTANT, { kind: "zone" }],
    result: () => DATE,
    sql: ([x, zone = ""]) => `CAST(timezone(${quoteLiteral(zone)}, ${x}) AS DATE)`,
  },
  at_midnight: {
    group: "time",
    english: "the start of a day in a time zone",
    args: [DAY, { kind: "zone" }],
    result: () => TIMESTAMP,
    sql: ([x, zone = ""]) => `timezone(${quoteLiteral(zone)}, CAST(${x} AS TIMESTAMP))`,
  },
  epoch: {
    group: "time",
    english: "seconds since 1970",
    args: [INSTANT],
    result: () => FLOAT64,
    sql: ([x]) => `CAST(epoch(${x}) AS DOUBLE)`,
  },
};
