import type { RawCell } from "@/lib/readers/delimited/csv-records";
import { mismatch } from "@/lib/readers/failure";
import type { LeftOutCause } from "@/lib/readers/left-out";
import { plainNumber } from "./plain-number";
import { columnName } from "./references";
import { type Shown, serialText } from "./sheet-dates";
import { unescaped, type Workbook } from "./workbook-parts";

/** A cell as it is written in a sheet. */
export interface SheetCell {
  row: number;
  column: number;
  type: string;
  style: number;
  hasFormula: boolean;
  /** The text of `<v>`; undefined if there is none. */
  value: string | undefined;
  /** The text of an inline string. */
  inline: string;
}

/** A cell's text; null if it has no value, or if its value is left out for a cause. */
export interface CellText {
  text: RawCell;
  leftOut?: { cause: LeftOutCause; value: string };
}

/** What a cell says: text, true or false, a number with all its digits, or a date in ISO 8601. */
export function cellText(cell: SheetCell, workbook: Workbook): CellText {
  const { type, value = "", inline, hasFormula } = cell;
  if (type === "e") return { text: null, leftOut: { cause: "error_cell", value } };
  const isUncomputed = hasFormula && (type === "str" ? cell.value === undefined : value.trim() === "");
  if (isUncomputed && inline === "") return { text: null, leftOut: { cause: "formula", value: "" } };
  const text = textOf(cell, workbook) || inline;
  if (!text.isWellFormed()) throw unfit(cell, "the text contains an unpaired surrogate, which UTF-8 cannot encode");
  return { text: text === "" ? null : text };
}

function textOf(cell: SheetCell, workbook: Workbook): string {
  const { type, value = "" } = cell;
  switch (type) {
    case "inlineStr":
    case "str":
      return unescaped(value);
    case "s":
      return sharedString(cell, value, workbook);
    case "b":
      return boolean(cell, value.trim());
    case "d":
      return isoDate(value.trim(), workbook.styles[cell.style]);
    case "n":
      return number(cell, value.trim(), workbook);
    default:
      throw unfit(cell, `${JSON.stringify(type.slice(0, 20))} is not a type of cells`);
  }
}

/** The failure for a cell whose text cannot be taken. */
export const unfit = ({ row, column }: { row: number; column: number }, why: string) =>
  mismatch(`Row ${row}, column ${columnName(column)}: ${why}. Correct the cell and save the workbook again.`, row);

function sharedString(cell: SheetCell, index: string, { strings }: Workbook): string {
  if (index === "") return "";
  const text = strings[Number(index)];
  if (text === undefined) throw unfit(cell, `shared string ${index.slice(0, 20)} is not in the workbook`);
  return text;
}

function boolean(cell: SheetCell, text: string): string {
  if (/^(?:1|true|on)$/i.test(text)) return "true";
  if (/^(?:0|false|off)$/i.test(text)) return "false";
  if (text === "") return "";
  throw unfit(cell, `${JSON.stringify(text.slice(0, 50))} is not a boolean`);
}

function number(cell: SheetCell, text: string, { styles, is1904 }: Workbook): string {
  if (text === "") return "";
  const plain = plainNumber(text);
  if (plain === undefined) throw unfit(cell, `${JSON.stringify(text.slice(0, 50))} is not a number`);
  const shown = styles[cell.style] ?? (cell.style === 0 ? "number" : undefined);
  if (shown === undefined) throw unfit(cell, `style ${cell.style} is not in the workbook`);
  return (shown === "number" ? undefined : serialText(Number(text), shown, is1904)) ?? plain;
}

/** A cell of type d. The time is dropped if the format does not show one and there is none. */
function isoDate(text: string, shown: Shown | undefined): string {
  const plain = text.replace(/(?:\.0{1,9})?Z?$/, "");
  return shown === "date" && plain.endsWith("T00:00:00") ? plain.slice(0, 10) : plain;
}
