import type { RawCell } from "@/lib/readers/delimited/csv-records";
import type { PlainLayout } from "@/lib/readers/delimited/plain-rows";
import { mismatch, ReadFailure } from "@/lib/readers/failure";
import { givenColumns, type HeaderColumn, headerColumns, type LayoutOptions } from "./header-names";
import { type LinearPattern, linearPattern } from "./patterns";

/** Receives the rows of a source. */
export interface RowSink {
  /** Called before the first row, or at the end of a source without rows. */
  columns(names: readonly string[]): void;
  /** Returns false when no more is wanted. */
  row(row: number, cells: readonly (string | null)[]): boolean;
  /** Set if cells are taken in the order in which they arrive; undefined if rows are not wanted as bytes. */
  asIs?(): { mayContinue(): boolean } | undefined;
  /** A cell or record that was skipped, as the options allow. */
  reject(row: number, value: string, reason: string): void;
}

export interface Layouting {
  options: LayoutOptions & { empty_quoted?: "text" | "null" };
  /** Whether rows come from a sheet, and so have no blank cells at their end. */
  isSheet: boolean;
}

interface Held {
  cells: readonly RawCell[];
  row: number;
}

/** Turns the records of a file into named columns and rows: header, footer, blanks, nulls. */
export class Layout {
  private columns: HeaderColumn[] | undefined;
  private width = 0;
  private readonly header: RawCell[][] = [];
  private readonly headerRows: readonly number[];
  private readonly footer: Held[] = [];
  private readonly nulls: ReadonlySet<string>;
  private readonly stop: LinearPattern | undefined;
  private readonly layouting: Layouting;
  private readonly sink: RowSink;
  private isOver = false;

  constructor(layouting: Layouting, sink: RowSink) {
    this.layouting = layouting;
    this.sink = sink;
    const { header, null_tokens, stop_at } = layouting.options;
    this.headerRows = header === "none" ? [] : header.rows.toSorted((a, b) => a - b);
    this.nulls = new Set(null_tokens);
    this.stop = stop_at && "matches" in stop_at ? linearPattern(stop_at.matches) : undefined;
    if (header === "none") this.name(givenColumns(layouting.options));
  }

  /** `number` counts records, `row` is what a person sees. Returns false when no more is wanted. */
  record(cells: readonly RawCell[], number: number, row: number): boolean {
    const { options } = this.layouting;
    if (this.headerRows.includes(number)) {
      this.header.push(this.layouting.isSheet ? withoutBlankEnd(cells) : [...cells]);
      if (this.header.length === this.headerRows.length) this.name(headerColumns(this.header, options, row));
      return true;
    }
    const first = options.first_row ?? (this.headerRows.at(-1) ?? 0) + 1;
    if (!this.columns || number < first) return true;
    if (this.isOver || (options.last_row !== undefined && number > options.last_row)) return false;
    if (this.endsData(cells)) {
      this.isOver = true;
      return false;
    }
    if (options.skip_blank_rows && cells.every(isBlank)) return true;
    return this.hold({ cells, row });
  }

  /** What rows from this record on must satisfy to be copied as they are; undefined if they need more processing. */
  plain(number: number): PlainLayout | undefined {
    const { first_row, last_row, stop_at, skip_footer, null_tokens } = this.layouting.options;
    const first = Math.max(first_row ?? 0, (this.headerRows.at(-1) ?? 0) + 1);
    const isAsked = last_row !== undefined || stop_at !== undefined || skip_footer > 0 || number < first;
    if (isAsked || this.isOver || this.columns?.length !== this.width) return undefined;
    if (!this.columns.every(({ index, mustBeEmpty }, at) => index === at && !mustBeEmpty)) return undefined;
    const sink = this.sink.asIs?.();
    return sink && { width: this.width, nullTokens: null_tokens, mayContinue: () => sink.mayContinue() };
  }

  end(): void {
    if (this.columns) return;
    const missing = this.headerRows[this.header.length];
    throw new ReadFailure("header_mismatch", `The source ends before row ${missing}, which should be in its header.`);
  }

  private name(columns: HeaderColumn[]): void {
    this.columns = columns;
    this.width = Math.max(this.layouting.options.columns?.length ?? 0, ...this.header.map((cells) => cells.length));
    this.sink.columns(columns.filter((column) => !column.mustBeEmpty).map((column) => column.name));
  }

  private endsData(cells: readonly RawCell[]): boolean {
    const { stop_at } = this.layouting.options;
    if (!stop_at) return false;
    if ("blank_row" in stop_at) return cells.every(isBlank);
    return this.stop?.isIn(cells[stop_at.column - 1] ?? "") ?? false;
  }

  /** Holds back as many records as the footer has. */
  private hold(record: Held): boolean {
    const { skip_footer } = this.layouting.options;
    if (skip_footer === 0) return this.emit(record);
    this.footer.push(record);
    const next = this.footer.length > skip_footer ? this.footer.shift() : undefined;
    return next ? this.emit(next) : true;
  }

  private emit({ cells, row }: Held): boolean {
    this.checkWidth(cells, row);
    const values: (string | null)[] = [];
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
    const { ragged } = this.layouting.options;
    if (cells.length === this.width) return;
    if (cells.length < this.width) {
      if (this.layouting.isSheet || ragged === "pad" || ragged === "pad_and_cut") return;
      throw mismatch(
        `Row ${row} has ${cells.length} of ${this.width} cells. Set ragged to pad if missing cells are empty.`,
        row,
      );
    }
    const extra = cells.slice(this.width).filter((cell) => !isBlank(cell));
    if (extra.length === 0 && this.layouting.isSheet) return;
    if (ragged !== "cut" && ragged !== "pad_and_cut")
      throw mismatch(
        `Row ${row} has ${cells.length} cells, but the header has ${this.width}. Quote text that contains the ` +
          "delimiter, or set ragged to cut.",
        row,
      );
    if (extra.length > 0) this.sink.reject(row, extra.join(" "), `cells beyond the ${this.width} columns`);
  }
}

const isBlank = (cell: RawCell): boolean => cell === null || cell.trim() === "";

function withoutBlankEnd(cells: readonly RawCell[]): RawCell[] {
  let end = cells.length;
  while (end > 0 && isBlank(cells[end - 1] ?? null)) end -= 1;
  return cells.slice(0, end);
}
