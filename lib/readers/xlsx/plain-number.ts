const NUMBER = /^([+-]?)(\d+)?(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;
/** Digits with which every double can be written so that it is read back. */
const DOUBLE_DIGITS = 17;

/**
 * A workbook's number with all its digits, without exponent and without zeros that say nothing; undefined if it is not
 * a number, or beyond the range of a double. Excel writes 1.1 as 1.1000000000000001: 17 digits that are those of a
 * double stand for this double, which is written with the fewest digits, as Excel shows it. All others are kept.
 */
export function plainNumber(text: string): string | undefined {
  const digits = plainDigits(text);
  if (digits === undefined) return undefined;
  const value = Number(text);
  if (!Number.isFinite(value) || (value === 0) !== (digits === "0")) return undefined;
  const significant = significantOf(digits);
  const isDouble =
    significant.length >= DOUBLE_DIGITS - 1 &&
    significant === significantOf(plainDigits(value.toExponential(DOUBLE_DIGITS - 1)) ?? "");
  return isDouble ? plainDigits(String(value)) : digits;
}

/** The same number without an exponent, exactly. */
function plainDigits(text: string): string | undefined {
  const [, sign, whole = "", fraction = "", exponent = "0"] = NUMBER.exec(text) ?? [];
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (digits === "" || Math.abs(point) > digits.length + 400) return /^[+-]?0+(?:[eE]|$)/.test(text) ? "0" : undefined;
  const before = withoutStart(digits.slice(0, Math.max(0, point)).padEnd(point, "0"));
  const after = withoutEnd("0".repeat(Math.max(0, -point)) + digits.slice(Math.max(0, point)));
  const plain = `${before || "0"}${after && `.${after}`}`;
  return sign === "-" && plain !== "0" ? `-${plain}` : plain;
}

const significantOf = (plain: string): string => withoutEnd(withoutStart(plain.replace(/[-.]/g, "")));

function withoutStart(digits: string): string {
  let start = 0;
  while (digits[start] === "0") start += 1;
  return digits.slice(start);
}

function withoutEnd(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === "0") end -= 1;
  return digits.slice(0, end);
}
