import { join } from "node:path";
import { quoteLiteral } from "@/lib/engine/sql/identifier";
import type { Bench } from "@/lib/readers/bench";
import { CellsFile } from "@/lib/readers/cells-file";
import { COLUMNS_MAX, tooManyColumns } from "@/lib/readers/columns-max";
import { firstBytes } from "@/lib/readers/containers/compression";
import { scanCsv } from "@/lib/readers/delimited/csv-scan";
import { mismatch } from "@/lib/readers/failure";
import type { LeftOut } from "@/lib/readers/left-out";
import { type DialectFound, findDialect, namesDelimiter } from "@/lib/readers/proposals/dialect";
import { findEncoding } from "@/lib/readers/proposals/encoding";
import { readPart, TextColumns } from "@/lib/readers/read-part";
import { READER_OPTIONS } from "@/lib/schemas/recipe-reader";
import { TEXT_RULES } from "./cell-types";
import { checkNames, checkNotes } from "./column-names";
import { noteOf, type Reading } from "./reading";
import { currentFirst, declaredText, type Expected, readText, ruleOfNote, type TextColumn } from "./text-reading";

/** DuckDB's own buffer. By default it grows to 16 times the longest line allowed, for each thread. */
const BUFFER_BYTES = 32 * 1024 * 1024;
const LINE_BYTES = 2 * 1024 * 1024;
const HEAD_BYTES = 1 << 20;

/**
 * Plans the reading of a CSV or TSV file whose first record is its header. A file of the usual dialect is verified and
 * then read by DuckDB as it is; any other is laid out as cells by the reader of runs. A bare empty cell is null, and
 * `""` is an empty string.
 */
export async function readCsv(
  bench: Bench,
  path: string,
  format: "csv" | "tsv",
  { notes, orderBy, types }: Expected,
): Promise<Reading> {
  const dialect = await dialectOf(path, format);
  const { isCut } = dialect;
  const [header] = dialect.records;
  if (header && header.length > COLUMNS_MAX)
    throw tooManyColumns("The first line", isCut ? `at least ${header.length}` : header.length);
  if (!header || isCut)
    throw mismatch(
      "Missing header. The first line is empty or longer than 1 MiB. Put the column names in the first line.",
    );
  if (namesDelimiter(header))
    throw mismatch(
      `Line 1 is ${JSON.stringify(header.join(dialect.delimiter))}, which tells spreadsheets the delimiter. Remove it.`,
      1,
    );
  checkNames(header);
  checkNotes(notes, orderBy, header);
  const isUsual = dialect.quote === '"' && dialect.escape === "double";
  const { layout, numbers, rows, leftOut } = isUsual
    ? await asItIs(path, dialect.delimiter, header)
    : await asCells(path, join(bench.folder, "cells.csv"), dialect);
  const columns = header.map((name, index): TextColumn => {
    const text = `t${index + numbers}`;
    const declared = ruleOfNote(noteOf(notes, name));
    return declared
      ? { name, text: declaredText(text, declared), rules: [declared] }
      : { name, text, rules: currentFirst(types.get(name), TEXT_RULES) };
  });
  return { ...(await readText(bench, csvRelation(layout), columns, rows)), leftOut };
}

async function dialectOf(path: string, format: "csv" | "tsv"): Promise<DialectFound & { isCut: boolean }> {
  const { text, isCut } = await headText(path);
  return { ...findDialect(text, format === "tsv" ? ["\t"] : undefined), isCut };
}

/** What separates the cells of a file. */
export const delimiterOf = async (path: string, format: "csv" | "tsv"): Promise<string> =>
  (await dialectOf(path, format)).delimiter;

interface Laid {
  layout: CsvLayout;
  /** Cells before the file's own. */
  numbers: number;
  rows: number;
  leftOut: LeftOut[];
}

/** The file itself, verified line by line. */
async function asItIs(path: string, delimiter: string, header: string[]): Promise<Laid> {
  const { rows, longestBytes, lineEnd, leftOut } = await scanCsv(path, { delimiter, header });
  const width = header.length;
  return {
    layout: { path, delimiter, width, longestBytes, lineEnd, isHeaded: true, isPadded: false },
    ...{ numbers: 0, rows, leftOut },
  };
}

