import { COLUMNS_MAX, tooManyColumns } from "@/lib/readers/columns-max";
import { mismatch } from "@/lib/readers/failure";
import type { CsvOptions } from "@/lib/schemas/recipe-reader";

/** Null is a bare empty cell, "" an empty quoted one. */
export type RawCell = string | null;

export interface TakesRecords {
  /** Takes records in order. `false` ends reading. */
  record(cells: RawCell[], record: number, line: number): boolean;
  comment?(text: string, line: number): void;
}

const CELL_CHARACTERS_MAX = 1024 * 1024;
const RECORD_CHARACTERS_MAX = 64 * 1024 * 1024;
const [LF, CR, BACKSLASH] = [0x0a, 0x0d, 0x5c] as const;
/** The text ends before the record does. */
const OPEN = -1;

type LineEnd = "LF" | "CR" | "CRLF";

/** Splits text into records in any dialect. Rejects at the first fault, with its line. */
export class CsvRecords {
  /** The line that is being read, from 1. */
  line = 1;
  /** Number of records read. */
  records = 0;
  /** Numbers of quotes so far that were taken literally: at the beginning of a cell, and inside a cell. */
  readonly strays = { opening: 0, inner: 0 };
  private pending = "";
  /** A record is retried only when this much text has arrived, so that a long one takes linear time. */
  private needed = 0;
  private at = 0;
  lineEnd: LineEnd | undefined;
  private isOver = false;
  /** The next odd run of quotes in the pending text, once it is known. */
  private closes: { at: number; end: number } | undefined;
  private options: CsvOptions;
  private readonly take: TakesRecords;
  private readonly delimiter: number;
  private readonly quote: string;
  private readonly quoteCode: number;
  private readonly escapes: boolean;
  private readonly columnsMax: number;
  private cells: RawCell[] = [];
  /** Cells of the record that are too many, and only counted. */
  private surplus = 0;
  private innerLines = 0;

  constructor(options: CsvOptions, take: TakesRecords, columnsMax = COLUMNS_MAX) {
    this.options = options;
    this.columnsMax = columnsMax;
    this.take = take;
    this.delimiter = options.delimiter.charCodeAt(0);
    this.quote = options.quote === "none" ? "" : options.quote;
    this.quoteCode = this.quote === "" ? OPEN : this.quote.charCodeAt(0);
    this.escapes = options.escape === "backslash";
  }

  /** Whether the next text starts a record. */
  get isBetween(): boolean {
    return this.pending === "" && !this.isOver;
  }

  /** From now on, quotes and line ends are no faults: what follows is only counted. */
  relax(): void {
    if (this.options.bad_quotes === "literal" && this.options.line_ends === "mixed") return;
    this.options = { ...this.options, bad_quotes: "literal", line_ends: "mixed" };
  }

  /** Returns false once no more is wanted. */
  push(text: string): boolean {
    this.pending = this.pending === "" ? text : this.pending + text;
    if (this.pending.length < this.needed) return !this.isOver;
    this.cut(false);
    this.needed = this.pending.length * 2;
    if (this.pending.length > RECORD_CHARACTERS_MAX)
      throw mismatch(`Line ${this.line} begins a record longer than 64 MiB. Check for a quote that is never closed.`);
    return !this.isOver;
  }

  /** Reads every complete record, so that `line` is exact. */
  settle(): void {
    if (!this.isOver) this.cut(false);
  }

  end(): void {
    this.cut(true);
    if (this.pending !== "" && !this.isOver)
      throw mismatch(
        `Line ${this.line} opens a quote that is never closed. Close it, set bad_quotes to literal, or set quote to ` +
          "none.",
        this.line,
        { bad_quotes: "literal" },
      );
  }

  private cut(isLast: boolean): void {
    const text = this.pending;
    this.closes = undefined;
    let at = 0;
    while (at < text.length && !this.isOver) {
      const next = this.readRecord(text, at, isLast);
      if (next === OPEN) break;
      at = next;
    }
    this.pending = at === 0 ? text : text.slice(at);
  }

  /** The position after the record that begins here. */
  private readRecord(text: string, start: number, isLast: boolean): number {
    if (this.options.comment !== undefined && text.startsWith(this.options.comment, start))
      return this.skipComment(text, start, isLast);
    this.cells = [];
    this.surplus = 0;
    this.innerLines = 0;
    this.at = start;
    for (;;) {
      if (!this.readCell(text, isLast)) return OPEN;
      if (this.cells.length > this.columnsMax) {
        this.cells.pop();
        this.surplus += 1;
      }
      if (text.charCodeAt(this.at) !== this.delimiter) break;
      this.at += 1;
    }
    const next = this.endOfLine(text, this.at, isLast);
    if (next === OPEN) return OPEN;
    if (this.surplus > 0) throw tooManyColumns(`Line ${this.line}`, this.columnsMax + this.surplus, this.line);
    this.finish(this.cells);
    return next;
  }

  private finish(cells: RawCell[] | undefined): void {
    this.records += 1;
    if (cells && !this.take.record(cells, this.records, this.line)) this.isOver = true;
    this.line += 1 + this.innerLines;
  }

  private skipComment(text: string, start: number, isLast: boolean): number {
    let at = start;
    while (at < text.length && !isLineEnd(text.charCodeAt(at))) at += 1;
    const next = this.endOfLine(text, at, isLast);
    this.innerLines = 0;
    if (next === OPEN) return OPEN;
    this.take.comment?.(text.slice(start, at), this.line);
    this.finish(undefined);
    return next;
  }

