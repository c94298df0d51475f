import type { BucketName } from "./buckets";

/** The start of the span after the one that starts at `start`; parts of the calendar are not spans. */
const NEXT: Readonly<Partial<Record<BucketName, (start: Date) => void>>> = {
  year: (start) => start.setUTCFullYear(start.getUTCFullYear() + 1),
  quarter: (start) => start.setUTCMonth(start.getUTCMonth() + 3),
  month: (start) => start.setUTCMonth(start.getUTCMonth() + 1),
  week: (start) => start.setUTCDate(start.getUTCDate() + 7),
  day: (start) => start.setUTCDate(start.getUTCDate() + 1),
  hour: (start) => start.setUTCHours(start.getUTCHours() + 1),
  minute: (start) => start.setUTCMinutes(start.getUTCMinutes() + 1),
};

/** Whether a bucket's groups are spans of time, rather than parts of the calendar. */
export const isSpan = (bucket: BucketName): boolean => NEXT[bucket] !== undefined;

/** The end of the span that starts at an instant, in milliseconds since 1970. */
export function spanEnd(start: number, bucket: BucketName): number {
  const end = new Date(start);
  NEXT[bucket]?.(end);
  return end.getTime();
}

const DAY_MS = 86_400_000;
/** 5 January 1970 was a Monday. */
const MONDAY = 4 * DAY_MS;

/** The start of the span that an instant lies in; itself for parts of the calendar. */
export function spanStart(instant: number, bucket: BucketName): number {
  const at = new Date(instant);
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()];
  const floor = (length: number, from = 0) => Math.floor((instant - from) / length) * length + from;
  if (bucket === "week") return floor(7 * DAY_MS, MONDAY);
  if (bucket === "day") return floor(DAY_MS);
  if (bucket === "hour") return floor(3_600_000);
  if (bucket === "minute") return floor(60_000);
  if (bucket === "year") return startOf(year, 0);
  if (bucket === "quarter") return startOf(year, month - (month % 3));
  return bucket === "month" ? startOf(year, month) : instant;
}

/** `Date.UTC` takes the years 0 to 99 for 1900 to 1999. */
const startOf = (year: number, month: number): number => new Date(0).setUTCFullYear(year, month, 1);

/** Spans that are longer come later, each with the unit that its rows can lack at an end. */
const UNITS: readonly (readonly [span: BucketName, unit: BucketName])[] = [
  ["hour", "minute"],
  ["day", "hour"],
  ["week", "day"],
  ["month", "day"],
  ["quarter", "month"],
  ["year", "month"],
];

/**
 * The unit that the first or the last span of a bucket can lack, and the longer ones, shortest first, that it is if all
 * values are at their starts, as in monthly data. Undefined for parts of the calendar, and for hours of dates.
 */
export function unitsOf(
  bucket: BucketName,
  isInstant: boolean,
): { unit: BucketName; longer: BucketName[] } | undefined {
  const spans = UNITS.map(([span]) => span);
  const unit = UNITS.find(([span]) => span === bucket)?.[1];
  if (unit === undefined || (!isInstant && (unit === "hour" || unit === "minute"))) return undefined;
  return { unit, longer: spans.slice(spans.indexOf(unit) + 1) };
}

/**
 * The starts of the first and the last span of values that lie between two instants, each only if the values do not
 * reach into the first, or the last, unit that begins in it.
 */
export function partialEnds(
  [low, high]: readonly [number, number],
  bucket: BucketName,
  unit: BucketName,
): { first?: number; last?: number } {
  const [first, last] = [spanStart(low, bucket), spanStart(high, bucket)];
  const whole = spanStart(first, unit);
  const firstUnit = whole === first ? first : spanEnd(whole, unit);
  const lastUnit = spanStart(spanEnd(last, bucket) - 1, unit);
  return { ...(low >= spanEnd(firstUnit, unit) && { first }), ...(high < lastUnit && { last }) };
}
