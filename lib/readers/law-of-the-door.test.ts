import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import iconv from "iconv-lite";
import { parse } from "lossless-json";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CsvOptions, READER_OPTIONS, type XlsxOptions } from "@/lib/schemas/recipe-reader";
import { type CountedRecord, countedRecords } from "@/lib/testing/counted-records";
import { DOOR_FILES } from "@/lib/testing/door-files/all-files";
import { columnLetters, xml } from "@/lib/testing/door-files/door-file";
import { propertyParameters, trialRuns } from "@/lib/testing/property";
import { numbersFrom } from "@/lib/testing/seeded-numbers";
import { DIALECTS } from "@/lib/testing/ugly-files/dialects";
import { ENCODINGS } from "@/lib/testing/ugly-files/encodings";
import { LAYOUTS } from "@/lib/testing/ugly-files/layouts";
import { inline, workbook } from "@/lib/testing/ugly-files/workbook";
import { CellsFile } from "./cells-file";
import { ReadFailure } from "./failure";
import type { LeftOut, LeftOutCause } from "./left-out";
import { type CellsReader, readPart, TextColumns } from "./read-part";

/**
 * The law of the door: cells in = cells out + header cells + cells left out by cause, less the cells that short rows
 * lack. The same for rows. Cells are counted by a parser that shares nothing with the readers.
 */

const FILES = trialRuns("LAW_FILES", 120);
const { seed: SEED } = propertyParameters(FILES);

let folder: string;
let count = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "law-of-the-door-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Given {
  format: "csv" | "tsv" | "xlsx";
  options: object;
  bytes: Buffer;
  chunkBytes?: number;
}

interface ReadBack {
  options: CsvOptions | XlsxOptions;
  columns: number;
  rows: number;
  /** Cells with a value, counted in the readers' own form by its quotes. */
  filled: number;
  leftOut: LeftOut[];
}

/** Undefined for a file that the reader rejects. */
async function read({ format, options: given, bytes, chunkBytes = 1 << 20 }: Given): Promise<ReadBack | undefined> {
  count += 1;
  const path = join(folder, `${count}`);
  await writeFile(path, bytes);
  const options = READER_OPTIONS[format].parse(parse(JSON.stringify(given)));
  const cells = new CellsFile(`${path}.csv`);
  const columns = new TextColumns();
  try {
    const reader = { format, options } as CellsReader;
    await readPart({ path, reader, cells, unpackedBytes: 1 << 26, chunkBytes, mayContinue: () => true }, columns);
  } catch (error) {
    if (!(error instanceof ReadFailure)) throw error;
    return undefined;
  } finally {
    cells.close();
  }
  const text = await readFile(`${path}.csv`, "utf8");
  await rm(`${path}.csv`);
  await rm(path);
  const { rows, leftOut } = cells;
  return { options, columns: columns.names().length, rows, filled: filledIn(text), leftOut: leftOut.list() };
}

/** Cells of `row,part,"cell",…`: every value is quoted, or copied from the source as it stands. */
const filledIn = (text: string): number =>
  countedRecords(text, { delimiter: ",", quote: '"', escapedBy: '"', comment: undefined }).reduce(
    (sum, cells = []) => sum + cells.slice(2).filter((cell) => cell !== "").length,
    0,
  );

const WHOLE_ROWS: readonly LeftOutCause[] = ["preamble", "between", "footer", "blank_row", "comment", "end_mark"];

const sumOf = (leftOut: readonly LeftOut[], of: "rows" | "cells", causes: (cause: LeftOutCause) => boolean): number =>
  leftOut.filter(({ cause }) => causes(cause)).reduce((sum, each) => sum + each[of], 0);

const headerOf = ({ header }: Pick<CsvOptions, "header">): number[] => (header === "none" ? [] : header.rows);

/** Both sides of the law, in cells and in rows. */
function balance(records: readonly CountedRecord[], { options, rows, leftOut }: ReadBack) {
  const header = headerOf(options).map((number) => records[number - 1]?.length ?? 0);
  const width = Math.max(options.columns?.length ?? 0, ...header);
  const inRows = new Set<LeftOutCause>(["missing_cell", "dropped_column"]); // within the width of a row that is there
  return {
    in: {
      rows: records.length,
      cells:
        records.reduce((sum, cells) => sum + (cells?.length ?? 1), 0) +
        sumOf(leftOut, "cells", (cause) => cause === "missing_cell"),
    },
    out: {
      rows: rows + header.length + sumOf(leftOut, "rows", (cause) => WHOLE_ROWS.includes(cause)),
      cells:
        rows * width +
        header.reduce((sum, cells) => sum + cells, 0) +
        sumOf(leftOut, "cells", (cause) => !inRows.has(cause) && cause !== "bad_bytes"),
    },
  };
}

