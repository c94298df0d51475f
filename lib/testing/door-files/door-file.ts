import { gzipSync } from "node:zlib";
import { inline, workbook } from "@/lib/testing/ugly-files/workbook";

/** Kinds of typed values, each written in one canonical form. */
export type Kind = "number" | "float" | "date" | "timestamp" | "time" | "boolean" | "json";

/** What one column of a file says. A reader that keeps it as a string gives `cells`; one that types it, `means`. */
export interface Said {
  name: string;
  /** The text of each cell in the file; null where there is none. */
  cells: readonly (string | null)[];
  /** The only type that is right, apart from string. Undefined if the column is text. */
  as?: Kind;
  /** The values, in order. Null where a cell says that there is no value. */
  means: readonly (string | null)[];
  /** Whether it must be typed at the recipe door. */
  isTyped?: true;
  /** Whether its numbers are those of a sheet, which have no spelling, and are doubles if 17 digits show one. */
  isOfSheet?: true;
}

/** All rows are read, with these values. */
export interface Read {
  kind: "read";
  columns: readonly Said[];
  /** Rows with a value that are left out: counted, and shown in a warning. */
  leftOut: number;
  /** Cells with a value that are left out or read as null: counted, and shown in a warning. */
  cellsLost: number;
}

/** A person is asked. Rows may be missing if they are counted; without `columns`, values depend on the answer. */
export interface Asked {
  kind: "asked";
  warning: RegExp;
  columns?: readonly Said[];
}

/** Rejected in words. Every pattern matches: cause, place, what to do. */
export interface Refused {
  kind: "refused";
  words: readonly RegExp[];
}

export type Expected = Read | Asked | Refused;

/** A file, and what each door may make of it. */
export interface DoorFile {
  name: string;
  /** The file's name, by which publishing knows its format. */
  file: string;
  bytes: Buffer | (() => Promise<Buffer>);
  publish: readonly Expected[];
  recipe: readonly Expected[];
  /** No warning may match. */
  notWarned?: RegExp;
}

type Cell = string | null;

/** A column of text. */
export const text = (name: string, ...cells: Cell[]): Said => ({ name, cells, means: cells });

/** A column whose cells are `source=value`, or only the value if the file has it in canonical form. */
const typed =
  (as: Kind) =>
  (name: string, ...cells: Cell[]): Said => {
    const pairs = cells.map((cell) => split(cell));
    return { name, as, cells: pairs.map(([source]) => source), means: pairs.map(([, means]) => means) };
  };

/** `=` at the end: a cell that says that there is no value. */
function split(cell: Cell): [Cell, Cell] {
  const at = cell?.lastIndexOf("=") ?? -1;
  if (cell === null || at < 0) return [cell, cell];
  return [cell.slice(0, at), cell.slice(at + 1) || null];
}

export const number = typed("number");
export const date = typed("date");
export const timestamp = typed("timestamp");
export const time = typed("time");
export const boolean = typed("boolean");

/** A float whose zeros have signs. */
export const float = (name: string, ...cells: Cell[]): Said => ({ name, as: "float", cells, means: cells });

/** A column of JSON values. */
export const json = (name: string, ...cells: Cell[]): Said => ({ name, as: "json", cells, means: cells });

/** Must not remain text at the recipe door. */
export const mustBe = (said: Said): Said => ({ ...said, isTyped: true });

export const read = (columns: readonly Said[], left: { rows?: number; cells?: number } = {}): Read => ({
  kind: "read",
  columns,
  leftOut: left.rows ?? 0,
  cellsLost: left.cells ?? 0,
});

export const asked = (warning: RegExp, columns?: readonly Said[]): Asked => ({
  kind: "asked",
  warning,
  ...(columns && { columns }),
});

export const refused = (...words: RegExp[]): Refused => ({ kind: "refused", words });

/** Publishing takes neither workbooks nor archives. */
export const NOT_PUBLISHED: readonly Expected[] = [refused(/format|csv|archive|workbook|zip/i)];

/** The same at both doors. */
export const both = (...expected: Expected[]): Pick<DoorFile, "publish" | "recipe"> => ({
  publish: expected,
  recipe: expected,
});

export const lines = (...all: string[]): Buffer => Buffer.from(`${all.join("\n")}\n`);

/** Bytes from code points of a single-byte encoding and ASCII text. */
export const bytesOf = (...parts: (string | number)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "ascii") : Buffer.from([part]))));

/** Forms in which one table of cells can be written. */
export const FORMS = ["comma", "semicolon", "tab", "pipe", "gzip", "xlsx"] as const;
export type Form = (typeof FORMS)[number];
const DELIMITERS = { comma: ",", semicolon: ";", tab: "\t", pipe: "|", gzip: "," } as const;

/** One table in one form: its file's name and bytes. Numbers become numbers of a sheet. */
export function inForm(form: Form, rows: readonly (readonly Cell[])[]): Pick<DoorFile, "file" | "bytes"> {
  if (form === "xlsx") return { file: "table.xlsx", bytes: () => sheetOf(rows) };
  const delimiter = DELIMITERS[form];
  const written = rows.map((row) => row.map((cell) => quoted(cell, delimiter)).join(delimiter));
  const bytes = lines(...written);
  if (form === "gzip") return { file: "table.csv.gz", bytes: gzipSync(bytes) };
  return { file: form === "tab" ? "table.tsv" : "table.csv", bytes };
}

function quoted(cell: Cell, delimiter: string): string {
  if (cell === null) return "";
  return cell === "" || cell.includes(delimiter) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

const PLAIN_NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,10})?$/;
const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
export const xml = (value: string): string => value.replace(/[&<>]/g, (sign) => ENTITIES[sign] ?? sign);

export function columnLetters(at: number): string {
  const last = String.fromCharCode(65 + (at % 26));
  return at < 26 ? last : columnLetters(Math.floor(at / 26) - 1) + last;
}

/** Rows as `<row>` elements. Null cells are not in them; rows without cells are left out. */
export function sheetRows(rows: readonly (readonly Cell[])[]): string {
  const elements = rows.map((row, y) => {
    const cells = row.map((cell, x) => {
      const ref = `${columnLetters(x)}${y + 1}`;
      if (cell === null) return "";
      return PLAIN_NUMBER.test(cell) ? `<c r="${ref}"><v>${cell}</v></c>` : inline(ref, xml(cell));
    });
    return cells.join("") === "" ? "" : `<row r="${y + 1}">${cells.join("")}</row>`;
  });
  return elements.join("");
}

export const sheetOf = (rows: readonly (readonly Cell[])[]): Promise<Buffer> =>
  workbook({ sheets: [{ name: "Data", data: sheetRows(rows) }] });
