import { gzipSync } from "node:zlib";
import { parquetWriteBuffer } from "hyparquet-writer";
import iconv from "iconv-lite";
import { columnLetters, type Kind, type Said, xml } from "@/lib/testing/door-files/door-file";
import { numbersFrom } from "@/lib/testing/seeded-numbers";
import { inline, workbook } from "@/lib/testing/ugly-files/workbook";

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

const pick = <T>(random: Random, all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
const below = (random: Random, most: number): number => Math.floor(random() * most);
const digitsOf = (random: Random, count: number): string =>
  Array.from({ length: count }, (_, at) => (at === 0 ? 1 + below(random, 9) : below(random, 10))).join("");

interface MadeColumn {
  cells: string[];
  means: string[];
  as?: Kind;
  isAmbiguous?: boolean;
  /** The sign that marks decimals. */
  decimal?: "." | ",";
  /** Whether that sign could as well separate thousands. */
  isUnclear?: boolean;
}

const WORDS = [
  "Aarau",
  "Bern",
  "Łódź",
  "Köln",
  "New York",
  "São Paulo",
  "Bronx",
  "Note",
  "Sourceville",
  "東京",
  "O'Hara",
];
const LATIN = ["Aarau", "Bern", "Köln", "New York", "São Paulo", "Genève", "Bronx", "Málaga"];
const PHRASES = ["a, b", "x; y", 'say "hi"', "two\nlines", "tab\there", "a|b", " padded ", "CR LF\r\nhere"];
const NAMES = ["place", "count", "level", "day", "kind", "value", "code", "Größe", "share", "Anzahl"];

/** The notation of a country: decimal mark and mark of thousands. */
const COUNTRIES = {
  plain: [".", ""],
  english: [".", ","],
  german: [",", "."],
  french: [",", "\u202f"],
  swiss: [".", "'"],
  swedish: [",", "\u00a0"],
} as const;

function notated(random: Random, count: number, country: keyof typeof COUNTRIES): MadeColumn {
  const [mark, thousands] = COUNTRIES[country];
  const fraction = 1 + below(random, 4);
  const numbers = Array.from({ length: count }, () => {
    const whole = digitsOf(random, 1 + below(random, 7));
    return { whole, part: digitsOf(random, fraction), sign: random() < 0.1 ? "-" : "" };
  });
  const grouped = (whole: string) => whole.replace(/\B(?=(?:\d{3})+$)/g, thousands);
  const isDecided = numbers.some(({ whole }) => thousands !== "" && whole.length > 3) || fraction !== 3;
  return {
    as: "number",
    decimal: mark,
    isUnclear: fraction === 3 && numbers.every(({ whole }) => whole.length <= 3),
    cells: numbers.map(({ whole, part, sign }) => `${sign}${grouped(whole)}${mark}${part}`),
    means: numbers.map(({ whole, part, sign }) => `${sign}${whole}.${part}`),
    isAmbiguous: country !== "plain" && !isDecided,
  };
}

function dated(random: Random, count: number, how: "iso" | "german" | "american" | "british"): MadeColumn {
  const days = Array.from({ length: count }, () => [
    `${1900 + below(random, 200)}`,
    `${1 + below(random, 12)}`.padStart(2, "0"),
    `${1 + below(random, 28)}`.padStart(2, "0"),
  ]);
  const written = {
    iso: ([y, m, d]: string[]) => `${y}-${m}-${d}`,
    german: ([y, m, d]: string[]) => `${d}.${m}.${y}`,
    american: ([y, m, d]: string[]) => `${m}/${d}/${y}`,
    british: ([y, m, d]: string[]) => `${d}/${m}/${y}`,
  }[how];
  return {
    as: "date",
    cells: days.map((day) => written(day)),
    means: days.map(([y, m, d]) => `${y}-${m}-${d}`),
    isAmbiguous: (how === "american" || how === "british") && days.every(([, , d]) => Number(d) <= 12),
  };
}

const same = (cells: string[], as?: Kind): MadeColumn => ({ cells, means: cells, ...(as && { as }) });

type Maker = (random: Random, count: number, isLatin: boolean) => MadeColumn;

const times = (count: number, one: () => string): string[] => Array.from({ length: count }, one);

const MAKERS: readonly Maker[] = [
  (random, count) =>
    same(
      times(count, () => `${below(random, 1_000_000)}`),
      "number",
    ),
  (random, count) =>
    same(
      times(count, () => digitsOf(random, 15 + below(random, 8))),
      "number",
    ),
  (random, count) => ({
    ...same(
      times(count, () => `${digitsOf(random, 1 + below(random, 12))}.${digitsOf(random, 1 + below(random, 9))}`),
      "number",
    ),
    decimal: ".",
  }),
  ...(Object.keys(COUNTRIES) as (keyof typeof COUNTRIES)[]).map(
    (country): Maker =>
      (random, count) =>
        notated(random, count, country),
  ),
  ...(["iso", "iso", "german", "american", "british"] as const).map(
    (how): Maker =>
      (random, count) =>
        dated(random, count, how),
  ),
  (random, count, isLatin) => same(times(count, () => pick(random, isLatin ? LATIN : WORDS))),
  (random, count, isLatin) => same(times(count, () => pick(random, [...(isLatin ? LATIN : WORDS), ...PHRASES]))),
  (random, count) => same(times(count, () => `0${digitsOf(random, 4)}`)),
  (random, count) =>
    same(
      times(count, () => pick(random, ["true", "false"])),
      "boolean",
    ),
  (random, count) => {
    const cells = times(count, () => `2026-0${1 + below(random, 9)}-1${below(random, 9)}T1${below(random, 9)}:30:00Z`);
    return { as: "timestamp", cells, means: cells.map((cell) => cell.replace("T", " ").replace("Z", "")) };
  },
];

interface Drawn {
  columns: Said[];
  ambiguous: string[];
}

/** Marks mean the same in a whole file: beside the other sign for decimals, `1.234` would say 1234. */
const cleared = ({ cells, means, as }: MadeColumn): MadeColumn => ({
  cells: cells.map((cell) => `${cell}1`),
  means: means.map((value) => `${value}1`),
  ...(as && { as }),
});

/** Columns with true cells. The first has a value in each row. */
function drawn(random: Random, isLatin: boolean): Drawn {
  const [width, count] = [2 + below(random, 5), 4 + below(random, 30)];
  const first = below(random, NAMES.length);
  const ambiguous: string[] = [];
  const made = Array.from({ length: width }, (_, at) => {
    const column = pick(random, MAKERS)(random, count, isLatin);
    const share = at > 0 && random() < 0.3 ? random() / 2 : 0;
    return { ...column, isMissing: column.cells.map(() => random() < share) };
  });
  const columns = made.map((column, at): Said => {
    const isForeign = made.some(({ decimal }) => decimal !== undefined && decimal !== column.decimal);
    const { cells, means, as, isAmbiguous } = column.isUnclear && isForeign ? cleared(column) : column;
    const { isMissing } = column;
    const name = NAMES[(first + at) % NAMES.length] ?? "";
    if (isAmbiguous) ambiguous.push(name);
    const without = (all: readonly string[]): Cell[] => all.map((cell, row) => (isMissing[row] ? null : cell));
    return { name, cells: without(cells), means: without(means), ...(as && { as }) };
  });
  return { columns, ambiguous };
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
