import { withoutEnd, withoutStart } from "@/lib/kernel/trim-signs";
import { matches, printsBack, tryCast } from "./cell-sql";
import { type CellForm, type ColumnType, type GuessedForm, plainTypes } from "./column-type";
import { compareNumbers } from "./exact-number";
import { readFloat } from "./filter-value";
import { isPrinted, isPrintedSql } from "./shortest-double";

const NUMBER = String.raw`-?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?`;
const LAX_NUMBER = String.raw`[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?`;
const NO_NUMBER = "NaN|nan|NAN|-?(inf|Inf|INF|infinity|Infinity)";

const NUMBER_TEXT = new RegExp(`^${NUMBER}$`);
const NO_NUMBER_TEXT = new RegExp(`^(?:${NO_NUMBER})$`);

const finite = (v: string) => `coalesce(isfinite(${v}), false)`;

/**
 * A double prints with at most 17 significant digits. A number with more was not printed from a double, and remains a
 * string unless declared otherwise.
 */
const DIGITS_MAX = 17;
const digitsThatCount = (x: string) =>
  `length(trim(replace(replace(split_part(lower(${x}), 'e', 1), '.', ''), '-', ''), '0'))`;
/** Whole numbers must fit the 53 bits of a double exactly. The CASE skips the check for short ones. */
const shortEnough = (x: string, v: string) =>
  `CASE WHEN length(${x}) <= 15 THEN true WHEN contains(${x}, '.') OR contains(lower(${x}), 'e') THEN ` +
  `length(${x}) <= 18 OR ${digitsThatCount(x)} <= ${DIGITS_MAX} ELSE ` +
  `coalesce(${tryCast(v, "DECIMAL(38,0)")}::VARCHAR = ${x}, false) END`;

function isShort(text: string): boolean {
  if (text.length <= 15) return true;
  const [digits = "", exponent] = text.toLowerCase().split("e");
  if (exponent === undefined && !digits.includes(".")) return isExactInteger(text);
  const counted = withoutEnd(withoutStart(digits.replace(".", "").replace("-", ""), "0"), "0");
  return text.length <= 18 || counted.length <= DIGITS_MAX;
}

const isExactInteger = (text: string): boolean =>
  text.replace("-", "").length <= 38 && BigInt(Number(text)).toString() === text;

/**
 * Plain numbers of at most 15 digits, which need no further check. Among strings that DuckDB casts to a finite number,
 * the pattern rejects blanks, underscores, a leading plus and needless zeros; a double holds 15 digits exactly, unless
 * an exponent makes them too small. String comparisons check the first characters; a blank at the end sorts below the
 * point.
 */
const plain = (x: string, v: string) => {
  const begins = (first: string, last: string, most: number) =>
    `(${x} >= '${first}' AND ${x} < '${last}' AND strlen(${x}) <= ${most})`;
  const beginning = [
    `${x} = '0'`,
    begins("1", ":", 15),
    begins("0.", "0/", 17),
    begins("-1", "-:", 16),
    begins("-0.", "-0/", 18),
  ];
  return (
    `${finite(v)} AND (${beginning.join(" OR ")}) AND NOT contains(${x}, '_') AND ${x}[-1] >= '.' AND ` +
    `CASE WHEN abs(${v}) >= 1e-290 THEN true ELSE NOT contains(lower(${x}), 'e') END`
  );
};

/** Numbers that `pattern` accepts and that the double prints with no other digits. */
const exact = (x: string, v: string, pattern: string, further: string) =>
  `CASE WHEN ${plain(x, v)} THEN true WHEN NOT ${finite(v)} THEN ${matches(x, NO_NUMBER)} ` +
  `WHEN strlen(${x}) <= 15 AND NOT contains(lower(${x}), 'e') THEN ${matches(x, pattern)} ` +
  `WHEN ${printsBack(x, v)} THEN true ELSE ${matches(x, pattern)} AND ${further} AND ${isPrintedSql(x, v)} END`;

