import { type CellKind, cellKind, isTyped } from "./cell-kind";
import { isBlank, modeOf, namesDelimiter } from "./dialect";

export interface LayoutFound {
  /** Numbers of the header's records, from 1; "none" if no record looks like a header. */
  header: number[] | "none";
  /** Number of the first record of data. */
  firstRow: number;
  columns: number;
  /** Number of records at the end that are not data, blank ones included, if the end was read. */
  footer: number;
  /** Those that are not blank. */
  footerRows: number;
  /** Whether a blank record precedes the footer, and none is among the data. */
  isFooterApart: boolean;
  /** Whether an upper header row has gaps that repeat the name left of them: merged cells. */
  isMerged: boolean;
  kinds: ColumnKinds;
}

/** For each column, the kind of nearly all its cells; null for text, or without cells. */
export type ColumnKinds = readonly (CellKind | null)[];

const AHEAD = 5;
/** Share of the typed cells that most records have. */
const USUAL_SHARE = 0.6;
const YEAR = /^(?:19|20)\d{2}$/;
const HEADER_MOST = 3;
const FOOTER_MOST = 100;
const KINDS_FROM = 500;
const KIND_SHARE = 0.8;
const SEQUENCE_MIN = 3;

/**
 * Where a table begins and ends among records. `isWhole` if the last record is the file's last. A record is data unless
 * something in it contradicts the columns: what is only short or sparse is data.
 */
export function findLayout(records: readonly string[][], isWhole: boolean): LayoutFound {
  if (records.length === 0 || !namesDelimiter(records[0] ?? [])) return layoutOf(records, isWhole);
  const { header, firstRow, ...found } = layoutOf(records.slice(1), isWhole);
  return { ...found, header: header === "none" ? header : header.map((row) => row + 1), firstRow: firstRow + 1 };
}

function layoutOf(records: readonly string[][], isWhole: boolean): LayoutFound {
  const columns = modeOf(records);
  // of a small table, what is below it would weigh as much as its rows
  const above = records.slice(0, records.findLastIndex((cells) => isFull(cells, columns)) + 1);
  const start = dataStart(above, columns);
  const kinds = kindsOf(records.slice(start), columns);
  const header = headerOf(above, start, kindsOf(above.slice(start), columns));
  const last = header.at(-1);
  const firstRow = last === undefined ? start : last + 1;
  const ending = isWhole ? footerOf(records, firstRow, kinds) : NO_FOOTER;
  return {
    header: header.length > 0 ? header.map((at) => at + 1) : "none",
    firstRow: firstRow + 1,
    columns,
    isMerged: header.slice(0, -1).some((at) => hasGaps(records[at] ?? [], columns)),
    kinds,
    ...ending,
  };
}

/** The first record that, like those after it, is as wide as most and has at least half of the usual typed cells. */
function dataStart(records: readonly string[][], columns: number): number {
  const like = records.map((cells) => isFull(cells, columns));
  const typed = records.map((cells) => cells.filter(isDatum).length);
  const usual = medianOf(typed.filter((_, at) => like[at]));
  const first = like.findIndex((_, at) => {
    const window = Math.min(AHEAD, records.length - at);
    const isSteady = like.slice(at, at + window).filter(Boolean).length >= Math.min(window, AHEAD - 1);
    const isTypedEnough = usual === 0 || (typed[at] ?? 0) >= Math.max(1, USUAL_SHARE * usual);
    return like[at] && isSteady && isTypedEnough && !isYears(records[at], records[at + 1]);
  });
  const start = Math.max(first, 0);
  return usual === 0 && records.length > start + 1 ? start + 1 : start; // only words: the first record is the header
}

/** Whether a record is as wide as most, and has a value. */
const isFull = (cells: readonly string[], columns: number): boolean =>
  widthOf(cells) <= columns && cells.length >= columns && !isBlank(cells);

