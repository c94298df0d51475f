import { isAscii, isUtf8 } from "node:buffer";
import type { CellsFile } from "@/lib/readers/cells-file";
import type { CsvOptions } from "@/lib/schemas/recipe-reader";

const [LF, CR, COMMA, QUOTE, ZERO] = [0x0a, 0x0d, 0x2c, 0x22, 0x30] as const;
/** First UTF-8 bytes that some blank characters have, such as U+3000. */
const BLANK_LEADS = [0xe1, 0xe2, 0xe3, 0xef] as const;
/** Longer records take the general path. */
const RECORD_BYTES_MAX = 64 * 1024;
/** Maximum size of the cells that every row of a part begins with. Longer ones take the general path. */
const PART_BYTES_MAX = 16 * 1024;
const FULL_BYTES = 1 << 20;

/** Space for one record of so many bytes, each of which becomes at most four, as a cell with comma and quotes. */
const roomFor = (bytes: number): number => 4 * Math.min(RECORD_BYTES_MAX, bytes) + PART_BYTES_MAX + 64;

/** The current position in a file. */
export interface ReadingPosition {
  /** Line of the next record, from 1. */
  line: number;
  /** Number of records read. */
  records: number;
  lineEnd: "LF" | "CR" | "CRLF" | undefined;
}

/** What rows must satisfy to be copied as they are. */
export interface PlainLayout {
  width: number;
  nullTokens: readonly string[];
  /** Called after each row; false ends the part. */
  mayContinue(): boolean;
}

