import type { ColumnType, Family } from "./column-type";
import { DATE } from "./dates";
import { INT32, INT64 } from "./integers";
import { FIRST_INSTANT_US, TIMESTAMP, utcSql } from "./timestamps";
import { localSql, localStartSql, type Zoned } from "./zoned-sql";

/** What rows can be grouped by in place of a column's values: spans and parts of times, lengths, items of lists. */
export interface Bucket {
  families: readonly Family[];
  /** Families of items: applies to lists of them. */
  ofItems?: readonly Family[];
  result: (type: ColumnType) => ColumnType;
  /** DuckDB's name for the type of `ofKey`, which is read from a column of that storage. */
  storage: (storage: string) => string;
  /** Each row is in the group of every distinct item, so that groups overlap. `key` is then of an item. */
  isOfItems?: true;
  /**
   * SQL of the key that rows are grouped by: a whole number where possible, since DuckDB groups small numbers of them
   * without hashing. `value` is a date, or a timestamp in UTC without a zone, in the years 1 to 9999.
   */
  key: (value: string) => string;
  /** SQL of a group's value, from its key. */
  ofKey: (key: string) => string;
  /**
   * SQL of a group's place among the others, from its value: a whole number, 1 apart for neighbours. Absent where
   * values have no fixed distance.
   */
  place?: (value: string) => string;
  /** Of spans whose groups are named by an instant: their length. */
  microseconds?: number;
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
  | "hour_of_day"
  | "length"
  | "element";

const DAYS: readonly Family[] = ["date", "timestamp"];
const INSTANTS: readonly Family[] = ["timestamp"];

interface Span {
  english: string;
  key: (value: string) => string;
  ofKey?: (key: string) => string;
  place?: (value: string) => string;
}

const spanOfDays = ({ english, key, ofKey = asIs, place = key }: Span): Bucket => ({
  families: DAYS,
  result: () => DATE,
  storage: () => "DATE",
  key,
  ofKey,
  place,
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
const spanOfTime = (english: string, microseconds: number): Bucket => {
  const key = (value: string) => `(epoch_us(${value}) + ${FIRST_INSTANT_US}) // ${microseconds}`;
  return {
    families: INSTANTS,
    result: () => TIMESTAMP,
    storage: () => "TIMESTAMP",
    key,
    ofKey: (count) => `make_timestamp((${count}) * ${microseconds} - ${FIRST_INSTANT_US})`,
    place: key,
    microseconds,
    english,
  };
};

const part = (name: string, families: readonly Family[], english: string): Bucket => ({
  families,
  result: () => INT32,
  storage: () => "INTEGER",
  key: (value) => `${name}(${value})`,
  ofKey: (key) => `CAST(${key} AS INTEGER)`,
  place: asIs,
  english,
});

const GROUPABLE: readonly Family[] = ["numeric", "text", "boolean", "date", "timestamp", "uuid", "time"];

/** DuckDB's name for the type of a list's items. */
const itemStorage = (storage: string): string => storage.replace(/\[\d*\]$/, "");

/** THE buckets of `group_by`: spans by their start, and parts of the calendar as numbers, in UTC or a zone; then of lists. */
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
  day: spanOfDays({
    english: "day",
    key: (value) => `CAST(${value} AS DATE)`,
    place: (value) => `(${value} - DATE '0001-01-01')`,
  }),
  hour: spanOfTime("hour", 3_600_000_000),
  minute: spanOfTime("minute", 60_000_000),
  month_of_year: part("month", DAYS, "month of the year (1 to 12)"),
  day_of_week: part("isodow", DAYS, "day of the week (1 Monday to 7 Sunday)"),
  hour_of_day: part("hour", INSTANTS, "hour of the day (0 to 23)"),
  length: {
    families: ["text"],
    ofItems: [...GROUPABLE, "opaque"],
    result: () => INT64,
    storage: () => "BIGINT",
    key: (value) => `length(${value})`,
    ofKey: asIs,
    place: asIs,
    english: "length (characters or items)",
  },
  element: {
    families: [],
    ofItems: GROUPABLE,
    result: (type) => type.item ?? type,
    storage: (storage) => (itemStorage(storage).startsWith("TIMESTAMP") ? "TIMESTAMP" : itemStorage(storage)),
    isOfItems: true,
    key: asIs,
    ofKey: asIs,
    english: "item",
  },
};

export function isBucketName(name: string): name is BucketName {
  return Object.hasOwn(BUCKETS, name);
}

/** Buckets that apply to a column type, in the table's order. */
export const bucketsFor = ({ family, item }: ColumnType): string[] =>
  Object.entries(BUCKETS).flatMap(([name, { families, ofItems }]) =>
    families.includes(family) || (item && ofItems?.includes(item.family)) ? [name] : [],
  );

/** Whether a bucket of a column can be of local times. */
export const takesZone = (name: BucketName, { family }: ColumnType): boolean =>
  family === "timestamp" && BUCKETS[name].families.includes(family);

/** SQL for grouping by a bucket of a column, or of an item: the key, and the value of a group. */
export function bucketSql(name: BucketName, ref: string, column: ColumnType, storage: string, zoned?: Zoned): GroupSql {
  const { key, ofKey, isOfItems, microseconds } = BUCKETS[name];
  const type = (isOfItems && column.item) || column;
  const stored = isOfItems ? itemStorage(storage) : storage;
  const value = type.family === "timestamp" ? utcSql(ref, stored) : ref;
  const start = zoned && microseconds && localStartSql(value, microseconds, zoned);
  if (start) return { key: start, value: `make_timestamp(${start})` };
  const sql = key(zoned && !microseconds ? localSql(value, zoned) : value);
  return { key: sql, value: ofKey(sql) };
}

/**
 * SQL of a list's distinct items. DuckDB's `list_distinct` drops nulls, and finds zeros of both signs, and all NaN,
 * equal, as groups do.
 */
export const itemsSql = (ref: string): string =>
  `list_distinct(${ref}) || CASE WHEN length(${ref}) > list_count(${ref}) THEN [NULL] ELSE [] END`;

/** SQL of a group: the key that rows are grouped by, and the group's value, expressed by that same key. */
export interface GroupSql {
  key: string;
  value: string;
}