  /** Reads one cell, up to its delimiter or line end. False if the text ends too early to tell. */
  private readCell(text: string, isLast: boolean): boolean {
    const start = this.at;
    if (text.charCodeAt(start) === this.quoteCode) {
      const isDone = this.readQuoted(text, isLast);
      if (isDone !== undefined) return isDone;
      this.at = start;
      return this.readPlain(text, isLast, true);
    }
    return this.readPlain(text, isLast, false);
  }

  private readPlain(text: string, isLast: boolean, isLiteral: boolean): boolean {
    const start = this.at;
    let [at, escaped] = [start, false];
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === this.delimiter || code === LF || code === CR) break;
      if (code === this.quoteCode && !isLiteral) this.meetStray("inner");
      if (code === BACKSLASH && this.escapes) {
        escaped = true;
        at += 1;
      }
    }
    if (at >= text.length && !isLast) return false;
    this.at = Math.min(at, text.length);
    const cell = text.slice(start, this.at);
    this.append(cell === "" ? null : escaped ? this.unescape(cell) : cell);
    return true;
  }

  /** Undefined if the quotes do not quote: text follows the closing one, and everything is taken literally. */
  private readQuoted(text: string, isLast: boolean): boolean | undefined {
    const start = this.at + 1;
    const end = this.endOfQuoted(text, start);
    const isOpen = end === OPEN || (end + 1 >= text.length && !isLast);
    if (isOpen && !(isLast && this.options.bad_quotes === "literal")) return false;
    const code = end + 1 < text.length ? text.charCodeAt(end + 1) : LF;
    if (isOpen || (code !== this.delimiter && !isLineEnd(code))) {
      this.meetStray("opening");
      return undefined;
    }
    this.at = end + 1;
    const cell = text.slice(start, end);
    this.innerLines += lineEnds(cell);
    this.append(this.escapes ? this.unescape(cell) : this.undouble(cell));
    return true;
  }

  /**
   * The position of the closing quote. Doubled quotes are text, so a run of them closes the cell if it is odd. The same
   * run closes for every cell that opens before it: it is looked for only once, however many cells turn out not to be
   * quoted.
   */
  private endOfQuoted(text: string, start: number): number {
    if (this.escapes) return this.closing(text, start);
    const own = this.runFrom(text, start);
    if (own % 2 === 1) return start + own - 1;
    if (this.closes === undefined || this.closes.at < start + own) this.closes = this.nextOdd(text, start + own);
    return this.closes.end;
  }

  private runFrom(text: string, start: number): number {
    let at = start;
    while (text.charCodeAt(at) === this.quoteCode) at += 1;
    return at - start;
  }

  /** The next odd run of quotes: where it begins and its last quote. */
  private nextOdd(text: string, from: number): { at: number; end: number } {
    for (let at = text.indexOf(this.quote, from); at >= 0; ) {
      const length = this.runFrom(text, at);
      if (length % 2 === 1) return { at, end: at + length - 1 };
      at = text.indexOf(this.quote, at + length);
    }
    return { at: Number.POSITIVE_INFINITY, end: OPEN };
  }

  private undouble(cell: string): string {
    return cell.includes(this.quote) ? cell.replaceAll(this.quote + this.quote, this.quote) : cell;
  }

  private closing(text: string, from: number): number {
    for (let at = from; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === BACKSLASH) at += 1;
      else if (code === this.quoteCode) return at;
    }
    return OPEN;
  }

  /** A backslash escapes quotes, delimiters, line ends and itself. Before anything else it is text. */
  private unescape(cell: string): string {
    if (!cell.includes("\\")) return cell;
    const special = `\\\r\n${this.quote}${this.options.delimiter}`;
    let text = "";
    for (let at = 0; at < cell.length; at += 1) {
      const isEscape = cell[at] === "\\" && special.includes(cell[at + 1] ?? "none");
      if (isEscape) at += 1;
      text += cell[at];
    }
    return text;
  }

  private append(cell: RawCell): void {
    if (cell !== null && cell.length > CELL_CHARACTERS_MAX)
      throw mismatch(`Line ${this.line}, cell ${this.cells.length + 1}: longer than 1,048,576 characters.`, this.line);
    this.cells.push(cell);
  }

  private endOfLine(text: string, at: number, isLast: boolean): number {
    if (at >= text.length) return isLast ? at : OPEN;
    if (text.charCodeAt(at) === LF) return this.checked("LF", at + 1);
    if (at + 1 >= text.length && !isLast) return OPEN;
    return text.charCodeAt(at + 1) === LF ? this.checked("CRLF", at + 2) : this.checked("CR", at + 1);
  }

  private checked(lineEnd: LineEnd, next: number): number {
    this.lineEnd ??= lineEnd;
    if (lineEnd !== this.lineEnd && this.options.line_ends === "strict")
      throw mismatch(
        `Line ${this.line} ends with ${lineEnd}, but earlier lines end with ${this.lineEnd}. Set line_ends to mixed.`,
        this.line,
        { line_ends: "mixed" },
      );
    return next;
  }

  private meetStray(kind: "opening" | "inner"): void {
    this.strays[kind] += 1;
    if (this.options.bad_quotes === "literal") return;
    throw mismatch(
      `Line ${this.line}, cell ${this.cells.length + 1}: a quote is inside a cell that is not quoted as a whole. Set ` +
        "bad_quotes to literal, or quote to none.",
      this.line,
      { bad_quotes: "literal" },
    );
  }
}

const isLineEnd = (code: number): boolean => code === LF || code === CR;

function lineEnds(cell: string): number {
  let count = 0;
  for (let at = 0; at < cell.length; at += 1) {
    const code = cell.charCodeAt(at);
    if (code === LF || (code === CR && cell.charCodeAt(at + 1) !== LF)) count += 1;
  }
  return count;
}
