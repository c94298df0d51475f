import { decimalOf, digitsOf } from "@/lib/engine/types/decimals";
import { type GuessedRule, NUMBER_RULES, STRING_RULE, TEXT_RULES } from "@/lib/readers/typed/cell-types";
import {
  decimalMark,
  evidenceOf,
  type MarkEvidence,
  markKind,
  type NumberNotation,
  type NumbersRead,
  plainMark,
  readCell,
  readNumbers,
  type WrittenNumbers,
} from "@/lib/readers/typed/written-numbers";
import { cellKind } from "./cell-kind";
import type { ColumnCells, ColumnFound, Surroundings } from "./column-found";
import { findDates, haveShortYears, isDated } from "./written-dates";

const EXAMPLES = 3;
const EXAMPLE_CHARACTERS = 80;
/** If nearly all cells are of one kind, those that are not are named. */
const SHARE = 0.98;

/** Proposes what the columns of a file are, judged by all cells: together, as marks mean the same in all of them. */
export function inspectColumns(columns: readonly ColumnCells[], around: Surroundings): ColumnFound[] {
  const looked = columns.map(look);
  const file = fileMarks(looked, around.delimiter);
  return looked.map((each) => found(each, proposed(each, file, around), around));
}

interface Looked extends ColumnCells {
  filled: Cell[];
  tokens: Map<string, TokenCells>;
  isPadded: boolean;
  /** The type that publishing gives to these cells as they are. */
  plain: GuessedRule | undefined;
  numbers: WrittenNumbers;
  evidence: MarkEvidence;
}

interface Cell {
  text: string;
  at: number;
}

interface TokenCells {
  cells: number;
  at: number;
}

function look({ name, cells, rules = TEXT_RULES }: ColumnCells): Looked {
  const given = cells.flatMap((cell, at) => (cell === null ? [] : [{ text: cell, at }]));
  const looked = { name, cells, rules, tokens: new Map<string, TokenCells>(), isPadded: false };
  const texts = given.map(({ text }) => text);
  const plain = texts.length === 0 ? undefined : typedRule(rules, texts);
  if (plain) return { ...looked, filled: given, plain, ...numbersOf(plain, texts) };
  const filled: Cell[] = [];
  for (const { text, at } of given) {
    const inner = trimmed(text);
    if (inner !== text) looked.isPadded = true;
    if (inner !== "" && cellKind(inner) !== "null_token") filled.push({ text: inner, at });
    else {
      const token = looked.tokens.get(inner) ?? { cells: 0, at };
      token.cells += 1;
      looked.tokens.set(inner, token);
    }
  }
  const inner = filled.map(({ text }) => text);
  const rule = inner.length === 0 ? undefined : typedRule(rules, inner);
  return { ...looked, filled, plain: rule, ...numbersOf(rule, rules.some(isNumeric) ? inner : []) };
}

const isNumeric = (rule: GuessedRule): boolean => NUMBER_RULES.includes(rule);

/** The first type other than text that all cells have. */
const typedRule = (rules: readonly GuessedRule[], texts: readonly string[]): GuessedRule | undefined =>
  rules.find((rule) => rule.type !== STRING_RULE.type && texts.every((text) => rule.matches(text)));

/** The type that publishing gives to texts; undefined if it is text. */
export function plainTypeOf(rules: readonly GuessedRule[], texts: readonly string[]): string | undefined {
  const rule = typedRule(rules, texts);
  return rule?.isOpen ? sizedType(texts) : rule?.type;
}

function numbersOf(rule: GuessedRule | undefined, texts: readonly string[]) {
  if (texts.length === 0 || (rule && !isNumeric(rule))) return { numbers: {}, evidence: "none" as const };
  if (rule && texts.some(isClear)) return { numbers: {}, evidence: "point" as const };
  if (rule && !texts.some((text) => text.includes("."))) return { numbers: {}, evidence: "none" as const };
  const numbers = readNumbers(texts);
  return { numbers, evidence: evidenceOf(numbers) };
}

