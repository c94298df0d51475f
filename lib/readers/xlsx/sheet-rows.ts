import { COLUMNS_MAX, tooManyColumns } from "@/lib/readers/columns-max";
import type { RawCell } from "@/lib/readers/delimited/csv-records";
import { mismatch } from "@/lib/readers/failure";
import type { Layout, RowSink } from "@/lib/readers/layout";
import type { XlsxOptions } from "@/lib/schemas/recipe-reader";
import { cellText, unfit } from "./cell-text";

import { positionOf, type Range, rangeOf, SHEET_ROWS } from "./references";
import { StringItem, TEXT_CHARACTERS_MAX, tooLong, type Workbook } from "./workbook-parts";

export interface SheetReading {
  options: XlsxOptions;
  layout: Pick<Layout, "record" | "end">;
  leaveOut: RowSink["leaveOut"];
  /** Whether a sheet without values is read like any other. */
  mayBeEmpty?: boolean;
  /** Called for each value in a hidden row or column. It is read like all others. */
  onHidden?(location: { row: number } | { column: number }): void;
}

const GAP_ROWS_MAX = 1000;

/** Turns a sheet's elements into records for the layout. */
export class SheetRows {
  private readonly range: Range;
  private readonly item = new StringItem();
  private row = 0;
  private hasOwnNumber = false;
  private isHidden = false;
  private cells: RawCell[] = [];
  private column = 0;
  private cellType = "n";
  private style = 0;
  private hasFormula = false;
  private value: string | undefined;
  private isInData = false;
  private isInValue = false;
  private over = false;
  private isEmpty = true;
  private readonly hiddenColumns: { min: number; max: number }[] = [];
  private readonly workbook: Workbook;
  private readonly reading: SheetReading;

  constructor(workbook: Workbook, reading: SheetReading) {
    this.workbook = workbook;
    this.reading = reading;
    this.range = rangeOf(reading.options.range);
  }

  isOver = (): boolean => this.over;

  /** Ends a sheet that was read to its end. */
  end(): void {
    if (this.isEmpty && !this.reading.mayBeEmpty)
      throw mismatch(`The sheet has no values${this.reading.options.range ? " in the range" : ""}.`);
    this.reading.layout.end();
  }

  open = (tag: string, attributes: Readonly<Record<string, string>>): void => {
    if (!this.isInData) this.openBefore(tag, attributes);
    else if (tag === "row") this.beginRow(attributes);
    else if (tag === "c") this.beginCell(attributes);
    else if (tag === "v") this.beginValue();
    else if (tag === "f") this.hasFormula = true;
    this.item.open(tag);
  };

  text = (text: string): void => {
    if (this.isInValue) this.value = (this.value ?? "") + text;
    else this.item.add(text);
    if ((this.value?.length ?? 0) > TEXT_CHARACTERS_MAX) throw tooLong();
  };

  close = (tag: string): void => {
    this.item.close(tag);
    if (!this.isInData) return;
    if (tag === "v") this.isInValue = false;
    else if (tag === "c") this.endCell();
    else if (tag === "row") this.endRow();
    else if (tag === "sheetData") this.isInData = false;
  };

  private openBefore(tag: string, { min, max, hidden }: Readonly<Record<string, string>>): void {
    if (tag === "sheetData") this.isInData = true;
    if (tag === "col" && isTrue(hidden)) this.hiddenColumns.push({ min: Number(min), max: Number(max) });
  }

  private beginValue(): void {
    this.isInValue = true;
    this.value ??= "";
  }

  private beginRow({ r, hidden }: Readonly<Record<string, string>>): void {
    const row = r === undefined ? this.row + 1 : Number(r);
    if (!(row > this.row))
      throw mismatch(`The sheet has row ${r?.slice(0, 20)} after row ${this.row}. Save the workbook again.`, this.row);
    if (!(row <= SHEET_ROWS)) throw mismatch(`The sheet has more than ${SHEET_ROWS} rows. Save it as csv.`, this.row);
    this.blankRows(row);
    this.row = row;
    this.hasOwnNumber = r !== undefined;
    this.isHidden = isTrue(hidden);
    this.cells = [];
    this.column = 0;
  }

  /** Rows that the sheet omits are blank, and may end the data. */
  private blankRows(before: number): void {
    const first = Math.max(this.row + 1, this.range.top);
    const last = Math.min(before - 1, first + GAP_ROWS_MAX, this.range.bottom);
    for (let row = first; row <= last && !this.over; row += 1)
      if (!this.reading.layout.record([], row, row)) this.over = true;
  }

  private beginCell({ r, t, s }: Readonly<Record<string, string>>): void {
    this.column = r === undefined ? this.column + 1 : this.columnAt(r);
    this.cellType = t ?? "n";
    this.style = Number(s ?? 0);
    this.value = undefined;
    this.hasFormula = false;
    this.item.begin();
  }

  /** The column of a reference, whose row must be this one. A row without a number has that of its first cell. */
  private columnAt(reference: string): number {
    const position = positionOf(reference);
    if (!position)
      throw mismatch(`Row ${this.row}: there is no cell ${JSON.stringify(reference.slice(0, 20))}.`, this.row);
    const { row = this.row, column } = position;
    if (row > this.row && !this.hasOwnNumber && this.column === 0) {
      this.blankRows(row);
      this.row = row;
    } else if (row !== this.row)
      throw mismatch(`Row ${this.row} has a cell ${reference}. Save the workbook again.`, this.row);
    return column;
  }

  private endCell(): void {
    const { row, column, style, hasFormula, value } = this;
    const cell = { row, column, type: this.cellType, style, hasFormula, value, inline: this.item.text };
    const { text, leftOut } = cellText(cell, this.workbook);
    if (text === null && !leftOut) return;
    const isIn = this.isInRange();
    this.isEmpty &&= !isIn;
    if (!isIn) this.reading.leaveOut("outside_range", row, leftOut?.value ?? text ?? "", column);
    else if (leftOut) this.reading.leaveOut(leftOut.cause, row, leftOut.value, column);
    else if (text !== null) this.put(text);
  }

  private isInRange(): boolean {
    const { left, right, top, bottom } = this.range;
    return this.column >= left && this.column <= right && this.row >= top && this.row <= bottom;
  }

  private put(text: string): void {
    const at = this.column - this.range.left;
    if (at >= COLUMNS_MAX) throw tooManyColumns(`Row ${this.row}`, `at least ${at + 1}`, this.row);
    if ((this.cells[at] ?? null) !== null)
      throw unfit({ row: this.row, column: this.column }, "the sheet has two cells here");
    while (this.cells.length < at) this.cells.push(null);
    this.cells[at] = text;
    this.reportHidden();
  }

  private reportHidden(): void {
    const { reading, row, column, isHidden } = this;
    if (isHidden) reading.onHidden?.({ row });
    if (this.hiddenColumns.some(({ min, max }) => column >= min && column <= max)) reading.onHidden?.({ column });
  }

  private endRow(): void {
    if (this.over || this.row < this.range.top || this.row > this.range.bottom) return;
    if (!this.reading.layout.record(this.cells, this.row, this.row)) this.over = true;
  }
}

const isTrue = (text: string | undefined): boolean => text === "1" || text === "true";
