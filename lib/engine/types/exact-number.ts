import { withoutEnd } from "@/lib/kernel/trim-signs";

/** Exactly coefficient × 10^exponent; zero has exponent 0. */
export interface ExactNumber {
  coefficient: bigint;
  exponent: number;
}

/** A number at a fixed scale: the whole coefficients just below and above, equal if nothing was lost. */
export interface Quantised {
  floor: bigint;
  ceil: bigint;
}

/** No column type can distinguish values beyond this many digits on either side of the point. */
const DIGITS_MAX = 400;

/** Longer strings are rejected before their digits are read, as no column value needs that many. */
export const NUMBER_LENGTH_MAX = 1000;

/**
 * Parses a JSON number from its digits. Undefined for text that is not a number or too long; any exponent costs the
 * same.
 */
export function parseExact(text: string): ExactNumber | undefined {
  const match = text.length > NUMBER_LENGTH_MAX ? null : /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text);
  if (!match) return undefined;
  const fraction = withoutEnd(match[3] ?? "", "0");
  const significant = `${match[2]}${fraction}`.replace(/^0+/, "");
  const digits = withoutEnd(significant, "0");
  if (digits === "") return { coefficient: 0n, exponent: 0 };
  const exponent = Number(match[4] ?? 0) - fraction.length + (significant.length - digits.length);
  return { coefficient: BigInt(`${match[1]}${digits}`), exponent };
}

/** The fault of a number that is too long to parse. Undefined if it is short enough. */
export function lengthFault(text: string): string | undefined {
  if (text.length <= NUMBER_LENGTH_MAX) return undefined;
  return `Number too long: ${text.length} characters (maximum ${NUMBER_LENGTH_MAX}).`;
}

/** The nearest whole coefficients at `scale` decimals. Undefined if the number is beyond every type's range. */
export function quantise(number: ExactNumber, scale: number): Quantised | undefined {
  const shift = number.exponent + scale;
  if (number.coefficient === 0n) return { floor: 0n, ceil: 0n };
  const digits = number.coefficient.toString().length;
  if (digits + shift > DIGITS_MAX) return undefined;
  if (shift >= 0) return same(number.coefficient * 10n ** BigInt(shift));
  if (digits + shift < 0) return number.coefficient > 0n ? { floor: 0n, ceil: 1n } : { floor: -1n, ceil: 0n };
  return divide(number.coefficient, 10n ** BigInt(-shift));
}

/** The coefficient as plain decimal text: (150n, 2) is "1.50". */
export function formatScaled(coefficient: bigint, scale: number): string {
  const sign = coefficient < 0n ? "-" : "";
  const digits = (coefficient < 0n ? -coefficient : coefficient).toString().padStart(scale + 1, "0");
  return scale === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** A whole number within the safe range, however it is written (100, 1e2, 100.0). Undefined for any other. */
export function wholeNumber(text: string): number | undefined {
  const exact = parseExact(text);
  const at = exact && quantise(exact, 0);
  if (!at || at.floor !== at.ceil) return undefined;
  const value = Number(at.floor);
  return Number.isSafeInteger(value) ? value : undefined;
}

function same(value: bigint): Quantised {
  return { floor: value, ceil: value };
}

function divide(coefficient: bigint, divisor: bigint): Quantised {
  const quotient = coefficient / divisor;
  if (coefficient % divisor === 0n) return same(quotient);
  return coefficient > 0n ? { floor: quotient, ceil: quotient + 1n } : { floor: quotient - 1n, ceil: quotient };
}

/** Negative, zero or positive if a is less than, equal to or greater than b. */
export function compareExact(a: ExactNumber, b: ExactNumber): number {
  const signs = sign(a) - sign(b);
  if (signs !== 0 || a.coefficient === 0n) return signs;
  const sizes = magnitude(a) - magnitude(b);
  if (sizes !== 0) return sizes * sign(a);
  const exponent = Math.min(a.exponent, b.exponent);
  const difference =
    a.coefficient * 10n ** BigInt(a.exponent - exponent) - b.coefficient * 10n ** BigInt(b.exponent - exponent);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** Like `compareExact`, for strings. Undefined if one is not a number. */
export function compareNumbers(a: string, b: string): number | undefined {
  const [x, y] = [parseExact(a), parseExact(b)];
  return x && y ? compareExact(x, y) : undefined;
}

function sign(number: ExactNumber): number {
  return number.coefficient < 0n ? -1 : number.coefficient > 0n ? 1 : 0;
}

/** The power of ten just above the number. */
function magnitude(number: ExactNumber): number {
  return number.coefficient.toString().replace("-", "").length + number.exponent;
}