function kindsOf(data: readonly string[][], columns: number): ColumnKinds {
  const looked = data.slice(0, KINDS_FROM);
  return Array.from({ length: columns }, (_, column) => {
    const kinds = looked.map((cells) => cellKind(cells[column] ?? "")).filter((kind) => !isMissing(kind));
    const [kind, count] = mostCommon(kinds);
    return kind !== undefined && kind !== "text" && count >= KIND_SHARE * kinds.length ? kind : null;
  });
}

const isMissing = (kind: CellKind): boolean => kind === "blank" || kind === "null_token";

function mostCommon(kinds: readonly CellKind[]): [CellKind | undefined, number] {
  const counts = new Map<CellKind, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].reduce<[CellKind | undefined, number]>(
    (most, each) => (each[1] > most[1] ? each : most),
    [undefined, 0],
  );
}

/** The records of the header: the first record if it can be one, otherwise those directly before the steady data. */
function headerOf(records: readonly string[][], start: number, kinds: ColumnKinds): number[] {
  const first = records.findIndex((cells) => !isBlank(cells));
  if (first < 0) return [];
  if (isNames(records, first, kinds)) return [first];
  return headerBefore(records, start, kinds);
}

/** Whether a record names every column, once, and none of the next ones can be a header in its place. */
function isNames(records: readonly string[][], at: number, kinds: ColumnKinds): boolean {
  const names = (records[at] ?? []).slice(0, widthOf(records[at] ?? [])).map((cell) => cell.trim());
  if (names.length !== kinds.length || names.includes("")) return false;
  if (new Set(names.map((name) => name.toLowerCase())).size < names.length) return false;
  if (!mayName(names, kinds) && !areMostlyNames(names, kinds)) return false;
  const further = records.slice(at + 1, at + 1 + AHEAD * 2);
  return !further.some((cells) => isOtherHeader(cells, kinds));
}

/** Whether a record is no data, but may name columns itself. A single wrong value among right ones is data. */
const isOtherHeader = (cells: readonly string[], kinds: ColumnKinds): boolean =>
  contradicts(cells, kinds) && mayName(cells, kinds);

/** Whether cells are names rather than data: none is of its column's kind, unless they count the columns. */
function mayName(cells: readonly string[], kinds: ColumnKinds): boolean {
  const like = cells.filter((cell, at) => isTyped(cell) && cellKind(cell) === kinds[at] && !isYear(cell));
  return like.length === 0 || (like.length < cells.length && isSequence(like));
}

/** Whether more cells contradict their columns than are like them, as where one of many names is a number. */
function areMostlyNames(cells: readonly string[], kinds: ColumnKinds): boolean {
  const like = cells.filter((cell, at) => kinds[at] != null && cellKind(cell) === kinds[at] && !isYear(cell));
  const unlike = cells.filter((cell, at) => kinds[at] != null && cellKind(cell) === "text");
  return unlike.length > like.length;
}

/** Whether numbers follow each other by the same step, such as ages or days that are columns. */
function isSequence(cells: readonly string[]): boolean {
  const numbers = cells.map(Number);
  const step = (numbers[1] ?? 0) - (numbers[0] ?? 0);
  return (
    numbers.length >= SEQUENCE_MIN &&
    step > 0 &&
    numbers.every((number, at) => at === 0 || number - (numbers[at - 1] ?? 0) === step)
  );
}

/** Whether a cell of the record cannot be a value of its column: text or another kind where nearly all are of one. */
const contradicts = (cells: readonly string[], kinds: ColumnKinds): boolean =>
  cells.some((cell, at) => {
    const kind = cellKind(cell);
    return kinds[at] != null && !isMissing(kind) && kind !== kinds[at];
  });

/** Sparse records between the header and the steady data are data. */
function headerBefore(records: readonly string[][], start: number, kinds: ColumnKinds): number[] {
  const columns = kinds.length;
  const lowest = lowestHeader(records, start, kinds);
  const found: number[] = [];
  for (let at = lowest; at >= 0 && found.length < HEADER_MOST; at -= 1) {
    const cells = records[at] ?? [];
    if (isBlank(cells) && found.length > 0) break;
    if (isBlank(cells)) continue;
    if (!isHeader(cells, columns, found.length > 0)) break;
    found.unshift(at);
  }
  return found;
}