const UNCLEAR_POINT = /^-?[1-9]\d{0,2}\.\d{3}$/;
/** Whether the point of a plain number can only mark decimals. */
const isClear = (text: string): boolean => text.includes(".") && !UNCLEAR_POINT.test(text);

/** What a column's cells are, without counts. */
interface Proposed {
  type: string;
  why: string;
  number?: NumberNotation;
  date?: string[];
  isCast?: boolean;
  staysText?: boolean;
  warnings?: string[];
}

const text = (why: string, ...warnings: string[]): Proposed => ({ type: STRING_RULE.type, why, warnings });

function proposed(looked: Looked, file: FileMarks, around: Surroundings): Proposed {
  const { filled, plain, numbers } = looked;
  if (filled.length === 0) return text("no cell has a value");
  const texts = filled.map(({ text }) => text);
  const all = `${filled.length} of ${filled.length} cells fit`;
  if (plain && (looked.evidence !== "either" || plainMark(file.evidence, file.delimiter) === "."))
    return plainType(plain, texts, all);
  if (numbers.point || numbers.comma) return writtenNumbers(looked, file);
  const dates = findDates(texts);
  if (dates) return datesFound(dates.type, dates.formats, all);
  if (haveShortYears(texts))
    return text("days with years of two digits", "years have two digits. A person must choose their century.");
  return nearly(looked, around);
}

function plainType(rule: GuessedRule, texts: readonly string[], all: string): Proposed {
  const type = rule.isOpen ? sizedType(texts) : rule.type;
  if (type === undefined) return tooLong(texts);
  const isCast = isNumeric(rule) && !texts.every((cell) => /^-?\d+(?:\.\d+)?$/.test(cell));
  return { type, why: `${all} ${type}`, ...(isCast && { isCast }) };
}

/** The decimal that holds numbers without exponents. */
function sizedType(plain: readonly string[]): string | undefined {
  let [whole, scale] = [0, 0];
  for (const digits of plain.map(digitsOf)) {
    whole = Math.max(whole, digits.whole);
    scale = Math.max(scale, digits.scale);
  }
  return decimalOf(whole, scale)?.name;
}

const shown = (cell: string): string => JSON.stringify(cell.slice(0, 40));

const tooLong = (texts: readonly string[]): Proposed =>
  text(
    "numbers that float64 would round",
    `float64 would round numbers such as ${shown(texts.find((cell) => !isNumberText(cell)) ?? longest(texts))}, ` +
      "which stay text. To compute with them, parse them as a decimal that has their digits.",
  );

const isNumberText = (cell: string): boolean => NUMBER_RULES.some((rule) => !rule.isOpen && rule.matches(cell));

function writtenNumbers(looked: Looked, { evidence, thousands, delimiter }: FileMarks): Proposed {
  const { numbers, filled } = looked;
  const texts = filled.map(({ text }) => text);
  const mark = looked.plain ? plainMark(evidence, delimiter) : decimalMark(evidence, delimiter);
  const isOpen = looked.evidence === "either";
  if (isOpen && mark === undefined) return undecided(looked);
  const read =
    (isOpen ? (mark === "." ? numbers.point : numbers.comma) : (numbers.point ?? numbers.comma)) ?? undefined;
  const isForeign = isOpen && read && hasOtherThousands(read, thousands);
  if (!read || isForeign) return undecided(looked);
  const type = plainTypeOf(NUMBER_RULES, read.plain);
  if (type === undefined) return tooLong(texts);
  const isByDelimiter = isOpen && !evidence.includes("point") && !evidence.includes("comma");
  return {
    type,
    why: `${filled.length} of ${filled.length} cells fit numbers such as ${shown(longest(texts))}`,
    number: read.notation,
    warnings: notationWarnings(looked, read, isByDelimiter),
  };
}

const longest = (texts: readonly string[]): string =>
  texts.reduce((most, text) => (text.length > most.length ? text : most), "");

