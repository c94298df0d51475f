import { isLosslessNumber } from "lossless-json";
import writeWorkbook, { type Cell } from "write-excel-file/node";
import type { ColumnType } from "@/lib/engine/types/column-type";
import { columnTypeOf } from "@/lib/engine/types/column-types";
import { fail } from "@/lib/kernel/errors";
import { jsonOf } from "./exact-values";
import { type PageRows, rowsOf, type Value } from "./page-rows";

/** Excel's limit for a cell. It reports a file with a longer one as damaged. */
const TEXT_MAX = 32_767;
/** A workbook is built in memory. This many cells take half a second. */
const CELLS_MAX = 200_000;
/** A double holds every number with this many digits. */
const DIGITS_MAX = 15;
/** From here on, Excel's days agree with the calendar. */
const FIRST_DAY = Date.parse("1900-03-01T00:00:00Z");
const DATE_FORMATS = { date: "yyyy-mm-dd", timestamp: "yyyy-mm-dd hh:mm:ss.000" } as const;

/** Widths of columns in characters, and how many rows decide them. */
const [WIDTH_MIN, WIDTH_MAX, WIDTH_ROWS] = [8, 60, 1000];

/**
 * A page as an Excel workbook: a sheet of rows with a frozen header, and one that says where they are from. Cells have
 * Excel's types if Excel can hold the value: numbers with more digits, dates before March 1900 and times finer than a
 * millisecond are text. Throws `result_too_large` for too many cells, and for a cell longer than Excel's limit.
 */
export async function toWorkbook(page: PageRows): Promise<Buffer> {
  const cells = page.returnedRows * page.columns.length;
  if (cells > CELLS_MAX)
    throw fail("result_too_large", {
      message:
        `Too many cells for a workbook: ${cells.toLocaleString("en")} (maximum ` +
        `${CELLS_MAX.toLocaleString("en")}). Request fewer rows or columns, or choose CSV.`,
    });
  const columns = page.columns.map((column) => ({ name: column.name, type: columnTypeOf(column) }));
  const head = columns.map(({ name }) => ({ value: safe(name), type: String, fontWeight: "bold" as const }));
  const rows = rowsOf(page).map((row) => columns.map(({ name, type }) => cellOf(row[name] ?? null, type, name)));
  const sheet = { sheet: "Rows", data: [head, ...rows], stickyRowsCount: 1, columns: widthsOf([head, ...rows]) };
  const source = (page.source ?? []).map((row) => row.map((text) => textCell(text, "source")));
  const { toBuffer } = writeWorkbook(
    source.length === 0 ? [sheet] : [sheet, { sheet: "Source", data: source, columns: widthsOf(source) }],
  );
  return toBuffer();
}

/** The width of each column, by its longest cell among the first rows. */
function widthsOf(rows: readonly (readonly Cell[])[]): { width: number }[] {
  const lengths = rows.slice(0, WIDTH_ROWS).map((row) => row.map(shownLength));
  const [first = []] = lengths;
  const longest = first.map((_, at) => lengths.reduce((most, row) => Math.max(most, row[at] ?? 0), 0));
  return longest.map((length) => ({ width: Math.min(WIDTH_MAX, Math.max(WIDTH_MIN, length + 2)) }));
}

/** Characters of a cell's longest line, as Excel shows it. */
function shownLength(cell: Cell): number {
  const { value, format } = (cell ?? {}) as { value?: unknown; format?: string };
  if (value instanceof Date) return format?.length ?? 0;
  return Math.max(
    0,
    ...String(value ?? "")
      .slice(0, TEXT_MAX)
      .split("\n", 20)
      .map(({ length }) => length),
  );
}

function cellOf(value: Value, type: ColumnType, column: string): Cell {
  if (value === null) return null;
  if (typeof value === "boolean") return { value, type: Boolean };
  if (isLosslessNumber(value) && isHeld(value.value)) return { value: Number(value.value), type: Number };
  const instant = type.family === "date" || type.family === "timestamp" ? instantOf(String(value)) : undefined;
  if (instant) return { value: instant, type: Date, format: DATE_FORMATS[type.family as keyof typeof DATE_FORMATS] };
  return textCell(textOf(value, type), column);
}

/** Lists and structs are JSON; numbers keep their digits. */
function textOf(value: Value, type: ColumnType): string {
  if (isLosslessNumber(value)) return value.value;
  return typeof value === "object" || type.json.kind === "any" ? jsonOf(value) : String(value);
}

function textCell(text: string, column: string): Cell {
  if (text.length > TEXT_MAX)
    throw fail("result_too_large", {
      message:
        `Cell of ${JSON.stringify(column)} too long: ${text.length.toLocaleString("en")} characters (maximum ` +
        `${TEXT_MAX.toLocaleString("en")}). Omit the column, or choose CSV.`,
    });
  return { value: safe(text), type: String };
}

/** Whether Excel, which computes with doubles and shows 15 digits, keeps all digits of a number. */
function isHeld(digits: string): boolean {
  const significant = digits.replace(/e.*$/i, "").replace(/[-.]/g, "").replace(/^0+/, "");
  return significant.length <= DIGITS_MAX && Number.isFinite(Number(digits)) && !/^-0(?:\.0*)?$/.test(digits);
}

/** Undefined if Excel has no such day, or if the time is finer than a millisecond. */
function instantOf(text: string): Date | undefined {
  const at = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d{1,3}0*)?Z)?$/.test(text) ? Date.parse(text) : Number.NaN;
  return at >= FIRST_DAY ? new Date(at) : undefined;
}

/** Escapes characters that XML cannot contain, and text that looks like such an escape, in the format's own way. */
const safe = (text: string): string => {
  const held = text
    .replace(/_(?=x[0-9a-f]{4}_)/gi, "_x005F_")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the library leaves these out, which XML cannot hold
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufffd\p{Noncharacter_Code_Point}]/gu, written);
  // the library looks for equal texts in a plain object
  return held in Object.prototype ? `${written(held.charAt(0))}${held.slice(1)}` : held;
};

/** Each UTF-16 code unit by its number. */
const written = (text: string): string =>
  text.replace(/[\s\S]/g, (unit) => `_x${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`);
