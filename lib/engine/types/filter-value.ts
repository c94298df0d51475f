import { isLosslessNumber, LosslessNumber } from "lossless-json";
import type { ColumnType, FilterValue, ReadValue } from "./column-type";

import { compareExact, formatScaled, lengthFault, parseExact, quantise } from "./exact-number";

/** Maximum length of a filter's string, in characters (Unicode code points). */
export const TEXT_MAX = 4096;

/** Used instead of Buffer, since pages check filters in the browser too. */
const UTF8 = new TextEncoder();

/** Parses a scalar of a filter. Rejects a value of another JSON type, malformed or outside the column type's range. */
export function readFilterValue(type: ColumnType, raw: unknown): ReadValue {
  if (raw === null) return { rejected: "null cannot be compared. Use is_null or is_not_null." };
  return type.readFilter(raw);
}

/** Whether a is greater than b in the column's order. */
export function isAbove(a: FilterValue, b: FilterValue): boolean {
  if (a.exact && b.exact) return compareExact(a.exact, b.exact) > 0;
  return compareBytes(UTF8.encode(a.text), UTF8.encode(b.text)) > 0;
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const at = a.findIndex((byte, index) => byte !== b[index]);
  return at < 0 ? a.length - b.length : (a[at] ?? -1) - (b[at] ?? -1);
}

/** A number of a type that stores whole coefficients, from `min` to `max`. */
export function readScaled(raw: unknown, scale: number, [min, max]: [bigint, bigint]): ReadValue {
  const exact = isLosslessNumber(raw) ? parseExact(raw.value) : undefined;
  if (!exact) return { rejected: notANumber(raw) };
  const quantised = quantise(exact, scale);
  if (!quantised || quantised.floor < min || quantised.ceil > max)
    return { rejected: `Expected a number from ${formatScaled(min, scale)} to ${formatScaled(max, scale)}.` };
  return { text: formatScaled(quantised.floor, scale), exact, quantised };
}

/** The same for a type whose values a double may not hold: also as a string, as `int64: "string"` returns them. */
export const readWide = (raw: unknown, scale: number, range: [bigint, bigint]): ReadValue =>
  readScaled(typeof raw === "string" && parseExact(raw) ? new LosslessNumber(raw) : raw, scale, range);

/** A number for a binary float, rounded to its precision. */
export function readFloat(raw: unknown, bits: 32 | 64): ReadValue {
  const exact = isLosslessNumber(raw) ? parseExact(raw.value) : undefined;
  if (!exact || !isLosslessNumber(raw)) return { rejected: notANumber(raw) };
  const value = bits === 32 ? Math.fround(Number(raw.value)) : Number(raw.value);
  return Number.isFinite(value)
    ? { text: String(value), exact }
    : { rejected: `Expected a number within the range of float${bits}.` };
}

function notANumber(raw: unknown): string {
  return (isLosslessNumber(raw) ? lengthFault(raw.value) : undefined) ?? "Expected a number.";
}

/** A string of up to 4,096 characters, unchanged. `kind` names the column's type. */
export function readText(raw: unknown, kind: string): ReadValue {
  if (typeof raw !== "string") return notText(kind);
  if (/\p{Surrogate}/u.test(raw)) return { rejected: "Expected well-formed Unicode without unpaired surrogates." };
  return raw.length > TEXT_MAX && [...raw].length > TEXT_MAX
    ? { rejected: `Expected at most ${TEXT_MAX} characters.` }
    : { text: raw };
}

export function readUuid(raw: unknown): ReadValue {
  if (typeof raw !== "string") return notText("uuid");
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(raw)
    ? { text: raw.toLowerCase() }
    : { rejected: "Expected a UUID of 36 characters." };
}

export function readDate(raw: unknown): ReadValue {
  if (typeof raw !== "string") return notText("date");
  return isDate(raw) ? { text: raw } : { rejected: "Expected a date, YYYY-MM-DD, in the years 0001 to 9999." };
}

/** Normalises to `YYYY-MM-DD hh:mm:ss.ffffff+00`, so that strings sort like instants. */
export function readTimestamp(raw: unknown): ReadValue {
  if (typeof raw !== "string") return notText("timestamp");
  const match = /^(\d{4}-\d{2}-\d{2})T((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d{1,6}))?Z$/.exec(raw);
  if (!match || !isDate(match[1] ?? ""))
    return { rejected: "Expected a timestamp in UTC, YYYY-MM-DDThh:mm:ss[.ffffff]Z, in the years 0001 to 9999." };
  return { text: `${match[1]} ${match[2]}.${(match[3] ?? "").padEnd(6, "0")}+00` };
}

const notText = (kind: string): ReadValue => ({ rejected: `Expected a string for a column of type ${kind}.` });

/** Whether it is a day that exists, YYYY-MM-DD, in the years 0001 to 9999. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8))];
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

/** Every cell of an inspected column may be asked, which with `Date` takes ten times as long. */
function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
