import {
  BOOLEAN,
  type ExpressionFunction,
  INT32,
  PATTERN,
  STRING,
  TEXT,
  whole,
} from "@/lib/builds/expressions/function-row";
import { quoteLiteral } from "@/lib/engine/sql/identifier";

/** Unicode white space, as an RE2 class. */
export const BLANKS = String.raw`[\p{Z}\x{9}-\x{D}\x{85}]`;

const text = (
  english: string,
  args: ExpressionFunction["args"],
  sql: ExpressionFunction["sql"],
): ExpressionFunction => ({
  group: "text",
  english,
  args,
  result: () => STRING,
  sql,
});

const test = (
  english: string,
  args: ExpressionFunction["args"],
  sql: ExpressionFunction["sql"],
): ExpressionFunction => ({
  group: "text",
  english,
  args,
  result: () => BOOLEAN,
  sql,
});

const length = whole(0, 1_000_000);

export const trimmed = (x: string): string => `regexp_replace(${x}, '^${BLANKS}+|${BLANKS}+$', '', 'g')`;

/** A null argument gives null. Lengths and positions count characters, from 1. */
export const TEXTS: Readonly<Record<string, ExpressionFunction>> = {
  concat: { ...text("the strings concatenated", [TEXT, TEXT], (args) => `(${args.join(" || ")})`), most: 20 },
  upper: text("in upper case", [TEXT], ([x]) => `upper(${x})`),
  lower: text("in lower case", [TEXT], ([x]) => `lower(${x})`),
  length: {
    group: "text",
    english: "the number of characters",
    args: [TEXT],
    result: () => INT32,
    sql: ([x]) => `CAST(length(${x}) AS INTEGER)`,
  },
  substring: text(
    "the given number of characters from a position on",
    [TEXT, whole(1, 1_000_000), length],
    ([x, from, n]) => `substring(${x}, ${from}, ${n})`,
  ),
  left: text("the first characters", [TEXT, length], ([x, n]) => `left(${x}, ${n})`),
  right: text("the last characters", [TEXT, length], ([x, n]) => `right(${x}, ${n})`),
  trim: text("without white space at either end", [TEXT], ([x = ""]) => trimmed(x)),
  pad_left: text(
    "padded on the left to the given number of characters",
    [TEXT, whole(1, 1000), { kind: "sign" }],
    ([x = "", n, sign = ""], { name }) => {
      const value = name(x);
      return `CASE WHEN length(${value}) >= ${n} THEN ${value} ELSE lpad(${value}, ${n}, ${quoteLiteral(sign)}) END`;
    },
  ),
  replace: text(
    "with every occurrence replaced",
    [TEXT, { kind: "text" }, TEXT],
    ([x, find = "", to]) => `replace(${x}, ${quoteLiteral(find)}, ${to})`,
  ),
  starts_with: test("begins with", [TEXT, TEXT], ([x, part]) => `starts_with(${x}, ${part})`),
  ends_with: test("ends with", [TEXT, TEXT], ([x, part]) => `ends_with(${x}, ${part})`),
  contains: test("contains", [TEXT, TEXT], ([x, part]) => `contains(${x}, ${part})`),
  position: {
    group: "text",
    english: "the position of a substring, 0 if absent",
    args: [TEXT, TEXT],
    result: () => INT32,
    sql: ([x, part]) => `CAST(instr(${x}, ${part}) AS INTEGER)`,
  },
  strip_accents: text("without accents", [TEXT], ([x]) => `strip_accents(${x})`),
  normalize: text("in Unicode normalisation form NFC", [TEXT], ([x]) => `nfc_normalize(${x})`),
  slug: text(
    "in lower-case ASCII with hyphens",
    [TEXT],
    ([x]) => `trim(regexp_replace(lower(strip_accents(${x})), '[^a-z0-9]+', '-', 'g'), '-')`,
  ),
  matches: test(
    "a pattern (RE2) matches somewhere in it",
    [TEXT, PATTERN],
    ([x, pattern = ""]) => `regexp_matches(${x}, ${quoteLiteral(pattern)})`,
  ),
  extract: {
    ...text(
      "what a group of a pattern matches; null without a match",
      [TEXT, PATTERN, whole(0, 50)],
      ([x = "", pattern = "", group = "0"], { name }) => {
        const value = name(x);
        const literal = quoteLiteral(pattern);
        return `CASE WHEN regexp_matches(${value}, ${literal}) THEN regexp_extract(${value}, ${literal}, ${group}) END`;
      },
    ),
    optional: 1,
  },
  split_part: text(
    "a part between separators, counted from 1; null if there are fewer",
    [TEXT, { kind: "text" }, whole(1, 1000)],
    ([x, separator = "", n]) => `string_split(${x}, ${quoteLiteral(separator)})[${n}]`,
  ),
  sha256: text("the SHA-256 of its UTF-8 bytes, in hex", [TEXT], ([x]) => `sha256(${x})`),
};
