import { matches, tryCast } from "./cell-sql";
import { type CellForm, type ColumnType, plainTypes } from "./column-type";
import { compareNumbers } from "./exact-number";
import { readFloat } from "./filter-value";

const NUMBER = String.raw`-?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?`;
const LAX_NUMBER = String.raw`[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?`;
const NO_NUMBER = "NaN|nan|NAN|-?(inf|Inf|INF|infinity|Infinity)";

const finite = (v: string) => `coalesce(isfinite(${v}), false)`;

/**
 * A double prints with at most 17 significant digits. A number with more was not printed from a double, and remains a
 * string unless declared otherwise.
 */
const digitsThatCount = (x: string) =>
  `length(trim(replace(replace(split_part(lower(${x}), 'e', 1), '.', ''), '-', ''), '0'))`;
/** Whole numbers must fit the 53 bits of a double exactly. The CASE skips the check for short ones. */
const exactEnough = (x: string, v: string) =>
  `CASE WHEN length(${x}) <= 15 THEN true WHEN contains(${x}, '.') OR contains(lower(${x}), 'e') THEN ` +
  `length(${x}) <= 18 OR ${digitsThatCount(x)} <= 17 ELSE coalesce(${tryCast(v, "DECIMAL(38,0)")}::VARCHAR = ` +
  `${x}, false) END`;

/**
 * Plain numbers, which need neither the pattern nor a count of digits. Among strings that DuckDB casts to a finite
 * number, the pattern rejects blanks, underscores, a leading plus and needless zeros. String comparisons check the
 * first characters; a blank at the end sorts below the point.
 */
const plain = (x: string, v: string) => {
  const begins = (first: string, last: string, most: number) =>
    `(${x} >= '${first}' AND ${x} < '${last}' AND strlen(${x}) <= ${most})`;
  const beginning = [begins("1", ":", 15), begins("0.", "0/", 19), begins("-1", "-:", 16), begins("-0.", "-0/", 20)];
  return `${finite(v)} AND (${beginning.join(" OR ")}) AND NOT contains(${x}, '_') AND ${x}[-1] >= '.'`;
};

const GUESSED: CellForm = {
  value: (x) => tryCast(x, "DOUBLE"),
  fits: (x, v) =>
    `CASE WHEN ${plain(x, v)} THEN true WHEN ${finite(v)} THEN ${matches(x, NUMBER)} AND ${exactEnough(x, v)} ELSE ` +
    `${matches(x, NO_NUMBER)} END`,
};

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
      declared: {
        value: (x) => tryCast(x, duckdb),
        fits: (x, v) => `CASE WHEN ${finite(v)} THEN ${matches(x, LAX_NUMBER)} ELSE ${matches(x, NO_NUMBER)} END`,
      },
      ...(bits === 64 && { guessed: GUESSED }),
      isKey: false, // two zeros and a NaN
    },
    profile: { isOrdered: true, isCounted: true, hasMoments: true, histogram: "real" },
    view: { measure: "number", editor: "number", hint: "0", usual: "gte", width: 24 },
    words: {
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
