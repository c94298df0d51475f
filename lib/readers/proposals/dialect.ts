import { cellKind } from "./cell-kind";
import { type Dialect, type SampleRecords, sampleRecords } from "./sample-records";

export interface DialectFound extends Dialect {
  score: number;
  runnerUp: { delimiter: string; score: number };
  /** Whether the runner-up's score is within a tenth. */
  isClose: boolean;
  records: string[][];
}

const DELIMITERS = [",", ";", "\t", "|"] as const;
const QUOTES = ['"', "'", "none"] as const;
const SAMPLED = 200;
const WORD = /\p{L}/u;

/** The delimiter and quote that make the first 200 records most like a table. Ties go to the comma and `"`. */
export function findDialect(text: string): DialectFound {
  const scored = DELIMITERS.map((delimiter) => best(text, delimiter));
  const [first, second] = [...scored].sort((a, b) => b.score - a.score);
  if (!first || !second) throw new Error("There are delimiters");
  const isClose = second.score > 0 && second.score >= 0.9 * first.score;
  return { ...first, runnerUp: { delimiter: second.delimiter, score: second.score }, isClose };
}

function best(text: string, delimiter: string) {
  const tried = QUOTES.map((quote) => {
    const sample = sampleRecords(text, { delimiter, quote }, SAMPLED);
    return { delimiter, quote, score: scoreOf(sample), records: sample.records };
  });
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

export const isBlank = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === "");

function scoreOf({ records, stray }: SampleRecords): number {
  const filled = records.filter((cells) => !isBlank(cells));
  const mode = modeOf(filled);
  if (mode < 2) return 0;
  const like = filled.filter((cells) => cells.length === mode);
  const cells = like.flat();
  const known = cells.filter((cell) => cellKind(cell) !== "text" || WORD.test(cell)).length;
  const isHeaderCut = (like[0]?.filter((cell) => cell.trim() !== "").length ?? 0) >= 2;
  return (
    (4 * like.length) / filled.length + (2 * known) / cells.length + (isHeaderCut ? 1 : 0) - (3 * stray) / filled.length
  );
}
