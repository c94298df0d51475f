import { isLosslessNumber } from "lossless-json";
import type { ColumnType } from "@/lib/engine/types/column-type";
import { columnTypeOf } from "@/lib/engine/types/column-types";
import { fail } from "@/lib/kernel/errors";
import { jsonOf } from "./exact-values";
import { type Fact, type PageRows, rowsOf, type Value } from "./page-rows";
import { SHEET_END, SHEET_HEAD, STYLES } from "./workbook-parts";

/** Excel's limit for a cell, in UTF-16 code units. It reports a file with a longer one as damaged. */
export const TEXT_MAX = 32_767;
/** A double holds every number with this many digits. */
const DIGITS_MAX = 15;
/** From here on, Excel's days agree with the calendar. */
const FIRST_DAY = Date.parse("1900-03-01T00:00:00Z");
/** The day with which Excel's count begins, if it had no 29 February 1900. */
const DAY_ZERO = Date.UTC(1899, 11, 30);
const DAY_MS = 86_400_000;
/** Characters of a date and of a time, as the styles show them. */
const SHOWN = { date: 10, timestamp: 23 } as const;

const TEXT_CELLS =
  "Excel holds numbers of up to 15 digits, days from March 1900 on and times to the millisecond exactly. Whatever is " +
  "more exact, or older, is text, as are lists and structs (JSON).";

/** Widths of columns in characters, and how many rows decide them. */
const [WIDTH_MIN, WIDTH_MAX, WIDTH_ROWS] = [8, 60, 1000];

/** A cell: its XML without its place, and how many characters wide it is shown. */
interface Cell {
  /** Attributes other than the place. */
  attributes: string;
  content: string;
  shown: number;
}

/**
 * Rows of a sheet as XML, the first ones with the columns' widths and their names before them. Cells have Excel's types
 * if Excel can hold the value: numbers with more digits, dates before March 1900 and times finer than a millisecond are
 * text. Throws `result_too_large` for a cell longer than Excel's limit.
 */
export function toSheetRows(page: PageRows): Buffer {
  const columns = page.columns.map((column) => ({ name: column.name, type: columnTypeOf(column) }));
  const rows = rowsOf(page).map((row) => columns.map(({ name, type }) => cellOf(row[name] ?? null, type, name)));
  const { before = 0 } = page;
  if (before > 0) return Buffer.from(rowsXml(rows, before + 2));
  const names = columns.map(({ name }) => ({
    ...textCell(name, name),
    attributes: `t="inlineStr" s="${STYLES.bold}"`,
  }));
  return Buffer.from(`${columnsXml([names, ...rows])}<sheetData>${rowsXml([names, ...rows], 1)}`);
}

/** A sheet that says where the rows are from, and which cells are text. */
export function aboutSheet(facts: readonly Fact[]): string {
  const texts = [...facts, { name: "Text cells", value: TEXT_CELLS }];
  const rows = texts.map(({ name, value }) => [textCell(name, name), textCell(value, name)]);
  return `${SHEET_HEAD}${columnsXml(rows)}<sheetData>${rowsXml(rows, 1)}${SHEET_END}`;
}

function rowsXml(rows: readonly (readonly (Cell | undefined)[])[], first: number): string {
  const letters = (rows[0] ?? []).map((_, at) => lettersOf(at));
  return rows
    .map((row, at) => {
      const number = first + at;
      const cells = row.map((cell, column) =>
        cell ? `<c r="${letters[column]}${number}" ${cell.attributes}>${cell.content}</c>` : "",
      );
      return `<row r="${number}">${cells.join("")}</row>`;
    })
    .join("");
}

/** A column's letters: A to Z, then AA. */
function lettersOf(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : lettersOf(Math.floor(index / 26) - 1) + letter;
}

/** The width of each column, by its widest cell among the first rows. */
function columnsXml(rows: readonly (readonly (Cell | undefined)[])[]): string {
  const longest = (rows[0] ?? []).map((_, at) =>
    rows.slice(0, WIDTH_ROWS).reduce((most, row) => Math.max(most, row[at]?.shown ?? 0), 0),
  );
  const widths = longest.map((length) => Math.min(WIDTH_MAX, Math.max(WIDTH_MIN, length + 2)));
  const cols = widths.map((width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`);
  return cols.length > 0 ? `<cols>${cols.join("")}</cols>` : "";
}

function cellOf(value: Value, type: ColumnType, column: string): Cell | undefined {
  if (value === null) return undefined;
  if (typeof value === "boolean") return { attributes: 't="b"', content: `<v>${value ? 1 : 0}</v>`, shown: 5 };
  if (isLosslessNumber(value) && isHeld(value.value)) return numberCell(Number(value.value));
  const instant = type.family === "date" || type.family === "timestamp" ? instantOf(String(value)) : undefined;
  if (instant !== undefined) {
    const family = type.family as keyof typeof SHOWN;
    const { content } = numberCell((instant - DAY_ZERO) / DAY_MS);
    return { attributes: `s="${STYLES[family]}"`, content, shown: SHOWN[family] };
  }
  return textCell(textOf(value, type), column);
}

function numberCell(value: number): Cell {
  const text = String(value);
  return { attributes: 't="n"', content: `<v>${text}</v>`, shown: text.length };
}

/** Lists and structs are JSON; numbers keep their digits. */
function textOf(value: Value, type: ColumnType): string {
  if (isLosslessNumber(value)) return value.value;
  return typeof value === "object" || type.json.kind === "any" ? jsonOf(value) : String(value);
}

function textCell(text: string, column: string): Cell {
  if (text.length > TEXT_MAX) throw longText(column, text.length);
  return {
    attributes: 't="inlineStr"',
    content: `<is><t xml:space="preserve">${escaped(text)}</t></is>`,
    shown: Math.max(0, ...text.split("\n", 20).map(({ length }) => length)),
  };
}

/** The failure for a cell longer than Excel's limit. */
export const longText = (column: string, length: number) =>
  fail("result_too_large", {
    message:
      `Cell of ${JSON.stringify(column)} too long: ${length.toLocaleString("en")} characters (maximum ` +
      `${TEXT_MAX.toLocaleString("en")}). Omit the column, or choose CSV.`,
  });

/** Whether Excel, which computes with doubles and shows 15 digits, keeps all digits of a number. */
function isHeld(digits: string): boolean {
  const significant = digits.replace(/e.*$/i, "").replace(/[-.]/g, "").replace(/^0+/, "");
  return significant.length <= DIGITS_MAX && Number.isFinite(Number(digits)) && !/^-0(?:\.0*)?$/.test(digits);
}

/** Undefined if Excel has no such day, or if the time is finer than a millisecond. */
function instantOf(text: string): number | undefined {
  const at = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d{1,3}0*)?Z)?$/.test(text) ? Date.parse(text) : Number.NaN;
  return at >= FIRST_DAY ? at : undefined;
}

/** Text as XML. What XML cannot contain, and text that looks like its escape, is escaped in the format's own way. */
const escaped = (text: string): string =>
  text
    .replace(/_(?=x[0-9a-f]{4}_)/gi, "_x005F_")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML cannot hold these
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufffd\p{Noncharacter_Code_Point}\p{Surrogate}]/gu, written)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");

/** Each UTF-16 code unit by its number. */
const written = (text: string): string =>
  text.replace(/[\s\S]/g, (unit) => `_x${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`);