const GUESSED: GuessedForm = {
  value: (x) => tryCast(x, "DOUBLE"),
  fits: (x, v) => exact(x, v, NUMBER, shortEnough(x, v)),
  matches: (text) => (NUMBER_TEXT.test(text) ? isPrinted(text) && isShort(text) : NO_NUMBER_TEXT.test(text)),
};

const FIXED = String.raw`-?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)`;
const FIXED_TEXT = new RegExp(`^${FIXED}$`);
const NEGATIVE_ZERO = "-[0.]*";

/**
 * Numbers that are as short as those that a double prints, without an exponent and a negative zero: if a column has one
 * that a double would round, its cells are decimals.
 */
export const SHORT_NUMBER = {
  fits: (x: string): string =>
    `(${matches(x, FIXED)} AND ${shortEnough(x, tryCast(x, "DOUBLE"))} AND NOT ${matches(x, NEGATIVE_ZERO)})`,
  matches: (text: string): boolean => FIXED_TEXT.test(text) && isShort(text) && !/^-[0.]*$/.test(text),
};

const KEPT: CellForm = { value: GUESSED.value, fits: (x, v) => exact(x, v, LAX_NUMBER, "true") };

/** Whether a number other than zero became zero. */
const vanishes = (x: string, v: string) => `${v} = 0 AND regexp_matches(${x}, '^[^eE]*[1-9]')`;

/** A declared float takes the nearest value of its type, which is what declaring it means, but not zero for another. */
const declared = (duckdb: string): CellForm => ({
  value: (x) => tryCast(x, duckdb),
  fits: (x, v) =>
    `CASE WHEN ${finite(v)} THEN ${matches(x, LAX_NUMBER)} AND NOT (${vanishes(x, v)}) ELSE ` +
    `${matches(x, NO_NUMBER)} END`,
});

function floatType(bits: 32 | 64): ColumnType {
  const duckdb = bits === 32 ? "FLOAT" : "DOUBLE";
  return {
    name: `float${bits}`,
    family: "numeric",
    duckdb,
    number: { isFloat: true, bits },
    json: { kind: "number", value: (ref, _storage, isGuarded) => floatValue(bits, ref, isGuarded) },
    columnar: { kind: "float", bits },
    readFilter: (raw) => readFloat(raw, bits),
    compareTexts: compareNumbers,
    source: {
      declared: declared(duckdb),
      ...(bits === 64 && { guessed: GUESSED, kept: KEPT }),
      isKey: false, // two zeros and a NaN
    },
    profile: { isOrdered: true, isCounted: true, hasMoments: true, histogram: "real" },
    view: { measure: "number", editor: "number", hint: "0", usual: "gte", width: 24 },
    vocabulary: {
      croissant: "sc:Float",
      frictionless: { type: "number" },
      form: 'the shortest number that round-trips; `"NaN"`, `"Infinity"`, `"-Infinity"` as strings',
      example: "0.1",
      plural: "floats",
    },
  };
}

/** FLOAT is widened through its shortest text, so that 0.1 remains 0.1. */
function floatValue(bits: 32 | 64, ref: string, isGuarded: boolean): string {
  const value = bits === 32 ? `CAST(CAST(${ref} AS VARCHAR) AS DOUBLE)` : ref;
  if (!isGuarded) return value;
  return (
    `CASE WHEN isfinite(${ref}) THEN to_json(${value}) WHEN isnan(${ref}) THEN to_json('NaN') WHEN ${ref} > 0 ` +
    `THEN to_json('Infinity') WHEN ${ref} < 0 THEN to_json('-Infinity') END`
  );
}

/** The type of means and spreads. */
export const FLOAT64 = floatType(64);

export const FLOAT32S = plainTypes("float32", floatType(32));
export const FLOAT64S = plainTypes("float64", FLOAT64);
