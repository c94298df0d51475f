import { open } from "node:fs/promises";
import { openZip, type ZipDirectory } from "@/lib/readers/containers/zip-directory";
import { COLUMNS_MAX, type RawCell } from "@/lib/readers/delimited/csv-records";
import { mismatch, ReadFailure } from "@/lib/readers/failure";
import type { Layout, RowSink } from "@/lib/readers/layout";
import type { XlsxOptions } from "@/lib/schemas/recipe-reader";
import { plainNumber, type Shown, serialText } from "./sheet-dates";
import { chooseSheet, memberOf, readWorkbook, StringItem, type Workbook } from "./workbook-parts";
import { readXml } from "./xml";

const MEMBERS_MAX = 10_000;
const ROWS_MAX = 1_048_576;
const GAP_ROWS_MAX = 1000;
const OLD_EXCEL = "d0cf11e0a1b11ae1";

export interface XlsxReading {
  path: string;
  options: XlsxOptions;
  unpackedBytes: number;
  layout: Pick<Layout, "record" | "end">;
  leaveOut: RowSink["leaveOut"];
}

/** Streams one sheet of a workbook; only its shared strings are held. Rows are numbered as in the sheet. */
export async function readXlsx(reading: XlsxReading): Promise<void> {
  await refuseOldFormats(reading.path);
  const zip = await openWorkbook(reading);
  try {
    const workbook = await readWorkbook(zip);
    const sheet = chooseSheet(workbook.sheets, reading.options.sheet);
    const member = memberOf(zip, sheet.part);
    if (!member) throw mismatch(`The workbook has no part for the sheet ${JSON.stringify(sheet.name)}.`);
    const rows = new SheetRows(workbook, reading);
    await readXml(await zip.open(member), "sheet", rows);
    if (!rows.isOver()) reading.layout.end();
  } finally {
    zip.close();
  }
}

async function openWorkbook({ path, unpackedBytes }: XlsxReading): Promise<ZipDirectory> {
  try {
    return await openZip(path, { unpackedBytes, members: MEMBERS_MAX });
  } catch (error) {
    if (error instanceof ReadFailure && /cannot be opened/.test(error.message))
      throw mismatch(`The file is not an xlsx workbook. ${error.message}`);
    throw error;
  }
}

async function refuseOldFormats(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    const { buffer } = await file.read(Buffer.alloc(8), 0, 8, 0);
    if (buffer.toString("hex") === OLD_EXCEL)
      throw mismatch("The file is an old (xls) or password-protected Excel workbook. Save it as plain xlsx or csv.");
  } finally {
    await file.close();
  }
}

interface Range {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const WHOLE: Range = { left: 1, top: 1, right: 16_384, bottom: ROWS_MAX };

/** Turns a sheet's elements into records for the layout. */
class SheetRows {
  private readonly range: Range;
  private readonly item = new StringItem();
  private row = 0;
  private cells: RawCell[] = [];
  private column = 0;
  private cellType = "n";
  private style = 0;
  private hasFormula = false;
  private raw = "";
  private isInValue = false;
  private over = false;
  private readonly workbook: Workbook;
  private readonly reading: XlsxReading;

  constructor(workbook: Workbook, reading: XlsxReading) {
    this.workbook = workbook;
    this.reading = reading;
    this.range = reading.options.range === undefined ? WHOLE : rangeOf(reading.options.range);
  }

  isOver = (): boolean => this.over;

  open = (tag: string, { r, t, s }: Readonly<Record<string, string>>): void => {
    if (tag === "row") this.beginRow(r === undefined ? this.row + 1 : Number(r));
    else if (tag === "c") this.beginCell(r, t, s);
    else if (tag === "v") this.isInValue = true;
    else if (tag === "f") this.hasFormula = true;
    else if (tag === "is") this.item.begin();
    this.item.open(tag);
  };

  text = (text: string): void => {
    if (this.isInValue) this.raw += text;
    else this.item.add(text);
  };

