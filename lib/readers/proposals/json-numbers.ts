import { compareExact, NUMBER_LENGTH_MAX, parseExact } from "@/lib/engine/types/exact-number";

const INT64_MAX = 2n ** 63n - 1n;
const DECIMAL_DIGITS = 38;
const INTEGER = /^(?:0|-?[1-9]\d*)$/;

/** The type that keeps every digit of these JSON numbers, in the order in which runs try them. */
export function numberType(numbers: readonly string[]): string {
  if (numbers.every(isInt64)) return "int64";
  if (numbers.every((text) => INTEGER.test(text) && text.replace("-", "").length <= DECIMAL_DIGITS))
    return "decimal(38,0)";
  return numbers.every(isDouble) ? "float64" : "json";
}

function isInt64(text: string): boolean {
  if (!INTEGER.test(text) || text.length > 20) return false;
  const value = BigInt(text);
  return value <= INT64_MAX && value >= -INT64_MAX - 1n;
}

/** Whether the nearest double prints as the same number. */
export function isDouble(text: string): boolean {
  const value = Number(text);
  if (!Number.isFinite(value) || text.length > NUMBER_LENGTH_MAX) return false;
  const [own, printed] = [parseExact(text), parseExact(String(value))];
  return own !== undefined && printed !== undefined && compareExact(own, printed) === 0;
}
