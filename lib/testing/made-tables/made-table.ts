import { gzipSync } from "node:zlib";
import { parquetWriteBuffer } from "hyparquet-writer";
import iconv from "iconv-lite";
import { columnLetters, type Said, xml } from "@/lib/testing/door-files/door-file";
import { numbersFrom } from "@/lib/testing/seeded-numbers";
import { inline, workbook } from "@/lib/testing/ugly-files/workbook";
import { drawn, pick } from "./made-columns";

type Random = () => number;
type Cell = string | null;

/** A file whose cells are known, since the table was there before it. */
export interface MadeTable {
  file: string;
  bytes: Buffer;
  /** The truth. */
  columns: Said[];
  /** Rows with a value that are not the table's. */
  notes: number;
  /** Columns whose cells have more than one reading: a door may ask about them. */
  ambiguous: string[];
  /** What another reader needs to know. */
  about: MadeAbout;
}

export interface MadeAbout {
  format: "csv" | "json" | "ndjson" | "xlsx" | "parquet";
  delimiter: string;
  encoding: string;
  isPacked: boolean;
  /** Records above the header, blank lines among them. */
  before: number;
}

/** The table of an index: the same each time. */
export async function madeTable(seed: number): Promise<MadeTable> {
  const random = numbersFrom(seed);
  const format = pick(random, ["csv", "csv", "csv", "csv", "csv", "json", "ndjson", "xlsx", "parquet"] as const);
  switch (format) {
    case "csv":
      return madeText(random);
    case "xlsx":
      return await madeSheet(random);
    case "parquet":
      return madeParquet(random);
    default:
      return madeJson(random, format);
  }
}

const rowsOf = (columns: readonly Said[]): Cell[][] =>
  (columns[0]?.cells ?? []).map((_, row) => columns.map(({ cells }) => cells[row] ?? null));

const TITLES = ["Population by place", "Bevölkerung nach Ort", "Tableau 1", "As of 2026"];
const SOURCES = ["Source: the office", "Quelle: Amt", "Fuente: INE", "Note: rounded", "Bron: CBS"];