  close = (tag: string): void => {
    this.item.close(tag);
    if (tag === "v") this.isInValue = false;
    else if (tag === "c") this.endCell();
    else if (tag === "row") this.endRow();
  };

  private beginRow(row: number): void {
    if (!(row > this.row && row <= ROWS_MAX))
      throw mismatch(`The sheet has a row ${row} after row ${this.row}. Save the workbook again.`, this.row);
    this.blankRows(row);
    this.row = row;
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

  private beginCell(reference: string | undefined, type: string | undefined, style: string | undefined): void {
    this.column = reference === undefined ? this.column + 1 : columnOf(reference);
    this.cellType = type ?? "n";
    this.style = Number(style ?? 0);
    this.raw = "";
    this.hasFormula = false;
    this.item.begin();
  }

  private endCell(): void {
    const { left, right } = this.range;
    if (this.column < left || this.column > right) return;
    const at = this.column - left;
    const text = this.cellText();
    if (text === null) return;
    if (at >= COLUMNS_MAX)
      throw mismatch(`Row ${this.row} has a value beyond ${COLUMNS_MAX} columns. Choose a \`range\`.`, this.row);
    while (this.cells.length < at) this.cells.push(null);
    this.cells[at] = text;
  }

  /** Null if the cell has no value. */
  private cellText(): RawCell {
    switch (this.cellType) {
      case "s":
        return this.sharedString();
      case "inlineStr":
        return this.item.text || null;
      case "str":
        return this.raw || null;
      case "b":
        return this.raw === "" ? null : this.raw.trim() === "1" || this.raw.trim() === "true" ? "true" : "false";
      case "e":
        this.reading.leaveOut("error_cell", this.row, this.raw, this.column);
        return null;
      case "d":
        return isoDate(this.raw.trim(), this.shown) || null;
      default:
        return this.number();
    }
  }

  private sharedString(): RawCell {
    const text = this.workbook.strings[Number(this.raw)];
    if (this.raw === "") return null;
    if (text === undefined)
      throw mismatch(`Row ${this.row}: shared string ${this.raw.slice(0, 20)} is not in the workbook.`, this.row);
    return text === "" ? null : text;
  }

  private get shown(): Shown {
    return this.workbook.styles[this.style] ?? "number";
  }

  private number(): RawCell {
    const raw = this.raw.trim();
    if (raw === "") {
      if (this.hasFormula) this.reading.leaveOut("formula", this.row, "", this.column);
      return null;
    }
    const value = Number(raw);
    if (!Number.isFinite(value))
      throw mismatch(`Row ${this.row}: ${JSON.stringify(raw.slice(0, 50))} is not a number.`, this.row);
    const { shown } = this;
    return (shown === "number" ? undefined : serialText(value, shown, this.workbook.is1904)) ?? plainNumber(value);
  }

  private endRow(): void {
    if (this.over || this.row < this.range.top) return;
    if (this.row > this.range.bottom) {
      this.over = true;
      this.reading.layout.end();
    } else if (!this.reading.layout.record(this.cells, this.row, this.row)) this.over = true;
  }
}

/** A cell of type d. The time is dropped if the format does not show one and there is none. */
function isoDate(text: string, shown: Shown): string {
  const plain = text.replace(/(?:\.0+)?Z?$/, "");
  return shown === "date" && plain.endsWith("T00:00:00") ? plain.slice(0, 10) : plain;
}

function columnOf(reference: string): number {
  let column = 0;
  for (const letter of reference) {
    const value = letter.charCodeAt(0) - 64;
    if (value < 1 || value > 26) break;
    column = column * 26 + value;
  }
  return column;
}

function rangeOf(text: string): Range {
  const [from = "", to = ""] = text.split(":");
  const rowOf = (reference: string) => Number(reference.replace(/^[A-Z]+/, ""));
  return { left: columnOf(from), top: rowOf(from), right: columnOf(to), bottom: rowOf(to) };
}