/** The file's cells, preceded by the numbers of row and part. */
async function asCells(path: string, target: string, dialect: DialectFound): Promise<Laid> {
  const { delimiter, quote, escape: escapes, records } = dialect;
  const width = records[0]?.length ?? 0;
  const options = {
    delimiter,
    quote,
    escape: escapes,
    names: "as_is",
    skip_blank_rows: width > 1,
    bad_quotes: "literal",
  };
  const cells = new CellsFile(target);
  try {
    const reader = { format: "csv" as const, options: READER_OPTIONS.csv.parse(options) };
    await readPart({ path, reader, cells, unpackedBytes: Infinity, mayContinue: () => true }, new TextColumns());
  } finally {
    cells.close();
  }
  return {
    layout: cellsLayout(target, width, cells.longestBytes),
    numbers: CELL_NUMBERS,
    rows: cells.rows,
    leftOut: cells.leftOut.list(),
  };
}

/** The start of the file as text, up to the last complete line; cut if it has none. */
async function headText(path: string): Promise<{ text: string; isCut: boolean }> {
  const bytes = await firstBytes(path, HEAD_BYTES);
  const mark = bytes.subarray(0, 2).toString("hex");
  if (mark === "fffe" || mark === "feff" || findEncoding(bytes).value.startsWith("utf-16"))
    throw mismatch("The file is UTF-16. Save it as UTF-8.");
  const text = new TextDecoder("utf-8").decode(bytes); // drops a byte order mark
  const end = Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r")) + 1;
  if (bytes.length < HEAD_BYTES) return { text, isCut: false };
  return end === 0 ? { text, isCut: true } : { text: text.slice(0, end), isCut: false };
}

export interface CsvLayout {
  path: string;
  delimiter: string;
  width: number;
  /** The longest record. */
  longestBytes: number;
  /** How records end. */
  lineEnd: "LF" | "CR" | "CRLF";
  isHeaded: boolean;
  /** Whether records may end early. */
  isPadded: boolean;
}

/** The layout of a cells file with so many cells in a row. */
export const cellsLayout = (path: string, cells: number, longestBytes: number, isPadded = false) => ({
  ...{ path, delimiter: ",", width: cells + CELL_NUMBERS, longestBytes, lineEnd: "LF" as const },
  ...{ isHeaded: false, isPadded },
});

/** A row of a cells file begins with its number and its part's. */
export const CELL_NUMBERS = 2;
/**
 * Otherwise DuckDB takes the line end from the first record, which may have another in a cell. With CRLF stated it
 * finds no rows after a header; a header has no line ends in its names, so that it then finds the right one itself.
 */
const LINE_ENDS = { LF: ", new_line = '\\n'", CR: ", new_line = '\\r'", CRLF: "" } as const;

/** Every cell as text, columns `t0, t1, …`: nothing is inferred. */
export function csvRelation({ path, delimiter, width, longestBytes, lineEnd, ...layout }: CsvLayout): string {
  const { isHeaded, isPadded } = layout;
  const columns = Array.from({ length: width }, (_, index) => `'t${index}': 'VARCHAR'`).join(", ");
  const lineBytes = Math.max(LINE_BYTES, longestBytes + 1024);
  const options = [
    "auto_detect = false, all_varchar = true, strict_mode = true, nullstr = '', allow_quoted_nulls = false",
    `header = ${isHeaded}, delim = ${quoteLiteral(delimiter)}, quote = '"', escape = '"'${LINE_ENDS[lineEnd]}`,
    // padding and quoted line ends do not work together in parallel
    `null_padding = ${isPadded}, parallel = ${!isPadded}`,
    `max_line_size = ${lineBytes}, buffer_size = ${Math.max(BUFFER_BYTES, lineBytes)}`,
  ];
  return `read_csv(${quoteLiteral(path)}, ${options.join(", ")}, columns = {${columns}})`;
}
