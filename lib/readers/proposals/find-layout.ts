import { cellKind, isTyped } from "./cell-kind";
import { isBlank, modeOf } from "./dialect";

export interface LayoutFound {
  /** Numbers of the header's records, from 1; "none" if no record looks like a header. */
  header: number[] | "none";
  /** Number of the first record of data. */
  firstRow: number;
  columns: number;
  /** Number of records at the end that are not data, if the end was read. */
  footer: number;
  /** Whether a blank record precedes the footer. */
  isFooterApart: boolean;
  /** Whether an upper header row has gaps that repeat the name left of them: merged cells. */
  isMerged: boolean;
}

const AHEAD = 5;
/** Share of the typed cells that most records have. */
const USUAL_SHARE = 0.6;
const YEAR = /^(?:19|20)\d{2}$/;
const HEADER_MOST = 3;
const FOOTER_MOST = 100;
const NOTES = ["source", "note", "*", "¹", "quelle", "fonte", "nota", "bron", "źródło"];

/** Where a table begins and ends among records. `isWhole` if the last record is the file's last. */
export function findLayout(records: readonly string[][], isWhole: boolean): LayoutFound {
  const columns = modeOf(records);
  const start = dataStart(records, columns);
  const header = headerBefore(records, start, columns);
  const none = { footer: 0, isFooterApart: false };
  const firstRow = header.length > 0 ? start : (header[0] ?? start);
  const ending = isWhole ? footerOf(records, start, columns) : none;
  return {
    header: header.length > 0 ? header.map((at) => at + 1) : "none",
    firstRow: firstRow + 1,
    columns,
    isMerged: header.slice(0, -1).some((at) => hasMerged(records[at] ?? [], columns)),
    ...ending,
  };
}

/** The first record that, like those after it, is as wide as most and has at least half of the usual typed cells. */
function dataStart(records: readonly string[][], columns: number): number {
  const like = records.map((cells) => widthOf(cells) <= columns && cells.length >= columns && !isBlank(cells));
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

function headerBefore(records: readonly string[][], start: number, columns: number): number[] {
  const found: number[] = [];
  for (let at = start - 1; at >= 0 && found.length < HEADER_MOST; at -= 1) {
    const cells = records[at] ?? [];
    if (isBlank(cells) && found.length > 0) break;
    if (isBlank(cells)) continue;
    if (!isHeader(cells, columns, found.length > 0)) break;
    found.unshift(at);
  }
  return found;
}

/** An upper row names groups of columns: it has gaps or repeats, and is as wide as the lowest. */
function isHeader(cells: readonly string[], columns: number, isUpper: boolean): boolean {
  const filled = cells.filter((cell) => cell.trim() !== "");
  const isNaming = filled.some((cell) => cellKind(cell) === "text") || filled.every(isYear);
  if (!isUpper) return isNaming && filled.length >= Math.ceil(columns / 2);
  const hasGaps = filled.length < columns || new Set(filled).size < filled.length;
  const isRecord = filled.some((cell) => isTyped(cell) && !isYear(cell));
  return isNaming && hasGaps && !isRecord && filled.length >= 2 && cells.length >= columns;
}

/** Names with gaps between them, of which the lower row has names. */
function hasMerged(cells: readonly string[], columns: number): boolean {
  const first = cells.findIndex((cell) => cell.trim() !== "");
  return first >= 0 && cells.slice(first, columns).some((cell) => cell.trim() === "");
}

/** Records at the end that are not data, such as notes and sources. */
export function footerOf(records: readonly string[][], start: number, columns: number) {
  let at = records.length;
  let isFooterApart = false;
  while (at > start + 1 && records.length - at < FOOTER_MOST) {
    const cells = records[at - 1] ?? [];
    if (isBlank(cells)) isFooterApart = at < records.length;
    else if (!isNote(cells, columns)) break;
    at -= 1;
  }
  const last = records.slice(at).some((cells) => !isBlank(cells));
  return last ? { footer: records.length - at, isFooterApart } : { footer: 0, isFooterApart: false };
}

function isNote(cells: readonly string[], columns: number): boolean {
  const filled = cells.filter((cell) => cell.trim() !== "").length;
  const first = cells[0]?.trim().toLowerCase() ?? "";
  return filled < Math.ceil(columns / 2) || NOTES.some((word) => first.startsWith(word));
}

/** Whether a record is a header of years: the data below are not years, or are names. */
function isYears(cells: readonly string[] = [], below: readonly string[] = []): boolean {
  const typed = cells.filter(isTyped);
  const under = below.filter(isTyped);
  return typed.length >= 2 && typed.every(isYear) && (under.length === 0 || !under.every(isYear));
}

/** A null token counts as data, since headers have none. */
const isDatum = (cell: string): boolean => isTyped(cell) || cellKind(cell) === "null_token";
const isYear = (cell: string): boolean => YEAR.test(cell.trim());

const widthOf = (cells: readonly string[]): number => cells.findLastIndex((cell) => cell.trim() !== "") + 1;

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
