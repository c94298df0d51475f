import type { LosslessNumber } from "lossless-json";
import type { Cell, Column } from "./evaluator";

/** Buckets and widths of group_by, by independent calendar arithmetic: a part of the second implementation. */

export interface GroupEntry {
  column: string;
  bucket?: string;
  width?: LosslessNumber | number;
  as?: string;
  zone?: string;
}

const DAY = 86_400_000_000n;
const SPANS: Readonly<Record<string, bigint>> = { hour: 3_600_000_000n, minute: 60_000_000n };

export const entryOf = (entry: string | GroupEntry): GroupEntry =>
  typeof entry === "string" ? { column: entry } : entry;

/** The column that an entry gives. */
export function groupColumn({ bucket, as, column }: GroupEntry, { type }: Column): Column {
  const name = as ?? column;
  if (bucket === undefined) return { name, type };
  if (bucket === "length") return { name, type: "int64" };
  if (bucket in SPANS) return { name, type: "timestamp" };
  return { name, type: bucket.includes("_of_") ? "int32" : "date" };
}

/** The group that a cell is in. */
export function groupOf(cell: Cell, { bucket, width, zone }: GroupEntry, type: string): Cell {
  if (cell === null) return null;
  if (width !== undefined) return lowerEdge(cell as number | bigint, String(width), type);
  if (bucket === "length") return BigInt([...String(cell)].length);
  if (bucket === undefined) return cell;
  return zone === undefined ? bucketOf(cell as bigint, type, bucket) : zonedBucketOf(cell as bigint, bucket, zone);
}

/** The instants that timestamps can be, in microseconds: the years 1 to 9999. */
const [FIRST_INSTANT, AFTER_LAST] = [-62_135_596_800_000_000n, 253_402_300_800_000_000n];

/** Why a query has no result: a group is not in the years 1 to 9999. */
export class GroupOutside extends Error {}

const inYears = (instant: bigint): bigint => {
  if (instant < FIRST_INSTANT || instant >= AFTER_LAST) throw new GroupOutside(String(instant));
  return instant;
};

/** Of local time, whose fields Intl writes for one instant after the other. */
function zonedBucketOf(cell: bigint, bucket: string, zone: string): Cell {
  const local = cell + offsetAt(cell, zone);
  const span = SPANS[bucket];
  return span === undefined
    ? bucketOf(inYears(local), "timestamp", bucket)
    : inYears(startOfSpan(cell, local, span, zone));
}

/** The first instant of a span of local time, all of which has the same offset. */
function startOfSpan(cell: bigint, local: bigint, span: bigint, zone: string): bigint {
  let start = cell - (local - floorDiv(local, span) * span);
  if (offsetAt(start, zone) === local - cell) return start;
  for (let end = cell; ; ) {
    const middle = floorDiv(start + end, 2n);
    if (middle === start) return end;
    if (offsetAt(middle, zone) === local - cell) end = middle;
    else start = middle;
  }
}

const FIELDS = ["year", "month", "day", "hour", "minute", "second"] as const;
const formats = new Map<string, Intl.DateTimeFormat>();

/** Local time minus UTC, in microseconds. */
export function offsetAt(instant: bigint, timeZone: string): bigint {
  const named = FIELDS.map((field) => [field, "numeric"] as const);
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat("en-US", { ...Object.fromEntries(named), timeZone, hourCycle: "h23", era: "short" });
  formats.set(timeZone, format);
  const seconds = floorDiv(instant, 1_000_000n);
  const parts = new Map(format.formatToParts(Number(seconds) * 1000).map(({ type, value }) => [type, value]));
  const [year = 0, month = 1, day, hour, minute, second] = FIELDS.map((field) => Number(parts.get(field)));
  const midnight = new Date(0).setUTCFullYear(parts.get("era") === "BC" ? 1 - year : year, month - 1, day);
  const local = BigInt(midnight) / 1000n + BigInt(hour ?? 0) * 3600n + BigInt(minute ?? 0) * 60n + BigInt(second ?? 0);
  return (local - seconds) * 1_000_000n;
}

function lowerEdge(cell: number | bigint, width: string, type: string): Cell {
  if (typeof cell === "number") return floatEdge(cell, width, type === "float32" ? Math.fround : Number);
  const scale = Number(/,(\d+)\)$/.exec(type)?.[1] ?? 0);
  const [whole = "", fraction = ""] = width.split(".");
  const by = BigInt(whole + fraction.padEnd(scale, "0"));
  return floorDiv(cell, by) * by;
}

/** The greatest multiple of the width that, rounded to the column's type, is not above the cell: by exact fractions. */
export function floatEdge(cell: number, width: string, round: (value: number) => number): number {
  if (!Number.isFinite(cell)) return cell;
  const [digits = "", exponent = "0"] = width.toLowerCase().split("e");
  const [whole = "", fraction = ""] = digits.split(".");
  const coefficient = BigInt(whole + fraction);
  const edge = (k: bigint) => round(Number(`${k * coefficient}e${Number(exponent) - fraction.length}`)) + 0;
  const power = Number(exponent) - fraction.length;
  const [above, below] = fractionOf(cell);
  let k = floorDiv(above * tenTo(-power), below * coefficient * tenTo(power));
  while (edge(k) !== cell && edge(k + 1n) <= cell) k += 1n;
  while (edge(k) > cell) k -= 1n;
  return edge(k);
}

const tenTo = (power: number): bigint => 10n ** BigInt(Math.max(0, power));

/** A double as an exact fraction. */
function fractionOf(value: number): [numerator: bigint, denominator: bigint] {
  let denominator = 1n;
  let scaled = value;
  for (; !Number.isInteger(scaled); denominator *= 2n ** 20n) scaled *= 2 ** 20;
  return [BigInt(scaled), denominator];
}

function bucketOf(cell: bigint, type: string, bucket: string): Cell {
  const span = SPANS[bucket];
  if (span !== undefined) return floorDiv(cell, span) * span;
  if (bucket === "hour_of_day") return (cell - floorDiv(cell, DAY) * DAY) / 3_600_000_000n;
  const days = type === "date" ? cell : floorDiv(cell, DAY);
  const weekday = days + 3n - floorDiv(days + 3n, 7n) * 7n;
  if (bucket === "day_of_week") return weekday + 1n;
  if (bucket === "week") return days - weekday;
  return ofCalendar(days, bucket);
}

function ofCalendar(days: bigint, bucket: string): bigint {
  const date = new Date(Number(days) * 86_400_000);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  if (bucket === "month_of_year") return BigInt(month + 1);
  if (bucket === "day") return days;
  const start = bucket === "year" ? 0 : bucket === "quarter" ? month - (month % 3) : month;
  return BigInt(new Date(0).setUTCFullYear(year, start, 1)) / 86_400_000n;
}

/** Division rounded down, also for negative numbers. */
function floorDiv(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b < 0n ? quotient - 1n : quotient;
}
