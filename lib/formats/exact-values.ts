import { isLosslessNumber, stringify } from "lossless-json";
import type { Value } from "./page-rows";

/** A number's digits as written; "0" for null. */
export const digitsOf = (value: Value): string =>
  isLosslessNumber(value) ? value.value : value === null ? "0" : String(value);

/** A decimal's digits as a whole number of its smallest units. */
export function unitsOf(digits: string, scale: number): bigint {
  const [whole = "0", fraction = ""] = digits.replace("-", "").split(".");
  const units = BigInt(whole + fraction.padEnd(scale, "0").slice(0, scale));
  return digits.startsWith("-") ? -units : units;
}

/** `hh:mm:ss[.ffffff]` in microseconds after midnight. */
export function timeOf(value: Value): bigint {
  const [hours = "0", minutes = "0", seconds = "0"] = String(value).split(":");
  return (BigInt(hours) * 3600n + BigInt(minutes) * 60n) * 1_000_000n + unitsOf(seconds, 6);
}

/** `YYYY-MM-DDThh:mm:ss[.ffffff]Z` in microseconds since 1970. */
export function instantOf(value: Value): bigint {
  const [date = "", time = ""] = String(value).replace(/Z$/, "").split("T");
  return BigInt(dayOf(date)) * 86_400_000_000n + timeOf(time);
}

const DAY_MS = 86_400_000;

/** `YYYY-MM-DD` in days since 1970. */
export function dayOf(value: Value): number {
  const [, sign = "", year = "", month = "", day = ""] = /^(-?)(\d+)-(\d\d)-(\d\d)$/.exec(String(value)) ?? [];
  if (year === "") throw new Error(`Not a date: ${String(value)}`);
  return new Date(0).setUTCFullYear(Number(`${sign}${year}`), Number(month) - 1, Number(day)) / DAY_MS;
}

/** A value as JSON text, its numbers digit for digit. */
export const jsonOf = (value: Value): string => stringify(value) ?? "null";

/** Parses a whole number from its JSON: digits, or a string that its type's row reads. */
export const wholeReader =
  (form: { read?(text: string): bigint }) =>
  (value: Value): bigint =>
    form.read ? form.read(String(value)) : BigInt(digitsOf(value));
