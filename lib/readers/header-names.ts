import type { RawCell } from "@/lib/readers/delimited/csv-records";
import { ReadFailure } from "@/lib/readers/failure";
import type { CsvOptions, XlsxOptions } from "@/lib/schemas/recipe-reader";
import { linearPattern } from "./patterns";

export type LayoutOptions = Pick<CsvOptions, keyof CsvOptions & keyof XlsxOptions>;

export interface HeaderColumn {
  name: string;
  /** Index of the cell in the record, from 0. */
  index: number;
  /** Whether it has no name, and is dropped as long as it has no value. */
  mustBeEmpty: boolean;
}

/** The columns named by the header's records, without dropped ones. Rejects duplicate and blank names. */
export function headerColumns(records: readonly RawCell[][], options: LayoutOptions, row: number): HeaderColumn[] {
  const width = Math.max(...records.map((cells) => cells.length), options.columns?.length ?? 0);
  const read = joined(records, width, options).map((name) => shaped(name, options.names));
  const named = options.columns;
  if (named && named.length !== width)
    throw new ReadFailure(
      "header_mismatch",
      `The header has ${width} columns, but \`columns\` names ${named.length}. Name each, or null to drop it.`,
      { row },
    );
  const columns = read.flatMap((name, index): HeaderColumn[] => {
    if (named) return named[index] == null ? [] : [{ name: named[index], index, mustBeEmpty: false }];
    if (name !== "") return [{ name, index, mustBeEmpty: false }];
    return blankColumn(index, options, row);
  });
  return numbered(columns, options, row);
}

/** The columns of records without a header, which the recipe names. */
export function namedColumns(options: LayoutOptions): HeaderColumn[] {
  if (!options.columns)
    throw new ReadFailure("header_mismatch", "The reader has no header. Name the columns in `columns`.");
  return options.columns.flatMap((name, index) => (name === null ? [] : [{ name, index, mustBeEmpty: false }]));
}

function blankColumn(index: number, { blank_names }: LayoutOptions, row: number): HeaderColumn[] {
  if (blank_names === "number") return [{ name: `column_${index + 1}`, index, mustBeEmpty: false }];
  if (blank_names === "drop_empty") return [{ name: "", index, mustBeEmpty: true }];
  throw new ReadFailure(
    "header_mismatch",
    `Column ${index + 1} has no name in the header. Set blank_names to number or drop_empty, or name all in ` +
      "`columns`.",
    { row },
  );
}

/** Joins header rows from top to bottom. The lowest is never filled: its blanks are below names in the rows above. */
function joined(records: readonly RawCell[][], width: number, { header }: LayoutOptions): string[] {
  if (header === "none") return [];
  const drop = header.drop_text === undefined ? undefined : linearPattern(header.drop_text);
  const rows = records.map((cells, at) => {
    const texts = Array.from({ length: width }, (_, index) => (cells[index] ?? "").trim());
    const clean = drop ? texts.map((text) => drop.removeFrom(text).trim()) : texts;
    const isLowest = at === records.length - 1 && records.length > 1;
    return header.fill === "right" && !isLowest ? filled(clean) : clean;
  });
  return Array.from({ length: width }, (_, index) =>
    rows
      .map((texts) => texts[index] ?? "")
      .filter((text) => text !== "")
      .join(header.join),
  );
}

function filled(texts: readonly string[]): string[] {
  let last = "";
  return texts.map((text) => {
    if (text !== "") last = text;
    return last;
  });
}

const LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  ø: "o",
  ł: "l",
  đ: "d",
  æ: "ae",
  œ: "oe",
  þ: "th",
  ð: "d",
  ı: "i",
};

function shaped(name: string, how: LayoutOptions["names"]): string {
  if (how === "as_is") return name;
  const trimmed = name.trim().replace(/\s+/gu, " ");
  if (how === "trim") return trimmed;
  const plain = trimmed
    .normalize("NFKD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase()
    .replace(/[ßøłđæœþðı]/g, (letter) => LETTERS[letter] ?? letter);
  return plain
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "")
    .join("_");
}

function numbered(columns: HeaderColumn[], { duplicate_names }: LayoutOptions, row: number): HeaderColumn[] {
  const all = new Set(columns.map(({ name }) => name.toLowerCase()));
  const seen = new Set<string>();
  return columns.map((column) => {
    const key = column.name.toLowerCase();
    if (column.mustBeEmpty || !seen.has(key)) {
      seen.add(key);
      return column;
    }
    if (duplicate_names === "error")
      throw new ReadFailure(
        "header_mismatch",
        `Duplicate column names in the header: ${namesakes(columns, key)} (case is ignored). Set duplicate_names to ` +
          "number, or name all in `columns`.",
        { row },
      );
    let number = 2;
    while (all.has(`${key}_${number}`) || seen.has(`${key}_${number}`)) number += 1;
    seen.add(`${key}_${number}`);
    return { ...column, name: `${column.name}_${number}` };
  });
}

const namesakes = (columns: readonly HeaderColumn[], key: string): string =>
  columns
    .filter(({ name }) => name.toLowerCase() === key)
    .map(({ name, index }) => `${JSON.stringify(name)} (column ${index + 1})`)
    .join(", ");