function undecided({ filled, numbers, plain }: Looked): Proposed {
  const at = filled.findIndex((_, cell) => numbers.point?.plain[cell] !== numbers.comma?.plain[cell]);
  const [one, other] = [numbers.point?.plain[at] ?? "", numbers.comma?.plain[at] ?? ""];
  const warning = `no cell tells whether ${shown(filled[at]?.text ?? "")} is ${one} or ${other}. A person must choose.`;
  return { ...text("no cell tells decimals from thousands", warning), ...(plain && { staysText: true }) };
}

/** What reading the numbers takes away, or takes for granted. */
function notationWarnings({ filled }: Looked, { notation, plain }: NumbersRead, isByDelimiter: boolean): string[] {
  const { strip = [], percent, negative, decimal } = notation;
  const example = (isOne: (cell: string) => boolean) => {
    const at = filled.findIndex(({ text }) => isOne(text));
    return `${shown(filled[at]?.text ?? "")} becomes ${plain[at] ?? ""}`;
  };
  const removed = [...strip.filter((sign) => sign !== "+"), ...(percent ? ["%"] : [])];
  return [
    ...removed.map((sign) => `${shown(sign)} is removed: ${example(() => true)}. It belongs into the column's unit.`),
    ...(negative ? [`${example((cell) => /[)-]/.test(cell.slice(1)))}.`] : []),
    ...(isByDelimiter
      ? [`${example((cell) => cell.includes(decimal === "." ? "," : "."))}, as commas separate the file's cells.`]
      : []),
  ];
}

const datesFound = (type: string, formats: string[], all: string): Proposed => ({
  type,
  why: `${all} ${formats.join(" or ")}`,
  date: formats,
  ...(formats.length > 1 && {
    warnings: [`no cell tells day from month (${formats.join(" or ")}). A person must choose.`],
  }),
});

/** Text; with a warning if only a few cells are not of the kind that all others are. */
function nearly({ filled, rules = TEXT_RULES }: Looked, { rowOf }: Surroundings): Proposed {
  const isNumber = (cell: string) => readCell(cell) !== undefined || PLAIN_NUMBER.test(cell);
  const kinds = [
    ...(rules.some(isNumeric) ? [{ words: "numbers", isOne: isNumber }] : []),
    { words: "dates or times", isOne: (cell: string) => rules.some((rule) => isTemporal(rule, cell)) || isDated(cell) },
  ];
  for (const { words, isOne } of kinds) {
    const strange = others(filled, isOne);
    const count = filled.length - strange.length;
    if (count < SHARE * filled.length) continue;
    const named = strange.slice(0, EXAMPLES).map(({ text, at }) => `row ${rowOf(at)} ${shown(text)}`);
    if (strange.length === 0)
      return unlike(
        filled.map(({ text }) => text),
        words,
      );
    return text(
      `only ${count} of ${filled.length} cells are ${words}`,
      `${count} of ${filled.length} cells are ${words}, ${strange.length} are not: ${named.join(", ")}. All stay ` +
        'text; on_error: "null" of the step parse would lose these.',
    );
  }
  return text("words");
}

const PLAIN_NUMBER = /^-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/;
const CODE = /^0\d/;

/** Numbers or days that have no type in common. */
function unlike(texts: readonly string[], label: string): Proposed {
  if (texts.some((cell) => CODE.test(cell))) return text("codes with leading zeros");
  return texts.every((cell) => PLAIN_NUMBER.test(cell)) ? tooLong(texts) : text(`${label} in several notations`);
}

const isTemporal = (rule: GuessedRule, cell: string): boolean =>
  ["date", "time", "timestamp"].includes(rule.type) && rule.matches(cell);

/** The cells that are not of a kind; stops early if they are too many. */
function others(cells: readonly Cell[], isOne: (cell: string) => boolean): Cell[] {
  const strange: Cell[] = [];
  for (const cell of cells) {
    if (!isOne(cell.text)) strange.push(cell);
    if (strange.length > (1 - SHARE) * cells.length) return [...cells];
  }
  return strange;
}

