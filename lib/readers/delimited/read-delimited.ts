import type { CellsFile } from "@/lib/readers/cells-file";
import { mismatch, ReadFailure } from "@/lib/readers/failure";
import type { Layout, RowSink } from "@/lib/readers/layout";
import type { CsvOptions } from "@/lib/schemas/recipe-reader";
import { CsvRecords } from "./csv-records";
import { BadBytes, decode } from "./decode";
import { mayBePlain, PlainRows } from "./plain-rows";

const LF = 0x0a;

export interface DelimitedReading {
  chunks: AsyncIterable<Buffer>;
  options: CsvOptions;
  layout: Layout;
  cells: CellsFile;
  sink: Pick<RowSink, "leaveOut">;
  /** Whether an incomplete record at the end is ignored. */
  isCut?: boolean;
}

/** Reads delimited text into the layout. Rows are numbered by the line where their record begins. */
export async function readDelimited(reading: DelimitedReading): Promise<void> {
  const { chunks, options, layout, cells, sink, isCut } = reading;
  const records = new CsvRecords(options, {
    record: (record, number, line) => {
      const wantsMore = layout.record(record, number, line);
      if (layout.isOver) records.relax();
      return wantsMore;
    },
    comment: (text, line) => sink.leaveOut("comment", line, text),
  });
  const others = mayBePlain(options)
    ? notPlain(chunks, { records, layout, rows: new PlainRows(options, cells) })
    : chunks;
  const decoded = decode(others, options.encoding, options.bad_bytes);
  let isEmpty = true;
  let replaced = 0;
  try {
    for await (const text of decoded.texts) {
      isEmpty &&= text === "";
      const wantsMore = records.push(withoutNul(text, records));
      if (decoded.replaced() > replaced) {
        replaced = decoded.replaced();
        sink.leaveOut("bad_bytes", records.line, "");
      }
      if (!wantsMore) return;
    }
  } catch (error) {
    if (!(error instanceof BadBytes)) throw error;
    if (!layout.isOver) throw badBytes(records, options);
  }
  if (isEmpty) throw mismatch("The source is empty.");
  if (!isCut) records.end();
  layout.end();
}

interface Plain {
  records: CsvRecords;
  layout: Layout;
  rows: PlainRows;
}

const PIECE_BYTES_MAX = 1 << 20;

/**
 * Yields the bytes that are not read as plain rows, in pieces of complete lines: a single line after plain rows, and
 * twice as much each time that no plain rows followed. A piece has been read when the next one is requested.
 */
async function* notPlain(chunks: AsyncIterable<Buffer>, plain: Plain): AsyncGenerator<Buffer> {
  let left: Buffer = Buffer.alloc(0);
  let pieceBytes = 1;
  for await (const chunk of chunks) {
    const bytes = left.length === 0 ? chunk : Buffer.concat([left, chunk]);
    let at = 0;
    for (;;) {
      const read = readPlain(bytes, at, plain);
      if (read.isOver) return;
      pieceBytes = read.at > at ? 1 : Math.min(2 * pieceBytes, PIECE_BYTES_MAX);
      const end = endOfPiece(bytes, read.at, pieceBytes);
      at = read.at;
      if (end === undefined) break;
      yield bytes.subarray(at, end);
      at = end;
    }
    left = bytes.subarray(at);
  }
  if (left.length > 0) yield left;
}

/** Reads plain rows, from the first record on, since a byte order mark may precede it. */
function readPlain(bytes: Buffer, at: number, { records, layout, rows }: Plain): { at: number; isOver: boolean } {
  const shape = records.isBetween && records.records > 0 ? layout.plain(records.records + 1) : undefined;
  return shape ? rows.read(bytes, at, records, shape) : { at, isOver: false };
}

/** Position after the line in which the piece ends; undefined if more bytes are needed. */
function endOfPiece(bytes: Buffer, at: number, size: number): number | undefined {
  const end = bytes.indexOf(LF, Math.min(at + size, bytes.length) - 1) + 1;
  if (end > at) return end;
  const last = bytes.lastIndexOf(LF) + 1;
  if (last > at) return last;
  return bytes.length - at > PIECE_BYTES_MAX ? bytes.length : undefined;
}

function badBytes(records: CsvRecords, { encoding }: CsvOptions): ReadFailure {
  records.settle();
  return new ReadFailure(
    "encoding_invalid",
    `Line ${records.line} contains bytes that are not ${encoding}. Set the reader's encoding, or bad_bytes to replace.`,
    { row: records.line },
  );
}

function withoutNul(text: string, records: CsvRecords): string {
  const at = text.indexOf("\0");
  if (at < 0) return text;
  records.push(text.slice(0, at));
  records.settle();
  throw new ReadFailure(
    "encoding_invalid",
    `Line ${records.line} contains a NUL character. Check the encoding: UTF-16 looks like this.`,
    { row: records.line },
  );
}
