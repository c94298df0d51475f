import { matches } from "@/lib/engine/types/cell-sql";
import { type ColumnType, plainTypes, type TypeFamily } from "@/lib/engine/types/column-type";
import { COLUMN_TYPES } from "@/lib/engine/types/column-types";
import { compareNumbers } from "@/lib/engine/types/exact-number";

const PATTERN = /^PT(\d{1,9})(?:\.(\d{1,6}))?S$/;

/** `PT90.5S` in microseconds. */
const microseconds = (text: string): bigint => {
  const [, seconds = "0", fraction = ""] = PATTERN.exec(text) ?? [];
  return BigInt(seconds) * 1_000_000n + BigInt(fraction.padEnd(6, "0"));
};

const secondsOf = (x: string) => `substr(${x}, 3, length(${x}) - 3)`;

/**
 * A column type that the service does not have, added as a new type would be: durations such as `PT90.5S`, stored as
 * whole microseconds. Importing this file adds it; import it before the code under test.
 */
export const DURATION: ColumnType = {
  name: "duration",
  family: "timestamp",
  duckdb: "BIGINT",
  json: {
    kind: "string",
    value: (ref) =>
      `('PT' || CAST(${ref} // 1000000 AS VARCHAR) || '.' || lpad(CAST(${ref} % 1000000 AS VARCHAR), 6, '0') || 'S')`,
  },
  columnar: { kind: "integer", bits: 64, isSigned: true, read: microseconds },
  readFilter: (raw) =>
    typeof raw === "string" && PATTERN.test(raw)
      ? { text: String(microseconds(raw)), exact: { coefficient: microseconds(raw), exponent: 0 } }
      : { rejected: "Expected a duration such as PT90.5S." },
  compareTexts: compareNumbers,
  source: {
    declared: {
      value: (x) => `TRY_CAST(TRY_CAST(${secondsOf(x)} AS DECIMAL(24,6)) * 1000000 AS BIGINT)`,
      fits: (x, v) => `(${matches(x, String.raw`PT[0-9]{1,9}(\.[0-9]{1,6})?S`)} AND ${v} IS NOT NULL)`,
    },
    isKey: true,
  },
  profile: { isOrdered: true, isCounted: true },
  view: {
    measure: "category",
    editor: "text",
    hint: "PT90.5S",
    usual: "gte",
    width: 12,
    literal: (_quoted, cast) => cast,
  },
  vocabulary: {
    croissant: "sc:Duration",
    frictionless: { type: "duration" },
    form: "`PT…S`, seconds with up to six digits after the point",
    example: '"PT90.5S"',
  },
};

(COLUMN_TYPES as TypeFamily[]).push(plainTypes("duration", DURATION));