function madeText(random: Random): MadeTable {
  const encoding = pick(random, ["utf-8", "utf-8", "utf-8", "utf-8-mark", "utf-16le", "windows-1252"] as const);
  const { columns, ambiguous } = drawn(random, encoding === "windows-1252");
  const delimiter = pick(random, [",", ",", ";", ";", "\t", "|"]);
  const end = pick(random, ["\n", "\n", "\r\n"]);
  const isAllQuoted = random() < 0.15;
  const quoted = (cell: Cell): string => {
    if (cell === null) return "";
    const needs = cell === "" || cell.includes(delimiter) || /["\r\n]/.test(cell) || isAllQuoted;
    return needs ? `"${cell.replaceAll('"', '""')}"` : cell;
  };
  const line = (cells: readonly Cell[]): string => cells.map(quoted).join(delimiter);
  const hasTitle = random() < 0.12;
  const above = hasTitle ? [quoted(pick(random, TITLES)), ...(random() < 0.5 ? [""] : [])] : [];
  const below_ = random() < 0.12 ? ["", quoted(pick(random, SOURCES))] : [];
  const all = [...above, line(columns.map(({ name }) => name)), ...rowsOf(columns).map(line), ...below_];
  const text = all.join(end) + end;
  const isLatin = [...text].every((sign) => (sign.codePointAt(0) ?? 0) < 0x100);
  const written = encoding === "windows-1252" && !isLatin ? "utf-8" : encoding;
  const plain = {
    "utf-8": () => Buffer.from(text),
    "utf-8-mark": () => Buffer.from(`\ufeff${text}`),
    "utf-16le": () => Buffer.from(`\ufeff${text}`, "utf16le"),
    "windows-1252": () => iconv.encode(text, "windows-1252"),
  }[written]();
  const isPacked = random() < 0.1;
  const name = delimiter === "\t" && random() < 0.7 ? "t.tsv" : "t.csv";
  return {
    file: isPacked ? `${name}.gz` : name,
    bytes: isPacked ? gzipSync(plain) : plain,
    ...{ columns, ambiguous, notes: (hasTitle ? 1 : 0) + (below_.length > 0 ? 1 : 0) },
    about: { format: "csv", delimiter, encoding: written, isPacked, before: above.length },
  };
}

const isRaw = ({ as }: Said, cell: string): boolean =>
  (as === "number" && /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(cell)) || (as === "boolean" && /^(?:true|false)$/.test(cell));

function madeJson(random: Random, format: "json" | "ndjson"): MadeTable {
  const { columns, ambiguous } = drawn(random, false);
  const member = (said: Said, row: number): string => {
    const cell = said.cells[row] ?? null;
    const isNumbers = said.cells.every((each) => each === null || isRaw(said, each));
    return `${JSON.stringify(said.name)}:${cell === null ? "null" : isNumbers ? cell : JSON.stringify(cell)}`;
  };
  const records = (columns[0]?.cells ?? []).map((_, row) => `{${columns.map((said) => member(said, row)).join(",")}}`);
  const text = format === "ndjson" ? `${records.join("\n")}\n` : `[${records.join(",")}]`;
  const about = { format, delimiter: "", encoding: "utf-8", isPacked: false, before: 0 };
  return { file: `t.${format}`, bytes: Buffer.from(text), columns, ambiguous, notes: 0, about };
}

const SHEETML = "application/vnd.openxmlformats-officedocument.spreadsheetml";
/** As openpyxl needs them. */
const CONTENT_TYPES =
  '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
  '<Default Extension="xml" ContentType="application/xml"/>' +
  `<Override PartName="/xl/workbook.xml" ContentType="${SHEETML}.sheet.main+xml"/>` +
  `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${SHEETML}.worksheet+xml"/></Types>`;

async function madeSheet(random: Random): Promise<MadeTable> {
  const { columns, ambiguous } = drawn(random, false);
  // a reader trims the ends of a sheet's text
  const trimmed = columns.map((said): Said => {
    const cells = said.cells.map((cell) => cell?.trim() ?? null);
    return { ...said, cells, means: said.as ? said.means : cells, ...(said.as === "number" && { isOfSheet: true }) };
  });
  const cellXml = (cell: Cell, said: Said, ref: string): string => {
    if (cell === null) return "";
    return said.as === "number" && /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(cell) && cell.length < 15
      ? `<c r="${ref}"><v>${cell}</v></c>`
      : inline(ref, xml(cell).replaceAll("\r", "&#13;"));
  };
  const header = trimmed.map(({ name }, x) => inline(`${columnLetters(x)}1`, name)).join("");
  const rows = rowsOf(trimmed).map((cells, y) => {
    const written = cells.map((cell, x) => cellXml(cell, trimmed[x] as Said, `${columnLetters(x)}${y + 2}`));
    return `<row r="${y + 2}">${written.join("")}</row>`;
  });
  const data = `<row r="1">${header}</row>${rows.join("")}`;
  const bytes = await workbook({ sheets: [{ name: "S", data }], parts: { "[Content_Types].xml": CONTENT_TYPES } });
  const about = { format: "xlsx" as const, delimiter: "", encoding: "utf-8", isPacked: false, before: 0 };
  return { file: "t.xlsx", bytes, columns: trimmed, ambiguous, notes: 0, about };
}

/** Columns of strings, except plain integers of 64 bits. */
function madeParquet(random: Random): MadeTable {
  const { columns } = drawn(random, false);
  const said = columns.map((column): Said => {
    const isInteger = column.cells.every((cell) => cell === null || /^(?:0|[1-9]\d{0,17})$/.test(cell));
    return { ...column, means: column.cells, as: isInteger ? "number" : undefined } as Said;
  });
  const columnData = said.map(({ name, cells, as }) => ({
    name,
    data: as === "number" ? cells.map((cell) => (cell === null ? null : BigInt(cell))) : [...cells],
    type: as === "number" ? ("INT64" as const) : ("STRING" as const),
    nullable: true,
  }));
  const about = { format: "parquet" as const, delimiter: "", encoding: "utf-8", isPacked: false, before: 0 };
  const bytes = Buffer.from(parquetWriteBuffer({ columnData }));
  return { file: "t.parquet", bytes, columns: said, ambiguous: [], notes: 0, about };
}
