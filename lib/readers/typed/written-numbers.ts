/** How the numbers of a column are written, as `number` of the step parse takes it. */
export interface NumberNotation {
  decimal: "." | ",";
  thousands: string[];
  groups?: "indian";
  strip?: string[];
  negative?: "parentheses" | "trailing";
  percent?: "keep";
}

/** A column's numbers, written plainly: `-1234.5`. */
export interface NumbersRead {
  notation: NumberNotation;
  plain: string[];
}

/** A column's numbers under each of the two signs that can mark decimals; without one that some cell rules out. */
export interface WrittenNumbers {
  point?: NumbersRead;
  comma?: NumbersRead;
}

/** What a column says about the sign that marks decimals in its file. */
export type MarkEvidence = "point" | "comma" | "either" | "none";

interface WrittenCell {
  affix: string;
  sign: string;
  isBracketed: boolean;
  isTrailing: boolean;
  /** Digits with marks between them. */
  core: string;
}

const CHARACTERS_MAX = 100;
const BLANKS = /[\u00a0\u202f\u2007\u2009]/g;
const CELL =
  /^(?:(\p{Sc}|[A-Z]{3}|kr) ?)?([-+\u2212]?)(\(?)(\d(?:[.,'\u2019 ]?\d)*)(\)?)(-?)(?: ?(%|\p{Sc}|[A-Z]{3}|kr))?$/u;
const CURRENCIES = new Set(Intl.supportedValuesOf("currency"));

/** One cell without blanks around it; undefined for text. */
export function readCell(cell: string): WrittenCell | undefined {
  if (cell.length > CHARACTERS_MAX) return undefined;
  const [found, before = "", sign = "", open, core = "", close, minus, after = ""] =
    CELL.exec(cell.replace(BLANKS, " ")) ?? [];
  const isBracketed = open === "(" && close === ")";
  const signs = Number(sign !== "") + Number(isBracketed) + Number(minus === "-");
  if (found === undefined || open?.length !== close?.length || signs > 1) return undefined;
  const affix = before || after;
  if ((before !== "" && after !== "") || (/^[A-Z]{3}$/.test(affix) && !CURRENCIES.has(affix))) return undefined;
  return { affix, sign, isBracketed, isTrailing: minus === "-", core };
}

/** Reads a column's cells, which have no blanks around them. Empty if they are not all numbers of one notation. */
export function readNumbers(cells: readonly string[]): WrittenNumbers {
  const read: WrittenCell[] = [];
  for (const cell of cells) {
    const written = readCell(cell);
    if (!written) return {};
    read.push(written);
  }
  const form = formOf(read);
  if (!form) return {};
  const [point, comma] = ([".", ","] as const).map((decimal) => underMark(read, decimal, form));
  return { ...(point && { point }), ...(comma && { comma }) };
}

type Form = Pick<NumberNotation, "strip" | "negative" | "percent">;

/** What surrounds the digits; undefined if the cells differ, or if it may mean something else than a number. */
function formOf(cells: readonly WrittenCell[]): Form | undefined {
  const [affix = "", ...others] = new Set(cells.map((cell) => cell.affix));
  const brackets = cells.filter((cell) => cell.isBracketed).length;
  const trailing = cells.filter((cell) => cell.isTrailing).length;
  const isSigned = cells.some(({ sign }) => sign === "+");
  const isNegative = cells.some(({ sign }) => sign === "-" || sign === "\u2212");
  // all in brackets are rather numbered, and all with a plus are rather telephone numbers
  if (others.length > 0 || (brackets > 0 && trailing > 0) || brackets === cells.length) return undefined;
  if (isSigned && !isNegative) return undefined;
  const strip = [...(isSigned ? ["+"] : []), ...(affix === "" || affix === "%" ? [] : [affix])];
  return {
    ...(strip.length > 0 && { strip }),
    ...(brackets > 0 && { negative: "parentheses" as const }),
    ...(trailing > 0 && { negative: "trailing" as const }),
    ...(affix === "%" && { percent: "keep" as const }),
  };
}

function underMark(cells: readonly WrittenCell[], decimal: "." | ",", form: Form): NumbersRead | undefined {
  const plain: string[] = [];
  const [thousands, groups] = [new Set<string>(), new Set<string>()];
  for (const cell of cells) {
    const read = digitsOf(cell.core, decimal);
    if (!read) return undefined;
    for (const sign of read.thousands) thousands.add(sign);
    groups.add(read.groups);
    const isNegative = cell.isBracketed || cell.isTrailing || (cell.sign !== "" && cell.sign !== "+");
    plain.push((isNegative ? "-" : "") + read.plain);
  }
  const kinds = new Set([...thousands].map(markKind));
  if (kinds.size > 1 || (groups.has("indian") && groups.has("three"))) return undefined;
  const indian = groups.has("indian") && { groups: "indian" as const };
  return { notation: { decimal, thousands: [...thousands], ...indian, ...form }, plain };
}

/** Both apostrophes are one sign. */
export const markKind = (sign: string): string => (sign === "\u2019" ? "'" : sign);

interface Digits {
  thousands: string[];
  groups: "none" | "either" | "three" | "indian";
  plain: string;
}

function digitsOf(core: string, decimal: "." | ","): Digits | undefined {
  const marks = core.match(/\D/g) ?? [];
  const parts = core.split(/\D/);
  const isFraction = marks.at(-1) === decimal;
  const thousands = isFraction ? marks.slice(0, -1) : marks;
  const fraction = isFraction ? `.${parts.pop()}` : "";
  if (thousands.includes(decimal)) return undefined;
  const [first = ""] = parts;
  if (first.length > 1 && first.startsWith("0")) return undefined;
  const groups = groupsOf(parts);
  return groups && { thousands, groups, plain: parts.join("") + fraction };
}

/** How digits before the point are grouped; undefined if separators do not stand where they belong. */
function groupsOf(parts: readonly string[]): Digits["groups"] | undefined {
  if (parts.length === 1) return "none";
  const [first = "", ...rest] = parts;
  const middle = rest.slice(0, -1);
  if (rest.at(-1)?.length !== 3 || first.length > 3 || first.startsWith("0")) return undefined;
  if (middle.length === 0) return first.length < 3 ? "either" : "three";
  if (middle.every(({ length }) => length === 3)) return "three";
  return middle.every(({ length }) => length === 2) && first.length < 3 ? "indian" : undefined;
}

/** What the readings of a column say about its file. */
export function evidenceOf({ point, comma }: WrittenNumbers): MarkEvidence {
  if (!point || !comma) return point ? "point" : comma ? "comma" : "none";
  return point.plain.every((each, at) => each === comma.plain[at]) ? "none" : "either";
}

/**
 * The sign that marks decimals in a file, by the columns that leave no doubt; otherwise a comma between cells is not
 * one between digits. Undefined if a person must choose.
 */
export function decimalMark(columns: readonly MarkEvidence[], delimiter: string | undefined): "." | "," | undefined {
  const [isPoint, isComma] = [columns.includes("point"), columns.includes("comma")];
  if (isPoint !== isComma) return isPoint ? "." : ",";
  return !isPoint && delimiter === "," ? "." : undefined;
}

/**
 * The same for numbers with points, which are plain: the point marks decimals, unless other columns have decimal commas
 * or the semicolons of programs whose decimals have commas separate the cells.
 */
export function plainMark(columns: readonly MarkEvidence[], delimiter: string | undefined): "." | "," | undefined {
  return decimalMark(columns, delimiter) ?? (delimiter === ";" || columns.includes("comma") ? undefined : ".");
}
