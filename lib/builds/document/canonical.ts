import { isLosslessNumber } from "lossless-json";
import { parseExact } from "@/lib/engine/types/exact-number";

/** A number with more digits than this is written with an exponent, so that `1e400` remains short. */
const PLAIN_DIGITS = 40;

/**
 * JSON text that is equal for equal documents: keys sorted by code unit, no blanks, numbers in one spelling.
 * Takes trees of `parseJsonBody`, whose numbers are LosslessNumber.
 */
export function canonicalJson(value: unknown): string {
  if (isLosslessNumber(value)) return canonicalNumber(value.value);
  if (typeof value === "number") return canonicalNumber(String(value));
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`)
    .join(",")}}`;
}

/** The same tree with its keys in the canonical order; numbers as they were written. */
export function inKeyOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inKeyOrder);
  if (typeof value !== "object" || value === null || isLosslessNumber(value)) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([key, member]) => [key, inKeyOrder(member)]));
}

/** `1.50`, `15e-1` and `1.5` are all `1.5`. Numbers with too many digits to parse are kept unchanged. */
export function canonicalNumber(text: string): string {
  const exact = parseExact(text);
  if (!exact) return text;
  const { coefficient, exponent } = exact;
  const [sign, digits] = coefficient < 0n ? ["-", String(-coefficient)] : ["", String(coefficient)];
  if (exponent >= 0 && digits.length + exponent <= PLAIN_DIGITS) return sign + digits + "0".repeat(exponent);
  if (exponent < 0 && -exponent <= PLAIN_DIGITS) {
    const padded = digits.padStart(1 - exponent, "0");
    return `${sign}${padded.slice(0, exponent)}.${padded.slice(exponent)}`;
  }
  return `${sign}${digits}e${exponent}`;
}
