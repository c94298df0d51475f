import iconv from "iconv-lite";
import type { Bench } from "@/lib/readers/bench";
import { firstBytes } from "@/lib/readers/containers/compression";
import type { SourceFile } from "@/lib/readers/containers/source-file";
import { mismatch } from "@/lib/readers/failure";
import { shownStart } from "@/lib/readers/json/json-members";
import { readParquet } from "@/lib/readers/parquet/parquet-reading";
import { findEncoding } from "@/lib/readers/proposals/encoding";
import { findFormat } from "@/lib/readers/proposals/format";
import type { StoredColumn } from "@/lib/schemas/column";
import type { ColumnNote } from "@/lib/schemas/publish";
import { delimiterOf, readCsv } from "./csv-reading";
import { withDecidedPoints } from "./decided-points";
import { readJson } from "./json-reading";
import { noteOf, type Reading } from "./reading";
import type { Expected } from "./text-reading";

/**
 * Plans how a file of any format is read. A text column without a declared type keeps its type in `currentColumns` if
 * every cell fits it.
 */
export async function planReading(
  bench: Bench,
  source: SourceFile,
  notes: readonly ColumnNote[],
  { orderBy, currentColumns = [] }: { orderBy: readonly string[]; currentColumns?: readonly StoredColumn[] },
): Promise<Reading> {
  const types = new Map(currentColumns.map(({ name, type }) => [name, type]));
  await refuseOtherFormat(source);
  switch (source.format) {
    case "csv":
    case "tsv":
      return await readDecided(bench, source.path, source.format, { notes, orderBy, types });
    case "json":
    case "ndjson":
      return await readJson(bench, source, { notes, orderBy, types });
    case "parquet":
      return await readParquet(bench, source.path, notes, orderBy);
  }
}

async function readDecided(bench: Bench, path: string, format: "csv" | "tsv", expected: Expected): Promise<Reading> {
  const { notes, types } = expected;
  return await withDecidedPoints(bench, await readCsv(bench, path, format, expected), {
    delimiter: () => delimiterOf(path, format),
    isDecided: (name) => noteOf(notes, name)?.type !== undefined || types.has(name),
  });
}

const HEAD_BYTES = 64 * 1024;

const JSON_FORMATS: readonly string[] = ["json", "ndjson"];

const TEXT_FORMATS: readonly string[] = ["csv", "tsv"];

/** Rejects a file whose bytes are clearly of another format than its name or `--format` says. */
async function refuseOtherFormat({ path, format }: SourceFile): Promise<void> {
  if (format === "parquet") return; // whose reader says what the file is instead
  const head = await firstBytes(path, HEAD_BYTES);
  const text = iconv.decode(head, findEncoding(head).value);
  const { value } = findFormat(head, text, { name: `.${format}`, mediaType: null });
  if (value === "binary" && TEXT_FORMATS.includes(format) && hasTextLine(text)) return; // NUL in a cell is kept
  if (value === format || [JSON_FORMATS, TEXT_FORMATS].some((same) => same.includes(value) && same.includes(format)))
    return;
  if (TEXT_FORMATS.includes(value))
    throw mismatch(
      `The file is not ${format}, as its name or --format says: it begins with ${JSON.stringify(shownStart(text))}. ` +
        "Use --format for what it is.",
    );
  const isRead = JSON_FORMATS.includes(value) || value === "parquet";
  throw mismatch(
    `The file is not ${format}, as its name or --format says, but ${value}. ` +
      (isRead ? `Use --format ${value}.` : "Save the data in it as csv, json or Parquet."),
  );
}

/** Whether the first line is text. */
const hasTextLine = (text: string): boolean => {
  const end = text.search(/[\0\r\n]/);
  return end > 0 && text[end] !== "\0";
};
