import { open } from "node:fs/promises";
import { mismatch } from "@/lib/readers/failure";
import { type LeftOut, LeftOutCount } from "@/lib/readers/left-out";
import { PlainLines } from "./csv-lines";
import { Utf8Check } from "./utf8";

/*
 * Verifies, byte by byte and before anything is read, that a CSV file is unambiguous: RFC 4180 with any delimiter.
 * DuckDB's own reader silently accepts errors (an extra empty field at a line's end, spaces before a quote), and its
 * messages do not name columns.
 */
const CHUNK_SIZE = 1 << 20;
const LINE_BYTES_MAX = 64 * 1024 * 1024;

// States: at a record's start, at a field's start, in spaces at a field's start, in plain text, in quotes, after a
// quote in quotes, after CR.
const [RECORD, FIELD, BLANK, PLAIN, QUOTED, CLOSED, RETURN] = [0, 1, 2, 3, 4, 5, 6] as const;
// Classes of bytes.
const [OTHER, QUOTE, DELIMITER, LINE_FEED, CARRIAGE_RETURN, SPACE] = [0, 1, 2, 3, 4, 5] as const;
// What a byte does besides changing the state; AGAIN reads the byte a second time, in the new state.
const [NOTHING, END_FIELD, END_RECORD, INNER_LINE, END_AT_CR_LF, END_AT_CR_AGAIN, LATE_TEXT, LATE_QUOTE] = [
  0, 1, 2, 3, 4, 5, 6, 7,
] as const;

/** `[state][class]` → next state and what to do. */
const STEPS: readonly (readonly (readonly [number, number])[])[] = [
  /* RECORD */ [
    [PLAIN, NOTHING],
    [QUOTED, NOTHING],
    [FIELD, END_FIELD],
    [RECORD, END_RECORD],
    [RETURN, NOTHING],
    [BLANK, NOTHING],
  ],
  /* FIELD  */ [
    [PLAIN, NOTHING],
    [QUOTED, NOTHING],
    [FIELD, END_FIELD],
    [RECORD, END_RECORD],
    [RETURN, NOTHING],
    [BLANK, NOTHING],
  ],
  /* BLANK  */ [
    [PLAIN, NOTHING],
    [BLANK, LATE_QUOTE],
    [FIELD, END_FIELD],
    [RECORD, END_RECORD],
    [RETURN, NOTHING],
    [BLANK, NOTHING],
  ],
  /* PLAIN  */ [
    [PLAIN, NOTHING],
    [PLAIN, NOTHING],
    [FIELD, END_FIELD],
    [RECORD, END_RECORD],
    [RETURN, NOTHING],
    [PLAIN, NOTHING],
  ],
  /* QUOTED */ [
    [QUOTED, NOTHING],
    [CLOSED, NOTHING],
    [QUOTED, NOTHING],
    [QUOTED, INNER_LINE],
    [QUOTED, NOTHING],
    [QUOTED, NOTHING],
  ],
  /* CLOSED */ [
    [CLOSED, LATE_TEXT],
    [QUOTED, NOTHING],
    [FIELD, END_FIELD],
    [RECORD, END_RECORD],
    [RETURN, NOTHING],
    [CLOSED, LATE_TEXT],
  ],
  /* RETURN */ [
    [RECORD, END_AT_CR_AGAIN],
    [RECORD, END_AT_CR_AGAIN],
    [RECORD, END_AT_CR_AGAIN],
    [RECORD, END_AT_CR_LF],
    [RECORD, END_AT_CR_AGAIN],
    [RECORD, END_AT_CR_AGAIN],
  ],
];
const NEXT = Uint8Array.from(STEPS.flatMap((row) => [...row.map(([next]) => next), 0, 0]));
const DOES = Uint8Array.from(STEPS.flatMap((row) => [...row.map(([, does]) => does), 0, 0]));

type LineEnd = "LF" | "CR" | "CRLF";

export interface CsvDialect {
  delimiter: string;
  /** The header's fields as in the file. */
  header: string[];
}

export interface CsvExtent {
  /** Records, without the header. */
  rows: number;
  longestBytes: number;
  /** How all records end; LF for a single record without a line end. */
  lineEnd: LineEnd;
  /** Blank lines of a file with several columns. */
  leftOut: LeftOut[];
}

