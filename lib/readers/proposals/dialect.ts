import { type Dialect, type HeadRecords, headRecords } from "@/lib/readers/delimited/head-records";
import { cellKind, isTyped } from "./cell-kind";

export interface DialectFound extends Dialect {
  score: number;
  runnerUp: { delimiter: string; score: number };
  /** Whether the runner-up reads the records as a table just as well. */
  isClose: boolean;
  /** Whether a cell has a quote inside, which is text. */
  hasInnerQuotes: boolean;
  records: string[][];
}

const DELIMITERS = [",", ";", "\t", "|"] as const;
const SAMPLED = 200;
const YEAR = /^(?:19|20)\d{2}$/;
const WORD = /\p{L}/u;
/** A first line that names the delimiter, for spreadsheets. */
const NAMED = /^(?:"sep=([^\w\s"]|\t)"|sep=([^\w\s"]|\t))(?=[\r\n])/i;
/** What a table of one column scores less than one of several: between their scores, several columns are likelier. */
const ONE_COLUMN = 0.5;

interface Scored extends Dialect {
  score: number;
  /** Share of the records from the first one of usual width on that have that width. */
  likeness: number;
  columns: number;
  hasInnerQuotes: boolean;
  records: string[][];
}

/**
 * The delimiter, quote and escape that make the first 200 records most like a table. Ties go to the comma, `"` and
 * doubled quotes. A table has one column only if no
 * delimiter splits its first record. A first line such as `sep=;` decides, if
 * its delimiter splits the next one.
 */
export function findDialect(text: string, delimiters: readonly string[] = DELIMITERS): DialectFound {
  const [, quoted, bare] = NAMED.exec(text) ?? [];
  const named = quoted ?? bare;
  const byName = named === undefined ? undefined : best(text, named);
  const candidates = byName && splitsNext(byName) ? [byName] : delimiters.map((delimiter) => best(text, delimiter));
  const isSplit = candidates.some(({ records }) => (records.find((cells) => !isBlank(cells))?.length ?? 0) > 1);
  const scored = candidates
    .map((each) => (each.columns === 1 && isSplit ? { ...each, score: 0 } : each))
    .sort((a, b) => b.score - a.score);
  const [first, second = { ...first, score: 0, likeness: 0, columns: 0 }] = scored;
  if (!first || !second.delimiter) throw new Error("There are delimiters");
  const isClose = second.columns > 1 && second.likeness >= first.likeness && second.score >= 0.95 * first.score;
  const { likeness: _, columns: __, ...dialect } = first;
  return { ...dialect, runnerUp: { delimiter: second.delimiter, score: second.score }, isClose };
}

/** Whether the first record with a value after the first line has several cells. */
const splitsNext = ({ records }: Scored): boolean =>
  (records.slice(1).find((cells) => !isBlank(cells))?.length ?? 0) > 1;

/** The dialects worth trying for a delimiter. */
function dialectsOf(text: string, delimiter: string): Dialect[] {
  const dialects: Dialect[] = [{ delimiter, quote: '"', escape: "double" }];
  if (text.includes('\\"')) dialects.push({ delimiter, quote: '"', escape: "backslash" });
  if (text.includes("'")) dialects.push({ delimiter, quote: "'", escape: "double" });
  if (text.includes('"')) dialects.push({ delimiter, quote: "none", escape: "double" });
  return dialects;
}

function best(text: string, delimiter: string): Scored {
  const tried = dialectsOf(text, delimiter).map((dialect) => scored(dialect, headRecords(text, dialect, SAMPLED)));
  return tried.reduce((chosen, each) => (each.score > chosen.score ? each : chosen));
}

/** The most common number of cells per record; 0 without records. */
export function modeOf(records: readonly string[][]): number {
  const counts = new Map<number, number>();
  for (const cells of records) if (!isBlank(cells)) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  return [...counts].reduce(
    ([mode, most], [cells, count]) => (count > most ? [cells, count] : [mode, most]),
    [0, 0],
  )[0];
}

/** Whether a record is a line such as `sep=;`, which names the delimiter. */
export const namesDelimiter = ([first = "", ...rest]: readonly string[]): boolean =>
  /^sep=\W?$/i.test(first) && rest.every((cell) => cell === "");

export const isBlank = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === "");

function scored(dialect: Dialect, { records, stray, hasInnerQuotes }: HeadRecords): Scored {
  const filled = records.filter((cells) => !isBlank(cells));
  const columns = modeOf(filled);
  if (columns === 0) return { ...dialect, score: 0, likeness: 0, columns, hasInnerQuotes, records };
  const first = filled.findIndex((cells) => cells.length === columns);
  const like = filled.filter((cells) => cells.length === columns);
  const likeness = like.length / (filled.length - first);
  const cells = like.flat();
  const known = cells.filter((cell) => cellKind(cell) !== "text" || WORD.test(cell)).length;
  const header = columns === 1 ? -ONE_COLUMN : isHeaderSplit(filled, first) ? 1 : -1;
  const score = 4 * likeness + (2 * known) / cells.length + header - (3 * stray) / filled.length;
  return { ...dialect, score: Math.max(score, 0), likeness, columns, hasInnerQuotes, records };
}

/** Whether the names of the columns are split too: in the first record, or in the first that is as wide as most. */
function isHeaderSplit(filled: readonly string[][], first: number): boolean {
  const names = filled[first] ?? [];
  const isNamed = names.filter((cell) => cell.trim() !== "").length >= 2;
  return isNamed && (first === 0 || !names.some((cell) => isTyped(cell) && !YEAR.test(cell.trim())));
}
