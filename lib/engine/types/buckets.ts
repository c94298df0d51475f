import type { ColumnType, Family } from "./column-type";
import { DATE } from "./dates";
import { INT32 } from "./integers";
import { TIMESTAMP, utcSql } from "./timestamps";

/** A span of time or part of the calendar that a date or timestamp column can be grouped by. */
export interface Bucket {
  families: readonly Family[];
  result: ColumnType;
  /** DuckDB's name for the type of `ofKey`. */
  storage: string;
  /**
   * SQL of the key that rows are grouped by: a whole number where possible, since DuckDB groups small numbers of them
   * without hashing. `value` is a date, or a timestamp in UTC without a zone, in the years 1 to 9999.
   */
  key: (value: string) => string;
  /** SQL of a group's value, from its key. */
  ofKey: (key: string) => string;
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

interface Span {
  english: string;
  key: (value: string) => string;
  ofKey?: (key: string) => string;
}

const spanOfDays = ({ english, key, ofKey = asIs }: Span): Bucket => ({
  families: DAYS,
  result: DATE,
  storage: "DATE",
  key,
  ofKey,
  english,
});

const asIs = (key: string): string => key;

/** Spans of which there are `parts` per year, each with the same number of months. */
const spanOfMonths = (english: string, parts: number): Bucket =>
  spanOfDays({
    english,
    key: (value) => `year(${value}) * ${parts} + ${english}(${value}) - 1`,
    ofKey: (key) => `make_date((${key}) // ${parts}, (${key}) % ${parts} * ${12 / parts} + 1, 1)`,
  });

/** Spans of time are counted from the first instant of the year 1, which is also a Monday. */
const FIRST_INSTANT_US = 62_135_596_800_000_000n;

const spanOfTime = (english: string, microseconds: number): Bucket => ({
  families: INSTANTS,
  result: TIMESTAMP,
  storage: "TIMESTAMP",
  key: (value) => `(epoch_us(${value}) + ${FIRST_INSTANT_US}) // ${microseconds}`,
  ofKey: (key) => `make_timestamp((${key}) * ${microseconds} - ${FIRST_INSTANT_US})`,
  english,
});

const part = (name: string, families: readonly Family[], english: string): Bucket => ({
  families,
  result: INT32,
  storage: "INTEGER",
  key: (value) => `${name}(${value})`,
  ofKey: (key) => `CAST(${key} AS INTEGER)`,
  english,
});

/** THE buckets of `group_by`: spans by their start, and parts of the calendar as numbers. All in UTC. */
export const BUCKETS: Readonly<Record<BucketName, Bucket>> = {
  year: spanOfDays({
    english: "year",
    key: (value) => `year(${value})`,
    ofKey: (key) => `make_date(${key}, 1, 1)`,
  }),
  quarter: spanOfMonths("quarter", 4),
  month: spanOfMonths("month", 12),
  week: spanOfDays({
    english: "week (from Monday)",
    key: (value) => `(CAST(${value} AS DATE) - DATE '0001-01-01') // 7`,
    ofKey: (key) => `DATE '0001-01-01' + CAST((${key}) * 7 AS INTEGER)`,
  }),
  day: spanOfDays({ english: "day", key: (value) => `CAST(${value} AS DATE)` }),
  hour: spanOfTime("hour", 3_600_000_000),
  minute: spanOfTime("minute", 60_000_000),
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

/** SQL for grouping by a bucket of a column: the key, and the value of a group. */
export function bucketSql(name: BucketName, ref: string, type: ColumnType, storage: string): GroupSql {
  const { key, ofKey } = BUCKETS[name];
  const sql = key(type.family === "timestamp" ? utcSql(ref, storage) : ref);
  return { key: sql, value: ofKey(sql) };
}

/** SQL of a group: the key that rows are grouped by, and the group's value, expressed by that same key. */
export interface GroupSql {
  key: string;
  value: string;
}