/** Checks and measures the entire file. Fails at the first fault, with its line and column. */
export async function scanCsv(path: string, dialect: CsvDialect): Promise<CsvExtent> {
  const scan = new CsvScan(dialect);
  const file = await open(path, "r");
  try {
    const size = Math.max(1, Math.min(CHUNK_SIZE, (await file.stat()).size));
    const buffer = Buffer.allocUnsafe(size);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, size, null);
      if (bytesRead === 0) break;
      scan.push(buffer.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
  return scan.end();
}

/** Keeps the position in the file between chunks. */
class CsvScan {
  private readonly classes = new Uint8Array(256).fill(OTHER);
  private readonly dialect: CsvDialect;
  private state: number = RECORD;
  private readonly leftOut = new LeftOutCount();
  private fields = 0;
  private records = 0;
  private line = 1;
  private recordLine = 1;
  private recordStart = 0;
  private bytes = 0;
  private longestBytes = 0;
  private lineEnd: LineEnd | undefined;
  private readonly utf8 = new Utf8Check();
  private readonly plain: PlainLines;

  constructor(dialect: CsvDialect) {
    this.dialect = dialect;
    this.plain = new PlainLines(dialect.delimiter, dialect.header.length);
    this.classes[0x22] = QUOTE;
    this.classes[0x20] = SPACE;
    this.classes[0x0a] = LINE_FEED;
    this.classes[0x0d] = CARRIAGE_RETURN;
    this.classes[dialect.delimiter.charCodeAt(0)] = DELIMITER;
  }

  push(chunk: Buffer): void {
    const bytes = this.bytes === 0 && chunk.subarray(0, 3).toString("hex") === "efbbbf" ? chunk.subarray(3) : chunk;
    const bad = this.utf8.push(bytes);
    this.step(bad === undefined ? bytes : bytes.subarray(0, bad));
    if (bad !== undefined) throw this.fault("contains bytes that are not UTF-8. Save the file as UTF-8");
    if (this.bytes - this.recordStart > LINE_BYTES_MAX)
      throw this.fault("makes its record longer than 64 MiB. Check for an unclosed quote");
  }

  end(): CsvExtent {
    if (this.utf8.isOpen) throw this.fault("ends inside a UTF-8 character. The file is truncated");
    if (this.state === QUOTED)
      throw this.faultAt(
        this.recordLine,
        "opens a quote that is never closed. Close it, or double quotes that are part of the text",
      );
    if (this.state === RETURN) this.endRecord("CR", this.bytes);
    else if (this.state !== RECORD) this.endRecord(undefined, this.bytes + 1);
    return {
      rows: this.records + this.plain.lines - 1,
      longestBytes: Math.max(this.longestBytes, this.plain.longestBytes),
      lineEnd: this.lineEnd ?? "LF",
      leftOut: this.leftOut.list(),
    };
  }

  private step(bytes: Buffer): void {
    const { classes } = this;
    let state = this.state;
    for (let at = this.skipPlain(bytes, 0, state); at < bytes.length; at += 1) {
      const index = (state << 3) | (classes[bytes[at] as number] as number);
      const does = DOES[index] as number;
      const before = state;
      state = NEXT[index] as number;
      if (does === NOTHING) continue;
      if (does === END_FIELD) {
        this.fields += 1;
        continue;
      }
      this.state = before;
      this.act(does, this.bytes + at);
      if (does === END_AT_CR_AGAIN) at -= 1;
      else if (does === END_RECORD) at = this.skipPlain(bytes, at + 1, state) - 1;
    }
    this.state = state;
    this.bytes += bytes.length;
  }

  /** Counts the plain lines from `at`, which is a record's start; returns the start of the next record. */
  private skipPlain(bytes: Buffer, at: number, state: number): number {
    if (state !== RECORD || this.lineEnd === "CR" || this.lineEnd === "CRLF") return at;
    const before = this.plain.lines;
    const next = this.plain.count(bytes, at);
    if (next === at) return at;
    this.lineEnd = "LF";
    this.line += this.plain.lines - before;
    this.recordLine = this.line;
    this.recordStart = this.bytes + next;
    return next;
  }

  private act(does: number, at: number): void {
    switch (does) {
      case INNER_LINE:
        this.line += 1;
        return;
      case END_RECORD:
        this.endRecord("LF", at + 1);
        return;
      case END_AT_CR_LF:
        this.endRecord("CRLF", at + 1);
        return;
      case END_AT_CR_AGAIN:
        this.endRecord("CR", at);
        return;
      case LATE_TEXT:
        throw this.fault("has text after its closing quote. Double quotes that are part of the text");
      case LATE_QUOTE:
        throw this.fault("has spaces before its opening quote. Remove them, or put them inside the quotes");
      default:
        throw new Error(`No such step: ${does}`);
    }
  }

  private endRecord(lineEnd: LineEnd | undefined, next: number): void {
    const length = next - this.recordStart - (lineEnd === "CRLF" ? 2 : 1);
    this.checkLineEnd(lineEnd);
    this.longestBytes = Math.max(this.longestBytes, length);
    this.fields += 1;
    const blank = length === 0 && lineEnd !== undefined && this.dialect.header.length > 1;
    if (blank) this.leftOut.add("blank_row", { part: 0, row: this.recordLine, column: null, value: "" });
    else this.countRecord();
    this.fields = 0;
    this.line += 1;
    this.recordLine = this.line;
    this.recordStart = next;
  }

  private countRecord(): void {
    const wanted = this.dialect.header.length;
    if (this.fields !== wanted) {
      const seen =
        this.fields < wanted
          ? `ends after ${this.fields} of ${wanted} fields, at column ${this.columnName(this.fields - 1)}`
          : `has ${this.fields} fields, but the header has ${wanted}`;
      throw mismatch(
        `Line ${this.recordLine} ${seen}. Give every line the same number of fields, and quote text that contains ` +
          `the delimiter or line breaks.`,
      );
    }
    this.records += 1;
  }

  private checkLineEnd(lineEnd: LineEnd | undefined): void {
    if (lineEnd === undefined) return;
    this.lineEnd ??= lineEnd;
    if (this.lineEnd !== lineEnd)
      throw this.fault(
        `ends with ${lineEnd}, but earlier lines end with ${this.lineEnd}. Use one kind of line ending, and quote ` +
          `text that contains another`,
      );
  }

  private columnName(index: number): string {
    return JSON.stringify(this.dialect.header[index] ?? `number ${index + 1}`);
  }

  private fault(what: string): Error {
    return this.faultAt(this.line, what);
  }

  private faultAt(line: number, what: string): Error {
    return mismatch(`Line ${line}, column ${this.columnName(this.fields)} ${what}.`);
  }
}
