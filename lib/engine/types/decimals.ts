import { withoutEnd, withoutStart } from "@/lib/kernel/trim-signs";
import { matches, tryCast } from "./cell-sql";
import type { ColumnType, TypeFamily } from "./column-type";
import { compareNumbers } from "./exact-number";
import { readWide } from "./filter-value";

const WHOLE = /^(?:0|-?[1-9]\d*)$/;

/** A decimal of 1 to 38 digits, `scale` of them after the point. */
export function decimalType(precision: number, scale: number): ColumnType {
  const duckdb = `DECIMAL(${precision},${scale})`;
  const size = 10n ** BigInt(precision) - 1n;
  const digits = (ref: string) => decimalText(ref, precision === scale);
  const value = (x: string) => tryCast(x, duckdb);
  return {
    name: `decimal(${precision},${scale})`,
    family: "numeric",
    duckdb,
    number: { isFloat: false, scale },
    json: { kind: "number", digits, ...(scale > 0 && { text: digits }) },
    columnar: { kind: "decimal", precision, scale },
    readFilter: (raw) => readWide(raw, scale, [-size, size]),
    compareTexts: compareNumbers,
    source: {
      declared: { value, fits: (x, v) => `(${v} IS NOT NULL AND ${matches(x, declaredPattern(scale))})` },
      // The pattern is sufficient: casting text that is not a number to a decimal is 30 times slower than to any other
      // type.
      guessed: {
        value,
        fits: (x) => matches(x, `0|-?[1-9][0-9]{0,${precision - 1}}`),
        matches: (text) => WHOLE.test(text) && text.replace("-", "").length <= precision,
      },
      isKey: true,
    },
    profile: { isOrdered: true, isCounted: true, hasMoments: true, histogram: "real" },
    view: { measure: "number", editor: "number", hint: "0", usual: "gte", width: 24 },
    vocabulary: {
      croissant: "sc:Float",
      frictionless: { type: "number" },
      form: "a number with all its digits, including trailing zeros",
      example: "315.70",
    },
  };
}

/**
 * The type for numbers of so many digits before and after the point: room for 18 digits if that is enough, otherwise
 * for 38. Undefined if no decimal holds them.
 */
export function decimalOf(whole: number, scale: number): ColumnType | undefined {
  const precision = [18, 38].find((most) => whole + scale <= most);
  return precision === undefined ? undefined : decimalType(precision, scale);
}

/** SQL of the digits before and after the point in a number's text without an exponent, without needless zeros. */
export const digitsSql = (x: string): { whole: string; scale: string } => ({
  whole: `strlen(ltrim(split_part(replace(${x}, '-', ''), '.', 1), '0'))`,
  scale: `strlen(rtrim(split_part(${x}, '.', 2), '0'))`,
});

/** The same counts of one text. */
export function digitsOf(text: string): { whole: number; scale: number } {
  const [whole = "", fraction = ""] = text.replace("-", "").split(".");
  return { whole: withoutStart(whole, "0").length, scale: withoutEnd(fraction, "0").length };
}

/** Whether a type is a decimal of any precision. Integers are not. */
export const isDecimal = ({ columnar }: ColumnType): boolean => columnar.kind === "decimal";

/** All digits. DuckDB writes a number below one without its leading zero: `.5`, `-.5`. */
function decimalText(ref: string, isFraction: boolean): string {
  const text = `CAST(${ref} AS VARCHAR)`;
  return isFraction ? `CASE WHEN ${ref} < 0 THEN replace(${text}, '-.', '-0.') ELSE '0' || ${text} END` : text;
}

/** Digits with at most `scale` after the point, or more if they are zeros. */
const declaredPattern = (scale: number) =>
  String.raw`[-+]?([0-9]+(\.[0-9]{0,${scale}}0*)?|\.[0-9]{1,${Math.max(scale, 1)}}0*)`;

function ofParameters(match: RegExpExecArray | null): ColumnType | undefined {
  if (!match) return undefined;
  const [precision, scale] = [Number(match[1]), Number(match[2])];
  return precision >= 1 && precision <= 38 && scale <= precision ? decimalType(precision, scale) : undefined;
}

export const DECIMALS: TypeFamily = {
  label: "decimal(p,s)",
  examples: [decimalType(18, 2)],
  parse: (name) => ofParameters(/^decimal\((\d{1,2}),(\d{1,2})\)$/.exec(name)),
  ofStorage: (storage) => ofParameters(/^DECIMAL\((\d{1,2}),(\d{1,2})\)$/.exec(storage)),
};
