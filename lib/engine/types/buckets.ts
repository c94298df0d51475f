import type { ColumnType, Family } from "./column-type";
import { DATE } from "./dates";
import { INT32 } from "./integers";
import { TIMESTAMP, utcSql } from "./timestamps";

/** What the values of a date or timestamp column are grouped by instead of themselves. */
export interface Bucket {
  families: readonly Family[];
  result: ColumnType;
  /** DuckDB's name of what `sql` gives. */
  storage: string;
  /** `value` is a date, or a timestamp in UTC without a zone. */
  sql: (value: string) => string;
  english: string;
}

export type BucketName =
  | "year"
  | "quarter"
  | "month"
  | "week"
  | "day"
  | "hour"
  | "minute"
  | "month_of_year"
  | "day_of_week"
  | "hour_of_day";

const DAYS: readonly Family[] = ["date", "timestamp"];
const INSTANTS: readonly Family[] = ["timestamp"];

const spanOfDays = (name: string, english: string): Bucket => ({
  families: DAYS,
  result: DATE,
  storage: "DATE",
  sql: (value) => `CAST(date_trunc('${name}', ${value}) AS DATE)`,
  english,
});

/**
 * A span whose first day is as many days back as `part` says, from 1. Days are counted since DuckDB's date_trunc takes
 * three times as long for the same result. Infinite dates are a group as they are.
 */
const spanBack = (part: string, english: string): Bucket => ({
  ...spanOfDays(english, english),
  sql: (value) => {
    const day = `CAST(${value} AS DATE)`;
    return `CASE WHEN isfinite(${day}) THEN ${day} - CAST(${part}(${day}) - 1 AS INTEGER) ELSE ${day} END`;
  },
});

const spanOfTime = (name: string): Bucket => ({
  families: INSTANTS,
  result: TIMESTAMP,
  storage: "TIMESTAMP",
  sql: (value) => `date_trunc('${name}', ${value})`,
  english: name,
});

const part = (name: string, families: readonly Family[], english: string): Bucket => ({
  families,
  result: INT32,
  storage: "INTEGER",
  sql: (value) => `CAST(${name}(${value}) AS INTEGER)`,
  english,
});

/** THE buckets of `group_by`: spans by their start, and parts of the calendar as numbers. All in UTC. */
export const BUCKETS: Readonly<Record<BucketName, Bucket>> = {
  year: spanBack("dayofyear", "year"),
  quarter: spanOfDays("quarter", "quarter"),
  month: spanBack("day", "month"),
  week: spanBack("isodow", "week (from Monday)"),
  day: { ...spanOfDays("day", "day"), sql: (value) => `CAST(${value} AS DATE)` },
  hour: spanOfTime("hour"),
  minute: spanOfTime("minute"),
  month_of_year: part("month", DAYS, "month of the year (1 to 12)"),
  day_of_week: part("isodow", DAYS, "day of the week (1 Monday to 7 Sunday)"),
  hour_of_day: part("hour", INSTANTS, "hour of the day (0 to 23)"),
};

export function isBucketName(name: string): name is BucketName {
  return Object.hasOwn(BUCKETS, name);
}

/** Buckets that apply to a column type, in the table's order. */
export const bucketsFor = ({ family }: ColumnType): string[] =>
  Object.entries(BUCKETS).flatMap(([name, { families }]) => (families.includes(family) ? [name] : []));

/** SQL of a column's bucket. A zone would make DuckDB truncate seven times slower, for the same result in UTC. */
export function bucketSql(name: BucketName, ref: string, type: ColumnType, storage: string): string {
  return BUCKETS[name].sql(type.family === "timestamp" ? utcSql(ref, storage) : ref);
}