function lowestHeader(records: readonly string[][], start: number, kinds: ColumnKinds): number {
  for (let at = start - 1; at >= 0; at -= 1) {
    const cells = records[at] ?? [];
    if (isBlank(cells)) continue;
    if (isOtherHeader(cells, kinds) || cells.some(isYear)) return at;
    const above = records[at - 1] ?? [];
    if (!isOtherHeader(above, kinds) && !contradicts(cells, kinds)) return at;
  }
  return -1;
}

/** An upper row names groups of columns, or is a full row of words: it is as wide as the lowest. */
function isHeader(cells: readonly string[], columns: number, isUpper: boolean): boolean {
  const filled = cells.filter((cell) => cell.trim() !== "");
  const isNaming = filled.some((cell) => cellKind(cell) === "text") || filled.every(isYear);
  if (!isUpper) return isNaming && filled.length >= Math.ceil(columns / 2);
  const isWords = columns > 2 && filled.length === columns && filled.every((cell) => cellKind(cell) === "text");
  const isOfGroups = filled.length < columns || new Set(filled).size < filled.length;
  const isRecord = filled.some((cell) => isTyped(cell) && !isYear(cell));
  return isNaming && (isOfGroups || isWords) && !isRecord && filled.length >= 2 && cells.length >= columns;
}

/** Names with gaps between them, of which the lower row has names. */
function hasGaps(cells: readonly string[], columns: number): boolean {
  const first = cells.findIndex((cell) => cell.trim() !== "");
  return first >= 0 && cells.slice(first, columns).some((cell) => cell.trim() === "");
}

const NO_FOOTER = { footer: 0, footerRows: 0, isFooterApart: false };

/** Records at the end that are not data, such as notes and sources. `start` is the first record of data. */
export function footerOf(records: readonly string[][], start: number, kinds: ColumnKinds) {
  let at = records.length;
  let top = at;
  while (at > start + 1 && records.length - at < FOOTER_MOST) {
    const cells = records[at - 1] ?? [];
    if (!isBlank(cells) && !isNote(cells, kinds)) break;
    at -= 1;
    if (!isBlank(cells)) top = at;
  }
  if (top === records.length) return NO_FOOTER;
  const hasBlank = records.slice(start, at).some(isBlank);
  const footerRows = records.slice(at).filter((cells) => !isBlank(cells)).length;
  return { footer: records.length - at, footerRows, isFooterApart: top > at && !hasBlank };
}

/** Whether a record cannot be data: it has few cells, and they are a sentence or contradict the columns. */
function isNote(cells: readonly string[], kinds: ColumnKinds): boolean {
  const filled = cells.filter((cell) => cell.trim() !== "");
  if (kinds.length < 2 || filled.length >= Math.max(2, Math.ceil(kinds.length / 2))) return false;
  const isAlone = cells.length === 1 && kinds.length > 2;
  return isAlone || contradicts(cells, kinds) || filled.some(isSentence);
}

const SENTENCE_WORDS = 4;
const MARKED = /^(?:[*†‡§]|[¹²³⁴⁵⁶⁷⁸⁹]|\(?\d{1,2}\)) ?/;

function isSentence(cell: string): boolean {
  const text = cell.trim();
  return MARKED.test(text) || /[:：]/.test(text) || text.split(" ", SENTENCE_WORDS).length >= SENTENCE_WORDS;
}

/** Whether a record is a header of years: the data below are not years, or are names. */
function isYears(cells: readonly string[] = [], below: readonly string[] = []): boolean {
  const typed = cells.filter(isTyped);
  const under = below.filter(isTyped);
  return typed.length >= 2 && typed.every(isYear) && (under.length === 0 || !under.every(isYear));
}

/** A null token counts as data, since headers have none. */
const isDatum = (cell: string): boolean => isTyped(cell) || cellKind(cell) === "null_token";
export const isYear = (cell: string): boolean => YEAR.test(cell.trim());

const widthOf = (cells: readonly string[]): number => cells.findLastIndex((cell) => cell.trim() !== "") + 1;

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