const separatedBy = ({ delimiter, quote, escape: how, comment }: CsvOptions) => ({
  delimiter,
  quote: quote === "none" ? "\0" : quote,
  escapedBy: how === "backslash" ? "\\" : quote,
  comment,
});

async function obeyed(given: Given & { format: "csv" | "tsv" }): Promise<boolean> {
  const back = await read(given);
  if (!back) return false;
  const options = back.options as CsvOptions;
  const counted = countedRecords(iconv.decode(given.bytes, options.encoding), separatedBy(options));
  const { in: found, out } = balance(counted, back);
  const about = JSON.stringify({ ...given, bytes: given.bytes.toString(), leftOut: back.leftOut });
  expect({ about, ...out }).toEqual({ about, ...found });
  return true;
}

const UGLY = [...DIALECTS, ...ENCODINGS, ...LAYOUTS].flatMap(({ name, format, options = {}, bytes }) =>
  (format === "csv" || format === "tsv") && Buffer.isBuffer(bytes) ? [{ name, format, options, bytes }] : [],
);
const LENIENT = {
  ragged: "pad_and_cut",
  blank_names: "number",
  duplicate_names: "number",
  bad_quotes: "literal",
  line_ends: "mixed",
};
const AT_THE_DOOR = Object.values(DOOR_FILES)
  .flat()
  .flatMap(({ name, file, bytes }, at) => {
    const format = file.endsWith(".tsv") ? ("tsv" as const) : ("csv" as const);
    if (!/\.[ct]sv$/.test(file) || !Buffer.isBuffer(bytes)) return [];
    const delimiter = [",", ";", "\t"][at % 3];
    return [{ name, format, options: { ...LENIENT, delimiter }, bytes, chunkBytes: 4096 }];
  });

describe("every delimited file of the test folders", () => {
  test("with the options of its own test", async () => {
    let taken = 0;
    for (const { name: _, ...file } of UGLY) if (await obeyed(file)) taken += 1;
    expect(taken).toBeGreaterThan(UGLY.length / 2);
  });
  test("with lenient options and some delimiter", async () => {
    let taken = 0;
    for (const { name: _, ...file } of AT_THE_DOOR) if (await obeyed(file)) taken += 1;
    expect(taken).toBeGreaterThan(AT_THE_DOOR.length / 2);
  });
});