/** Whether rows of such a file can be read without decoding them to text. */
export const mayBePlain = (options: CsvOptions): boolean =>
  /^[!#-~\t ]$/.test(options.delimiter) &&
  options.quote === '"' &&
  options.escape === "double" &&
  options.comment === undefined &&
  options.trim === "none" &&
  options.empty_quoted === "text" &&
  /^(?:utf-8|windows-125\d|iso-8859-\d+)$/.test(options.encoding) &&
  !options.null_tokens.some((token) => token.includes('"'));

/**
 * The fast path for the rows of most files: bytes to bytes, without decoding them to text. It accepts only complete
 * records of the header's width and stops before any other record, which the general path (`CsvRecords`, `Layout`)
 * reads or rejects with a reason. Both paths give the same cells.
 */
export class PlainRows {
  private out: Buffer = Buffer.alloc(0);
  /** Like `out`, but without row numbers, for the digest. */
  private cellsOut: Buffer = Buffer.alloc(0);
  /** Rows are written when there are more bytes than this. */
  private fullBytes = 0;
  private outAt = 0;
  private cellsAt = 0;
  private at = 0;
  private lines = 0;
  /** Whether a cell of the record begins with a visible character, so that the row is not blank. */
  private isSolid = false;
  private longestBytes = 0;
  private tokens: readonly Buffer[] = [];
  private emptyIsNull = true;
  private readonly delimiter: number;
  /** 1 for bytes that end a cell or that a plain cell cannot contain. */
  private readonly ends = new Uint8Array(256);
  private readonly endsQuoted = new Uint8Array(256);
  /** 1 for bytes that no blank begins with. */
  private readonly solid = new Uint8Array(256);
  private readonly isWhole: (bytes: Buffer) => boolean;
  private readonly cells: CellsFile;

  constructor({ delimiter, encoding }: CsvOptions, cells: CellsFile) {
    this.cells = cells;
    this.delimiter = delimiter.charCodeAt(0);
    this.isWhole = encoding === "utf-8" ? isUtf8 : isAscii;
    for (const code of [0, LF, CR, QUOTE, this.delimiter]) this.ends[code] = 1;
    for (const code of [0, LF, CR, QUOTE]) this.endsQuoted[code] = 1;
    this.solid.fill(1, 0x21, 0x7f).fill(1, 0xc3, 0xf5);
    for (const code of [QUOTE, ...BLANK_LEADS]) this.solid[code] = 0;
  }

  /** Reads rows from `from` on. Returns the position of the first record that is not plain or not complete. */
  read(bytes: Buffer, from: number, position: ReadingPosition, layout: PlainLayout): { at: number; isOver: boolean } {
    const end = bytes.lastIndexOf(LF) + 1;
    if (this.cells.partBytes.length > PART_BYTES_MAX) return { at: from, isOver: false };
    if (end <= from || !this.isWhole(bytes.subarray(from, end))) return { at: from, isOver: false };
    this.fit(bytes.length);
    this.emptyIsNull = layout.nullTokens.includes("");
    this.tokens = layout.nullTokens.filter((token) => token !== "").map((token) => Buffer.from(token));
    let [at, isOver] = [from, false];
    while (at < end && !isOver) {
      if (this.outAt > this.fullBytes) this.flush();
      const next = this.record(bytes, at, Math.min(end, at + RECORD_BYTES_MAX), position, layout.width);
      if (next === at) break;
      at = next;
      position.records += 1;
      this.cells.count();
      isOver = !layout.mayContinue();
    }
    this.flush();
    return { at, isOver };
  }

  /** Buffers for chunks of this size, which are empty here: those of a small file are small. */
  private fit(bytes: number): void {
    const fullBytes = Math.min(FULL_BYTES, bytes);
    if (this.out.length > 0 && fullBytes <= this.fullBytes) return;
    this.fullBytes = fullBytes;
    this.out = Buffer.allocUnsafe(fullBytes + roomFor(bytes));
    this.cellsOut = Buffer.allocUnsafe(fullBytes + roomFor(bytes));
  }

  private flush(): void {
    if (this.outAt > 0)
      this.cells.writeRows(
        this.out.subarray(0, this.outAt),
        this.cellsOut.subarray(0, this.cellsAt),
        this.longestBytes,
      );
    this.outAt = 0;
    this.cellsAt = 0;
  }

  /** The position after the record, or its start if it is not plain. */
  private record(bytes: Buffer, start: number, stop: number, position: ReadingPosition, width: number): number {
    const [outAt, cellsAt] = [this.outAt, this.cellsAt];
    this.number(position.line);
    this.out[this.outAt++] = COMMA;
    this.number(this.cells.parts.length);
    this.outAt += this.cells.partBytes.copy(this.out, this.outAt);
    this.cellsAt += this.cells.partBytes.copy(this.cellsOut, this.cellsAt);
    this.at = start;
    this.lines = 1;
    this.isSolid = false;
    if (this.row(bytes, stop, width)) {
      const lineEnd = this.lineEnd(bytes);
      if (lineEnd !== undefined && lineEnd === (position.lineEnd ?? lineEnd) && this.isSolid) {
        position.lineEnd = lineEnd;
        position.line += this.lines;
        this.out[this.outAt++] = LF;
        this.cellsOut[this.cellsAt++] = LF;
        this.longestBytes = Math.max(this.longestBytes, this.outAt - outAt);
        return this.at + (lineEnd === "LF" ? 1 : 2);
      }
    }
    this.undo(outAt, cellsAt);
    return start;
  }

  private row(bytes: Buffer, stop: number, width: number): boolean {
    for (let left = width - 1; left >= 0; left -= 1) {
      if (!this.cell(bytes, stop) || this.at >= stop) return false;
      if (left === 0) break;
      if (bytes[this.at] !== this.delimiter) return false;
      this.at += 1;
    }
    return true;
  }

  private lineEnd(bytes: Buffer): "LF" | "CRLF" | undefined {
    if (bytes[this.at] === LF) return "LF";
    return bytes[this.at] === CR && bytes[this.at + 1] === LF ? "CRLF" : undefined;
  }

  /** Copies one cell. Returns false if it is not plain. */
  private cell(bytes: Buffer, stop: number): boolean {
    this.put(COMMA);
    const first = bytes[this.at] ?? 0;
    if (first === QUOTE) return this.quoted(bytes, stop);
    const [from, outAt, cellsAt] = [this.at, this.outAt, this.cellsAt];
    if (this.ends[first] === 1) {
      if (this.emptyIsNull) return true;
      this.put(QUOTE);
      this.put(QUOTE);
      return true;
    }
    if (this.solid[first] === 1) this.isSolid = true;
    this.put(QUOTE);
    this.copy(bytes, stop, this.ends);
    this.put(QUOTE);
    if (this.tokens.length > 0 && this.isToken(bytes, from, this.at)) this.undo(outAt, cellsAt);
    return this.at < stop;
  }

  private quoted(bytes: Buffer, stop: number): boolean {
    this.at += 1;
    const [from, outAt, cellsAt] = [this.at, this.outAt, this.cellsAt];
    if (this.solid[bytes[from] ?? 0] === 1) this.isSolid = true;
    this.put(QUOTE);
    for (;;) {
      this.copy(bytes, stop, this.endsQuoted);
      if (this.at >= stop) return false;
      const code = bytes[this.at];
      if (code === LF) this.lines += 1;
      else if (code !== QUOTE) return false;
      else if (bytes[this.at + 1] !== QUOTE) break;
      else this.put(QUOTE);
      this.put(code);
      this.at += code === LF ? 1 : 2;
    }
    this.put(QUOTE);
    if (this.tokens.length > 0 && this.isToken(bytes, from, this.at)) this.undo(outAt, cellsAt);
    this.at += 1;
    return true;
  }

  /** Copies up to the next byte that ends the cell. */
  private copy(bytes: Buffer, stop: number, ends: Uint8Array): void {
    const { out, cellsOut } = this;
    let [at, outAt, cellsAt] = [this.at, this.outAt, this.cellsAt];
    for (; at < stop; at += 1) {
      const code = bytes[at] as number;
      if (ends[code] === 1) break;
      out[outAt++] = code;
      cellsOut[cellsAt++] = code;
    }
    this.at = at;
    this.outAt = outAt;
    this.cellsAt = cellsAt;
  }

  private isToken(bytes: Buffer, from: number, to: number): boolean {
    return this.tokens.some(
      (token) => token.length === to - from && bytes.compare(token, 0, token.length, from, to) === 0,
    );
  }

  private undo(outAt: number, cellsAt: number): void {
    this.outAt = outAt;
    this.cellsAt = cellsAt;
  }

  private put(code: number): void {
    this.out[this.outAt++] = code;
    this.cellsOut[this.cellsAt++] = code;
  }

  /** Writes the digits of a row number, which are not part of the digest. */
  private number(value: number): void {
    let digits = 1;
    for (let power = 10; value >= power; power *= 10) digits += 1;
    this.outAt += digits;
    for (let [at, left] = [this.outAt, value]; digits > 0; digits -= 1) {
      at -= 1;
      this.out[at] = ZERO + (left % 10);
      left = Math.floor(left / 10);
    }
  }
}