function found(looked: Looked, { warnings = [], ...rest }: Proposed, { rowOf }: Surroundings): ColumnFound {
  const { name, cells, filled } = looked;
  const isTyped = rest.type !== STRING_RULE.type && (rest.date ?? []).length < 2;
  const values = new Set(isTyped ? filled.map(({ text }) => text) : cells.flatMap((cell) => cell?.trim() || []));
  const empty = cells.filter((cell) => cell === null).length;
  const tokens = isTyped ? [...looked.tokens].map(([token, { cells, at }]) => ({ token, cells, row: rowOf(at) })) : [];
  const spellings = rest.type === STRING_RULE.type ? spellingsOf(values) : [];
  return {
    ...{ name, isText: true, ...rest, tokens, nulls: empty + tokens.reduce((sum, { cells }) => sum + cells, 0) },
    ...(isTyped && looked.isPadded && { isPadded: true }),
    ...{ distinct: values.size, examples: [...values].slice(0, EXAMPLES).map(cut) },
    ...(spellings.length > 0 && { spellings }),
    warnings: warnings.map((warning) => `${JSON.stringify(name)}: ${warning}`),
  };
}

const cut = (cell: string): string => cell.slice(0, EXAMPLE_CHARACTERS);

/** What a file's columns say about the marks in its numbers. */
interface FileMarks {
  evidence: readonly MarkEvidence[];
  /** The signs that separate thousands in columns that leave no doubt. */
  thousands: ReadonlySet<string>;
  delimiter: string | undefined;
}

interface ReadColumn {
  evidence: MarkEvidence;
  numbers: WrittenNumbers;
}

const fileMarks = (columns: readonly ReadColumn[], delimiter: string | undefined): FileMarks => ({
  evidence: columns.map(({ evidence }) => evidence),
  thousands: new Set(columns.flatMap(({ evidence, numbers }) => (evidence === "either" ? [] : thousandsOf(numbers)))),
  delimiter,
});

const thousandsOf = ({ point, comma }: WrittenNumbers): string[] =>
  ((point ?? comma)?.notation.thousands ?? []).map(markKind);

/** Whether numbers read so would separate thousands by another sign than the rest of their file. */
const hasOtherThousands = ({ notation }: NumbersRead, thousands: FileMarks["thousands"]): boolean =>
  thousands.size > 0 && notation.thousands.some((sign) => !thousands.has(markKind(sign)));

/** With more distinct values than this, they are more likely free text than categories. */
const VALUES_MAX = 200;

const CHARACTERS_MAX = 60;

const GROUPS_MAX = 3;

const SPELLINGS_MAX = 5;

const WORDS_TEXT = /^\p{L}[\p{L} ]{3,}$/u;

/** Groups of values that differ only in how a unit or a word is written: `µg/m³` and `ug/m3`, `Berlin` and `BERLIN`. */
function spellingsOf(values: ReadonlySet<string>): string[][] {
  if (values.size < 2 || values.size > VALUES_MAX) return [];
  const groups = new Map<string, string[]>();
  for (const value of values) {
    if (value.length > CHARACTERS_MAX) continue;
    const folded = fold(value);
    groups.set(folded, [...(groups.get(folded) ?? []), value]);
  }
  const several = [...groups.values()].filter(({ length }) => length > 1);
  return several.slice(0, GROUPS_MAX).map((same) => same.slice(0, SPELLINGS_MAX));
}

/** Removes spaces, superscript digits and power signs. The case of a unit is kept, as mW and MW differ. */
function fold(value: string): string {
  const plain = value
    .normalize("NFKC")
    .replaceAll("\u03bc", "u")
    .replaceAll(/[\s^]+/g, "");
  return WORDS_TEXT.test(value) ? plain.toLowerCase() : plain;
}

const BLANK = /[\p{Z}\t-\r\u0085]/u;

/** The cell without white space around it, as the step trim reads it. */
function trimmed(cell: string): string {
  let [start, end] = [0, cell.length];
  while (start < end && BLANK.test(cell.charAt(start))) start += 1;
  while (end > start && BLANK.test(cell.charAt(end - 1))) end -= 1;
  return start === 0 && end === cell.length ? cell : cell.slice(start, end);
}