type Random = () => number;
const pick = <T>(random: Random, all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
const below = (random: Random, most: number): number => Math.floor(random() * most);
const maybe = (random: Random, share: number): boolean => random() < share;

const WORDS = ["a", "bc", "12", "0,5", "1.5", "x y", "é", "Total", "#1", "n/a", "😀", "-"];
const ODD = ["", "", " ", "a,b", 'say "x"', "two\nlines", "cr\rlf\r\n", ";|\t"];

interface Table {
  rows: string[][];
  width: number;
}

function randomTable(random: Random, isDense: boolean): Table {
  const width = 1 + below(random, 6);
  const rows = Array.from({ length: below(random, 25) }, () => {
    const length = maybe(random, 0.15) ? 1 + below(random, width + 3) : width;
    return Array.from({ length }, () => (isDense || maybe(random, 0.7) ? pick(random, WORDS) : pick(random, ODD)));
  });
  const header = Array.from({ length: width }, (_, at) =>
    !isDense && maybe(random, 0.1) ? "" : `n${below(random, 4)}${at}`,
  );
  const preamble = Array.from({ length: maybe(random, 0.3) ? below(random, 4) : 0 }, () => [pick(random, WORDS)]);
  return { width, rows: [...preamble, header, ...rows] };
}

/** Options that fit the table more or less. */
function randomLayout(random: Random, { rows, width }: Table): Record<string, unknown> {
  const at = 1 + below(random, Math.min(4, rows.length));
  const header = maybe(random, 0.2) ? "none" : { rows: maybe(random, 0.2) ? [at, at + 1] : [at] };
  const columns = Array.from({ length: width }, (_, index) => (maybe(random, 0.2) ? null : `c${index}`));
  const needsColumns = header === "none" || maybe(random, 0.15);
  return {
    header,
    ...(needsColumns && { columns }),
    duplicate_names: "number",
    blank_names: pick(random, ["number", "number", "drop_empty"]),
    ragged: pick(random, ["pad_and_cut", "pad_and_cut", "pad_and_cut", "pad", "cut", "error"]),
    skip_blank_rows: maybe(random, 0.7),
    ...(maybe(random, 0.2) && { first_row: 1 + below(random, 8) }),
    ...(maybe(random, 0.2) && { last_row: 1 + below(random, 25) }),
    ...(maybe(random, 0.2) && { skip_footer: 1 + below(random, 5) }),
    ...(maybe(random, 0.2) && {
      stop_at: maybe(random, 0.5) ? { blank_row: true } : { column: 1 + below(random, 2), matches: "^Total" },
    }),
  };
}

function randomText(random: Random): Given & { format: "csv" | "tsv" } {
  const table = randomTable(random, false);
  const format = pick(random, ["csv", "csv", "tsv"] as const);
  const delimiter = format === "tsv" ? "\t" : pick(random, [",", ";", "|"]);
  const quote = pick(random, ['"', '"', '"', "'"]);
  const end = pick(random, ["\n", "\n", "\r\n", "\r"]);
  const quoted = (cell: string): string => {
    const isForced = cell.includes(delimiter) || cell.includes(quote) || /[\r\n]/.test(cell) || maybe(random, 0.1);
    return isForced ? quote + cell.replaceAll(quote, quote + quote) + quote : cell;
  };
  const written = table.rows.flatMap((cells) => {
    const line = cells.map(quoted).join(delimiter);
    const blank = maybe(random, 0.06) ? [pick(random, ["", "  ", delimiter])] : [];
    const comment = maybe(random, 0.05) ? ["~ a comment"] : [];
    return [...blank, ...comment, line];
  });
  const last = pick(random, [end, end, end, end, "", `${end}\x1a`]);
  const bytes = Buffer.from(written.join(end) + last);
  const options = {
    ...randomLayout(random, table),
    delimiter,
    quote,
    comment: "~",
    trim: pick(random, ["none", "ends"]),
    ...(maybe(random, 0.2) && { null_tokens: ["", "-", "n/a"] }),
  };
  return { format, options, bytes, chunkBytes: pick(random, [4096, 64, 7, 1]) };
}

describe("made files", () => {
  test("delimited files under random options", async () => {
    let taken = 0;
    for (let index = 0; index < FILES; index += 1) if (await obeyed(randomText(numbersFrom(SEED + index)))) taken += 1;
    expect(taken).toBeGreaterThan(FILES / 2);
  });

  test("sheets under random options: cells with a value", async () => {
    const sheets = Math.ceil(FILES / 3);
    let taken = 0;
    for (let index = 0; index < sheets; index += 1) {
      const random = numbersFrom(SEED - 1 - index);
      const table = randomTable(random, true);
      const options = {
        ...randomLayout(random, table),
        ...(maybe(random, 0.2) && { range: `A1:${columnLetters(table.width - 1)}${table.rows.length}` }),
      };
      const back = await read({ format: "xlsx", options, bytes: await bookOf(table) });
      if (!back) continue;
      taken += 1;
      const most = "range" in options ? table.width : Infinity;
      const header = headerOf(back.options).map((number) => Math.min(table.rows[number - 1]?.length ?? 0, most));
      const out =
        back.filled + header.reduce((sum, cells) => sum + cells, 0) + sumOf(back.leftOut, "cells", () => true);
      const about = JSON.stringify({ index, options, rows: table.rows, leftOut: back.leftOut });
      expect({ about, cells: out }).toEqual({ about, cells: table.rows.flat().length });
    }
    expect(taken).toBeGreaterThan(sheets / 3);
  });
});

/** Every cell has a value, from the first column on. */
const bookOf = ({ rows }: Table): Promise<Buffer> => {
  const data = rows.map((cells, y) => {
    const written = cells.map((cell, x) => inline(`${columnLetters(x)}${y + 1}`, xml(cell)));
    return `<row r="${y + 1}">${written.join("")}</row>`;
  });
  return workbook({ sheets: [{ name: "S", data: data.join("") }] });
};
