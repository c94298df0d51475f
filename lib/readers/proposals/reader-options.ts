import { parse } from "lossless-json";
import { ENCODINGS, READER_OPTIONS, type ReaderFormat } from "@/lib/schemas/recipe-reader";

export interface NormalizedReader {
  reader: { format: ReaderFormat; options: Record<string, unknown> };
  /** What was changed, and what could not be translated. */
  remarks: string[];
  /** What belongs into a step `parse`. */
  parse?: { number: Record<string, unknown> };
}

interface Target {
  format: ReaderFormat;
  options: Record<string, unknown>;
  number: Record<string, unknown>;
  remarks: string[];
}

type Rule = (value: unknown, target: Target) => void;

const put =
  (name: string, change: (value: unknown) => unknown = (value) => value): Rule =>
  (value, { options }) => {
    options[name] = change(value);
  };
const list = (value: unknown): unknown[] => ["", ...(Array.isArray(value) ? value : [value])];
const number =
  (name: string, change: (value: unknown) => unknown = (value) => value): Rule =>
  (value, { number: format, remarks }) => {
    format[name] = change(value);
    remarks.push(`${name} belongs in the step parse.`);
  };

/** The names of the reader's options in pandas, DuckDB, readr and Frictionless. */
const RULES: Readonly<Record<string, Rule>> = {
  sep: put("delimiter"),
  delim: put("delimiter"),
  quotechar: put("quote"),
  quoteChar: put("quote"),
  commentChar: put("comment"),
  na_values: put("null_tokens", list),
  nullstr: put("null_tokens", list),
  na: put("null_tokens", list),
  skipfooter: put("skip_footer"),
  sheet_name: put("sheet", (sheet) => (typeof sheet === "number" ? sheet + 1 : sheet)),
  skiprows: skip,
  skip: skip,
  header: header,
  encoding: encoding,
  decimal: number("decimal"),
  decimal_separator: number("decimal"),
  thousands: number("thousands", (value) => (Array.isArray(value) ? value : [value])),
  lines: (value, target) => {
    if (value === true) target.format = "ndjson";
  },
  orient: (value, { options, remarks }) => {
    const shape = { records: "array", index: "map", columns: "columns" }[String(value)];
    if (shape === undefined) remarks.push(`orient: ${JSON.stringify(value)} has no equivalent.`);
    else options.shape = shape;
  },
  usecols: (_value, { remarks }) => void remarks.push("usecols: use the step select instead."),
};

/** Skips rows before the header. */
function skip(value: unknown, { options, remarks }: Target): void {
  if (typeof value === "number" && Number.isInteger(value) && value >= 0) options.header = { rows: [value + 1] };
  else remarks.push("skiprows: only a number of rows at the start can be skipped.");
}

function header(value: unknown, { options }: Target): void {
  if (value === null || value === false) options.header = "none";
  else if (value === true) return;
  else if (typeof value === "number") options.header = { rows: [value + 1 + skipped(options)] };
  else if (Array.isArray(value)) options.header = { rows: value.map((row) => Number(row) + 1 + skipped(options)) };
  else options.header = value;
}

/** `header` of pandas counts from the rows that were skipped. */
function skipped({ header: given }: Record<string, unknown>): number {
  const rows = (given as { rows?: number[] } | undefined)?.rows;
  return rows?.[0] === undefined ? 0 : rows[0] - 1;
}

const NAMES: Readonly<Record<string, string>> = {
  "latin-1": "windows-1252",
  latin1: "windows-1252",
  "iso-8859-1": "windows-1252",
  cp1252: "windows-1252",
  utf8: "utf-8",
  "utf-8-sig": "utf-8",
  sjis: "shift_jis",
};

function encoding(value: unknown, { options, remarks }: Target): void {
  const requested = String(value).toLowerCase();
  const name = NAMES[requested] ?? requested;
  if (name !== requested) remarks.push(`The encoding ${requested} is read as ${name}.`);
  if ((ENCODINGS as readonly string[]).includes(name)) options.encoding = name;
  else remarks.push(`Unknown encoding: ${JSON.stringify(value)}. Use one of ${ENCODINGS.join(", ")}.`);
}

/** Translates options of other tools to a reader's own. An object `dialect` is treated the same way. */
export function normalizeReaderOptions(
  format: ReaderFormat,
  input: Readonly<Record<string, unknown>>,
): NormalizedReader {
  const { dialect, ...rest } = input;
  const all = { ...(typeof dialect === "object" ? dialect : {}), ...rest };
  const target: Target = { format, options: {}, number: {}, remarks: [] };
  for (const [name, value] of inOrder(all)) {
    const rule = Object.hasOwn(RULES, name) ? RULES[name] : undefined;
    if (rule) rule(value, target);
    else target.options[name] = value;
  }
  const options = checked(target);
  const parse = Object.keys(target.number).length > 0 ? { parse: { number: target.number } } : {};
  return { reader: { format: target.format, options }, remarks: target.remarks, ...parse };
}

/** Puts `header` after the skipped rows that it is counted from. */
const inOrder = (options: object): [string, unknown][] =>
  Object.entries(options).sort(([a], [b]) => Number(a === "header") - Number(b === "header"));

/** The options without those that the format does not have, or whose values it does not accept. */
function checked({ format, options, remarks }: Target): Record<string, unknown> {
  const valid = { ...options };
  const result = READER_OPTIONS[format].safeParse(parse(JSON.stringify(options)));
  for (const { path, code, message, ...issue } of result.error?.issues ?? []) {
    const names = code === "unrecognized_keys" && "keys" in issue ? (issue.keys as string[]) : [String(path[0])];
    for (const name of names) {
      delete valid[name];
      remarks.push(code === "unrecognized_keys" ? `${format} has no option ${name}.` : `${name}: ${message}`);
    }
  }
  return valid;
}
