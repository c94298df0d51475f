import { matches, printsBack, tryCast } from "./cell-sql";
import { type ColumnType, plainTypes } from "./column-type";
import { compareNumbers } from "./exact-number";
import { readScaled, readWide } from "./filter-value";

const STORED = { 8: "TINYINT", 16: "SMALLINT", 32: "INTEGER", 64: "BIGINT" } as const;
type Bits = keyof typeof STORED;
const BITS = [8, 16, 32, 64] as const satisfies readonly Bits[];

/** No type has more than 20 digits. */
const WHOLE = /^(?:0|-?[1-9]\d{0,19})$/;
const isWithin = (value: bigint, [min, max]: readonly [bigint, bigint]) => value >= min && value <= max;

function integerType(bits: Bits, isSigned: boolean): ColumnType {
  const duckdb = `${isSigned ? "" : "U"}${STORED[bits]}`;
  const size = 2n ** BigInt(isSigned ? bits - 1 : bits);
  const range: [bigint, bigint] = isSigned ? [-size, size - 1n] : [0n, size - 1n];
  const value = (x: string) => tryCast(x, duckdb);
  return {
    name: `${isSigned ? "" : "u"}int${bits}`,
    family: "numeric",
    duckdb,
    number: { isFloat: false, scale: 0 },
    json: { kind: "number", ...(bits === 64 && { digits: (ref: string) => `CAST(${ref} AS VARCHAR)` }) },
    columnar: { kind: "integer", bits, isSigned },
    readFilter: (raw) => (bits === 64 ? readWide : readScaled)(raw, 0, range),
    compareTexts: compareNumbers,
    source: {
      declared: { value, fits: (x, v) => `(${v} IS NOT NULL AND ${matches(x, "[-+]?[0-9]+")})` },
      guessed: { value, fits: printsBack, matches: (text) => WHOLE.test(text) && isWithin(BigInt(text), range) },
      isKey: true,
    },
    profile: { isOrdered: true, isCounted: true, hasMoments: true, histogram: "whole" },
    view: { measure: "number", editor: "number", hint: "0", usual: "gte", width: 24 },
    vocabulary: {
      croissant: "sc:Integer",
      frictionless: { type: "integer" },
      form: "a number with all its digits",
      example: String(range[1]),
      plural: "integers",
    },
  };
}

/** The type of parts of the calendar. */
export const INT32 = integerType(32, true);

/** The type of counts. */
export const INT64 = integerType(64, true);

export const INTEGERS = plainTypes("int8 … int64", ...BITS.map((bits) => integerType(bits, true)));
export const UNSIGNED_INTEGERS = plainTypes("uint8 … uint64", ...BITS.map((bits) => integerType(bits, false)));
