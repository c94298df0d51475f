import type { RawCell } from "@/lib/readers/delimited/csv-records";
import type { PlainLayout } from "@/lib/readers/delimited/plain-rows";
import { mismatch, ReadFailure } from "@/lib/readers/failure";
import { type HeaderColumn, headerColumns, type LayoutOptions, namedColumns } from "./header-names";
import type { LeftOutCause } from "./left-out";
import { type LinearPattern, linearPattern } from "./patterns";

/** Receives the rows of a source. */
export interface RowSink {
  /** Called before the first row, or at the end of a source without rows. */
  columns(names: readonly string[]): void;
  /** Returns false when no more is wanted. */
  row(row: number, cells: readonly (string | null)[]): boolean;
  /** Set if cells are taken in the order in which they arrive; undefined if rows are not wanted as bytes. */
  asIs?(): { mayContinue(): boolean } | undefined;
  /** A cell (`column` from 1) or an entire row of `cells` cells (`column` null) that is left out. */
  leaveOut(cause: LeftOutCause, row: number, value: string, column?: number | null, cells?: number): void;
}

export interface Layouting {
  options: LayoutOptions & { empty_quoted?: "text" | "null" };
  /** Whether rows come from a sheet, and so have no blank cells at their end. */
  isSheet: boolean;
}

interface PendingRecord {
  cells: readonly RawCell[];
  row: number;
}

/** Turns the records of a file into named columns and rows: header, footer, blanks, nulls. */
export class Layout {
  private columns: HeaderColumn[] | undefined;
  private width = 0;
  /** Indexes of the cells that are not taken. */
  private dropped: readonly number[] = [];
  private readonly header: RawCell[][] = [];
  private readonly headerRows: readonly number[];
  private readonly footer: PendingRecord[] = [];
  private readonly nulls: ReadonlySet<string>;
  private readonly stop: LinearPattern | undefined;
  private readonly layouting: Layouting;
  private readonly sink: RowSink;
  /** Whether the data have ended, so that everything else is a footer. */
  isOver = false;

  constructor(layouting: Layouting, sink: RowSink) {
    this.layouting = layouting;
    this.sink = sink;
    const { header, null_tokens, stop_at } = layouting.options;
    this.headerRows = header === "none" ? [] : header.rows.toSorted((a, b) => a - b);
    this.nulls = new Set(null_tokens);
    this.stop = stop_at && "matches" in stop_at ? linearPattern(stop_at.matches) : undefined;
    if (header === "none") this.name(namedColumns(layouting.options));
  }

  /** `number` counts records, `row` is what a person sees. Returns false when no more is wanted. */
  record(cells: readonly RawCell[], number: number, row: number): boolean {
    const { options } = this.layouting;
    if (this.headerRows.includes(number)) {
      this.header.push(this.layouting.isSheet ? withoutBlankEnd(cells) : [...cells]);
      if (this.header.length === this.headerRows.length) this.name(headerColumns(this.header, options, row));
      return true;
    }
    return this.columns ? this.data(cells, number, row) : this.leaveOut("preamble", cells, row);
  }

  private data(cells: readonly RawCell[], number: number, row: number): boolean {
    const { first_row, last_row, skip_blank_rows } = this.layouting.options;
    if (number < (first_row ?? 0))
      return this.leaveOut(this.isBeforeHeader(number) ? "preamble" : "between", cells, row);
    this.isOver ||= (last_row !== undefined && number > last_row) || this.endsData(cells);
    if (this.isOver) return this.leaveOut("footer", cells, row);
    if (cells.length === 1 && cells[0] === END_MARK) return this.leaveOut("end_mark", cells, row);
    if (skip_blank_rows && cells.every(isBlank)) return this.leaveOut("blank_row", cells, row);
    return this.defer({ cells, row });
  }

  private isBeforeHeader(number: number): boolean {
    return this.headerRows.length === 0 || number < (this.headerRows.at(-1) ?? 0);
  }

  /** Counts a row. A sheet's rows without cells are not in the file. */
  private leaveOut(cause: LeftOutCause, cells: readonly RawCell[], row: number): true {
    if (cells.length > 0) this.sink.leaveOut(cause, row, shownRow(cells), null, cells.length);
    return true;
  }

  /** What rows from this record on must satisfy to be copied as they are; undefined if they need more processing. */
  plain(number: number): PlainLayout | undefined {
    const { first_row, last_row, stop_at, skip_footer, null_tokens } = this.layouting.options;
    const first = Math.max(first_row ?? 0, (this.headerRows.at(-1) ?? 0) + 1);
    const isLimited = last_row !== undefined || stop_at !== undefined || skip_footer > 0 || number < first;
    if (isLimited || this.isOver || this.columns?.length !== this.width) return undefined;
    if (!this.columns.every(({ index, mustBeEmpty }, at) => index === at && !mustBeEmpty)) return undefined;
    const sink = this.sink.asIs?.();
    return sink && { width: this.width, nullTokens: null_tokens, mayContinue: () => sink.mayContinue() };
  }

