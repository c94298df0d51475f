import { z } from "zod";
import { columnNameSchema, patternSchema, pointerSchema, wholeSchema } from "./recipe-values";

export const READER_FORMATS = ["csv", "tsv", "json", "ndjson", "parquet", "xlsx"] as const;
export type ReaderFormat = (typeof READER_FORMATS)[number];

/** THE encodings of sources, by the names that iconv-lite also uses. There is no iso-8859-12. */
export const ENCODINGS = [
  "utf-8",
  "utf-16le",
  "utf-16be",
  ...[1250, 1251, 1252, 1253, 1254, 1255, 1256, 1257, 1258].map((page) => `windows-${page}`),
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16].map((part) => `iso-8859-${part}`),
  "macintosh",
  "koi8-r",
  "koi8-u",
  "cp437",
  "cp850",
  "cp852",
  "cp866",
  "shift_jis",
  "euc-jp",
  "gbk",
  "gb18030",
  "big5",
  "euc-kr",
] as const;

/** A record of a CSV file or a row of a sheet, from 1, counted as inspections show them. */
const record = wholeSchema(1, 1_000_000_000);
const character = z.string().regex(/^[^\r\n]$/u, "Use one character.");

const headerSchema = z.union([
  z.literal("none"),
  z.strictObject({
    rows: z.array(record).min(1).max(5).default([1]),
    join: z.string().max(10).default(" "),
    fill: z.enum(["none", "right"]).default("none"),
    drop_text: patternSchema.optional(),
  }),
]);

/** How the cells of csv, tsv and xlsx become a header and records. */
const LAYOUT = {
  header: headerSchema.default({ rows: [1], join: " ", fill: "none" }),
  columns: z.array(columnNameSchema.nullable()).min(1).max(2000).optional(),
  names: z.enum(["trim", "as_is", "snake"]).default("trim"),
  duplicate_names: z.enum(["error", "number"]).default("error"),
  blank_names: z.enum(["error", "number", "drop_empty"]).default("error"),
  first_row: record.optional(),
  last_row: record.optional(),
  skip_footer: wholeSchema(0, 100).default(0),
  stop_at: z
    .union([
      z.strictObject({ blank_row: z.literal(true) }),
      z.strictObject({ column: wholeSchema(1, 2000), matches: patternSchema }),
    ])
    .optional(),
  skip_blank_rows: z.boolean().default(true),
  null_tokens: z.array(z.string().max(100)).max(50).default([""]),
  ragged: z.enum(["error", "pad", "cut", "pad_and_cut"]).default("error"),
} as const;

const csvShape = (delimiter: string) =>
  ({
    ...LAYOUT,
    empty_quoted: z.enum(["text", "null"]).default("text"),
    trim: z.enum(["none", "ends"]).default("none"),
    encoding: z.enum(ENCODINGS).default("utf-8"),
    delimiter: character.default(delimiter),
    quote: z.enum(['"', "'", "none"]).default('"'),
    escape: z.enum(["double", "backslash"]).default("double"),
    comment: character.optional(),
    line_ends: z.enum(["strict", "mixed"]).default("strict"),
    bad_quotes: z.enum(["error", "literal"]).default("error"),
    bad_bytes: z.enum(["error", "replace"]).default("error"),
  }) as const;

const fields = z
  .record(columnNameSchema, pointerSchema)
  .refine((map) => Object.keys(map).length <= 500, "Name at most 500 fields.")
  .optional();
const flatten = z
  .strictObject({ depth: wholeSchema(1, 5).default(1), join: z.string().min(1).max(3).default(".") })
  .optional();

export const READER_OPTIONS = {
  csv: z.strictObject(csvShape(",")),
  tsv: z.strictObject(csvShape("\t")),
  json: z.strictObject({
    records: pointerSchema.default(""),
    shape: z.enum(["array", "map", "single", "columns", "rows"]).default("array"),
    names: pointerSchema
      .optional()
      .describe("For shape rows: the list of the columns' names, or of objects with names."),
    key_column: columnNameSchema.optional().describe("For shape map: the column for the members' names."),
    fields,
    flatten,
    missing_records: z.enum(["error", "empty"]).default("error"),
  }),
  ndjson: z.strictObject({ fields, flatten, bad_lines: z.enum(["error", "skip"]).default("error") }),
  parquet: z.strictObject({ columns: z.array(columnNameSchema).min(1).max(2000).optional() }),
  xlsx: z.strictObject({
    ...LAYOUT,
    trim: z.enum(["none", "ends"]).default("ends"),
    sheet: z
      .union([z.string().min(1).max(100), wholeSchema(1, 1000), z.strictObject({ matches: patternSchema })])
      .optional(),
    range: z
      .string()
      .regex(/^[A-Z]{1,3}[1-9]\d{0,6}:[A-Z]{1,3}[1-9]\d{0,6}$/, "Use a range such as B4:K900.")
      .optional(),
  }),
} as const satisfies Record<ReaderFormat, z.ZodType>;

export type ReaderOptions = { [Format in ReaderFormat]: z.output<(typeof READER_OPTIONS)[Format]> };
export type CsvOptions = ReaderOptions["csv"];
export type XlsxOptions = ReaderOptions["xlsx"];

/** How the bytes of a source become rows; every option is filled in. */
export type Reader = { [Format in ReaderFormat]: { format: Format; options: ReaderOptions[Format] } }[ReaderFormat];

/** As in a document; the options are parsed by the format's entry in READER_OPTIONS. */
export const readerSchema = z.strictObject({
  format: z.enum(READER_FORMATS),
  options: z.record(z.string(), z.unknown()).default({}),
});
