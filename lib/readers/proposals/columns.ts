import { cellKind } from "./cell-kind";
import type { MemberFound } from "./json-column";
import { spellingsOf } from "./spellings";

export interface ColumnFound {
  name: string;
  /** A proposal, with its reason in `why`. */
  type: string;
  why: string;
  /** Whether its cells are text, which a step has to parse. */
  isText: boolean;
  /** Cells that do not fit the proposed type. */
  others: number;
  nulls: number;
  nullTokens: string[];
  /** The number format, as `parse` takes it. */
  number?: { decimal: "." | ","; thousands: string[] };
  /** Formats as `parse` takes them; two if no cell decides between day and month. */
  date?: string[];
  distinct: number;
  examples: string[];
  /** Groups of strings that are probably different spellings of one value. */
  spellings?: string[][];
  /** The members of JSON objects that are records. */
  members?: MemberFound[];
}

interface Kind {
  type: "boolean" | "int64" | "decimal" | "date" | "timestamp";
  words: string;
  pattern: RegExp;
  number?: ColumnFound["number"];
  date?: string;
}

const dates = (pattern: RegExp, date: string): Kind => ({ type: "date", words: date, pattern, date });
/** In order; the first kind that fits is proposed. */
const KINDS: readonly Kind[] = [
  { type: "boolean", words: "true and false", pattern: /^(?:true|false)$/i },
  { type: "int64", words: "integers", pattern: /^[-+]?(?:0|[1-9]\d{0,17})$/ },
  {
    type: "decimal",
    words: "decimals",
    pattern: /^[-+]?\d{1,20}(?:\.\d{1,18})?$/,
    number: { decimal: ".", thousands: [] },
  },
  grouped(".", ","),
  {
    type: "decimal",
    words: "1234,5",
    pattern: /^[-+]?\d{1,20}(?:,\d{1,18})?$/,
    number: { decimal: ",", thousands: [] },
  },
  grouped(",", "."),
  grouped(",", " "),
  grouped(",", "\u00a0"),
  grouped(".", "'"),
  dates(/^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/, "%Y-%m-%d"),
  dates(/^(?:0?[1-9]|[12]\d|3[01])\.(?:0?[1-9]|1[0-2])\.\d{4}$/, "%-d.%-m.%Y"),
  dates(/^(?:0?[1-9]|[12]\d|3[01])\/(?:0?[1-9]|1[0-2])\/\d{4}$/, "%-d/%-m/%Y"),
  dates(/^(?:0?[1-9]|1[0-2])\/(?:0?[1-9]|[12]\d|3[01])\/\d{4}$/, "%-m/%-d/%Y"),
  dates(/^\d{4}\/(?:0[1-9]|1[0-2])\/(?:0[1-9]|[12]\d|3[01])$/, "%Y/%m/%d"),
  time(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/, "%Y-%m-%dT%H:%M:%S"),
  time(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/, "%Y-%m-%d %H:%M:%S"),
  time(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:Z|[-+]\d{2}:?\d{2})$/, "%Y-%m-%dT%H:%M:%S%z"),
];
const SHARE = 0.98;
const EXAMPLES = 3;
const EXAMPLE_CHARACTERS = 80;
const CODE = /^0\d+$/;
const LONG = /^[-+]?\d{18,}$/;

function grouped(decimal: "." | ",", thousands: string): Kind {
  const pattern = new RegExp(`^[-+]?\\d{1,3}(?:[${thousands}]\\d{3}){0,6}(?:[${decimal}]\\d{1,18})?$`);
  return {
    type: "decimal",
    words: `1${thousands}234${decimal}5`,
    pattern,
    number: { decimal, thousands: [thousands] },
  };
}

function time(pattern: RegExp, date: string): Kind {
  return { type: "timestamp", words: date, pattern, date };
}

/** Proposes what a column's cells are, judged by all that were read. */
export function inspectColumn(name: string, cells: readonly string[]): ColumnFound {
  const trimmed = cells.map((cell) => cell.trim());
  const tokens = new Set(trimmed.filter((cell) => cellKind(cell) === "null_token"));
  const filled = trimmed.filter((cell) => cell !== "" && !tokens.has(cell));
  const distinct = new Set(filled);
  const found = {
    name,
    isText: true,
    distinct: distinct.size,
    examples: [...distinct].slice(0, EXAMPLES).map((cell) => cell.slice(0, EXAMPLE_CHARACTERS)),
  };
  const proposed = typeOf(filled);
  if (proposed.type === "string") {
    const nulls = trimmed.filter((cell) => cell === "").length;
    const spellings = spellingsOf(distinct);
    return { ...found, ...proposed, ...(spellings.length > 0 && { spellings }), nulls, nullTokens: [] };
  }
  return { ...found, ...proposed, nulls: cells.length - filled.length, nullTokens: [...tokens] };
}

type Proposed = Pick<ColumnFound, "type" | "why" | "others" | "number" | "date">;

const text = (why: string): Proposed => ({ type: "string", why, others: 0 });

function typeOf(filled: readonly string[]): Proposed {
  if (filled.length === 0) return text("no cell has a value");
  if (filled.some((cell) => CODE.test(cell))) return text("codes with leading zeros");
  if (filled.some((cell) => LONG.test(cell))) return text("integers of more than 17 digits");
  const fits = KINDS.map((kind) => ({ kind, count: filled.filter((cell) => kind.pattern.test(cell)).length }));
  const best = fits.reduce((chosen, each) => (each.count > chosen.count ? each : chosen));
  const { kind, count } = best;
  if (count < SHARE * filled.length)
    return text(count === 0 ? "words" : `only ${count} of ${filled.length} cells fit ${kind.words}`);
  const strange = filled.filter((cell) => !kind.pattern.test(cell)).slice(0, 3);
  const rest =
    strange.length === 0 ? "" : `; not: ${strange.map((cell) => JSON.stringify(cell.slice(0, 40))).join(", ")}`;
  const rivals = fits.filter(
    (each) => each.count === count && each.kind.date !== undefined && each.kind.type === kind.type,
  );
  return {
    type: kind.type,
    others: filled.length - count,
    why: `${count} of ${filled.length} cells fit ${kind.words}${rest}`,
    ...(kind.number && { number: kind.number }),
    ...(kind.date !== undefined && {
      date: rivals.length > 1 ? rivals.flatMap((each) => each.kind.date ?? []) : [kind.date],
    }),
  };
}