  /** Ends a file that was read to its end. */
  end(): void {
    for (const { cells, row } of this.footer.splice(0)) this.leaveOut("footer", cells, row);
    if (this.columns) return;
    const missing = this.headerRows[this.header.length];
    throw new ReadFailure("header_mismatch", `The source ends before row ${missing}, which should be in its header.`);
  }

  private name(columns: HeaderColumn[]): void {
    this.columns = columns;
    const taken = new Set(columns.filter(({ mustBeEmpty }) => !mustBeEmpty).map(({ index }) => index));
    this.width = Math.max(this.layouting.options.columns?.length ?? 0, ...this.header.map((cells) => cells.length));
    this.dropped = Array.from({ length: this.width }, (_, index) => index).filter((index) => !taken.has(index));
    this.sink.columns(columns.filter((column) => !column.mustBeEmpty).map((column) => column.name));
  }

  private endsData(cells: readonly RawCell[]): boolean {
    const { stop_at } = this.layouting.options;
    if (!stop_at) return false;
    if ("blank_row" in stop_at) return cells.every(isBlank);
    return this.stop?.isIn(cells[stop_at.column - 1] ?? "") ?? false;
  }

  /** Holds back as many records as the footer has. */
  private defer(record: PendingRecord): boolean {
    const { skip_footer } = this.layouting.options;
    if (skip_footer === 0) return this.emit(record);
    this.footer.push(record);
    const next = this.footer.length > skip_footer ? this.footer.shift() : undefined;
    return next ? this.emit(next) : true;
  }

  private emit({ cells, row }: PendingRecord): boolean {
    this.checkWidth(cells, row);
    const values: (string | null)[] = [];
    for (const at of this.dropped)
      if (at < cells.length) this.leaveOutCell(cells[at] ?? null, row, at, "dropped_column");
    for (const { index, mustBeEmpty } of this.columns ?? []) {
      const value = this.value(cells[index] ?? null);
      if (!mustBeEmpty) values.push(value);
      else if (value !== null)
        throw new ReadFailure(
          "header_mismatch",
          `Row ${row}: column ${index + 1} has no name in the header, but the value ` +
            `${JSON.stringify(value.slice(0, 80))}. Set blank_names to number.`,
          { row },
        );
    }
    return this.sink.row(row, values);
  }

  private value(cell: RawCell): string | null {
    const { trim, empty_quoted } = this.layouting.options as Layouting["options"] & { trim: "none" | "ends" };
    if (cell === "" && !this.layouting.isSheet) return empty_quoted === "null" ? null : "";
    const text = trim === "ends" ? (cell ?? "").trim() : (cell ?? "");
    return this.nulls.has(text) ? null : text;
  }

  private checkWidth(cells: readonly RawCell[], row: number): void {
    if (cells.length < this.width && !this.layouting.isSheet) this.short(cells, row);
    if (cells.length > this.width) this.long(cells, row);
  }

  private short({ length }: readonly RawCell[], row: number): void {
    const { ragged } = this.layouting.options;
    if (ragged !== "pad" && ragged !== "pad_and_cut")
      throw mismatch(
        `Row ${row} has ${length} of ${this.width} cells. Set ragged to pad if missing cells are empty.`,
        row,
        { ragged: ragged === "cut" ? "pad_and_cut" : "pad" },
      );
    this.sink.leaveOut("missing_cell", row, "", length + 1, this.width - length);
  }

  private long(cells: readonly RawCell[], row: number): void {
    const { ragged } = this.layouting.options;
    const isExtra = cells.slice(this.width).some((cell) => !isBlank(cell));
    if (!isExtra && this.layouting.isSheet) return;
    if (ragged !== "cut" && ragged !== "pad_and_cut")
      throw mismatch(
        `Row ${row} has ${cells.length} cells, but the header has ${this.width}. Quote text that contains the ` +
          "delimiter, or set ragged to cut.",
        row,
        { ragged: ragged === "pad" ? "pad_and_cut" : "cut" },
      );
    for (let at = this.width; at < cells.length; at += 1)
      this.leaveOutCell(cells[at] ?? null, row, at, isBlank(cells[at] ?? null) ? "blank_cell" : "cut");
  }

  /** Counts a cell. A sheet's empty cells are not in the file. */
  private leaveOutCell(cell: RawCell, row: number, at: number, cause: LeftOutCause): void {
    if (cell !== null || !this.layouting.isSheet) this.sink.leaveOut(cause, row, cell ?? "", at + 1);
  }
}

/** Ctrl-Z, with which DOS ended texts. */
export const END_MARK = "\u001a";
const SHOWN_CELLS = 20;

/** A row's cells as they are listed. */
const shownRow = (cells: readonly RawCell[]): string =>
  cells
    .slice(0, SHOWN_CELLS)
    .map((cell) => cell ?? "")
    .join(" | ");

const isBlank = (cell: RawCell): boolean => cell === null || cell.trim() === "";

function withoutBlankEnd(cells: readonly RawCell[]): RawCell[] {
  let end = cells.length;
  while (end > 0 && isBlank(cells[end - 1] ?? null)) end -= 1;
  return cells.slice(0, end);
}
