import type { Outcome, Taken } from "@/lib/testing/both-doors";
import type { Asked, Expected, Read, Refused, Said } from "./door-file";
import { differenceOfColumn } from "./same-value";

/** Undefined if the outcome is one of those expected and obeys the rules of every outcome; otherwise what differs. */
export function judged(outcome: Outcome, expected: readonly Expected[], notWarned?: RegExp): string | undefined {
  const fault = ruleBroken(outcome);
  if (fault !== undefined) return fault;
  const warned = "broken" in outcome ? undefined : outcome.warnings.find((warning) => notWarned?.test(warning));
  if (warned !== undefined) return `warned without reason: ${warned}`;
  const differences = expected.map((each) => difference(outcome, each));
  if (differences.includes(undefined)) return undefined;
  return [...new Set(differences)].join(" | or ");
}

const MACHINE = /(?:\/(?:tmp|home|work|var|root|usr)\/|node_modules|file:\/\/)/;
const INTERNALS =
  /INTERNAL Error|Binder Error|Parser Error|Catalog Error|Conversion Error|Invalid Input Error|IO Error|Invalid Error|(?:\.[cm]?[jt]s|\bnode:[\w/]+):\d+:\d+|read_csv|read_parquet|undefined|\[object Object\]|\bTypeError\b|\bRangeError\b|ERR_[A-Z_]+/;

/** What no outcome may be: a broken door, empty words, words about our own machine, silent losses. */
export function ruleBroken(outcome: Outcome): string | undefined {
  if ("broken" in outcome) return `broken: ${outcome.broken.split("\n").slice(0, 3).join(" ")}`;
  if ("refused" in outcome) return wordsBroken(outcome.refused);
  return outcome.warnings.map(wordsBroken).find((fault) => fault !== undefined);
}

function wordsBroken(message: string): string | undefined {
  if (message.trim().length < 10) return `words say nothing: ${JSON.stringify(message)}`;
  if (MACHINE.test(message)) return `words name a path of the machine: ${message}`;
  return INTERNALS.test(message) ? `words are internal: ${message}` : undefined;
}

function difference(outcome: Outcome, expected: Expected): string | undefined {
  if ("broken" in outcome) return outcome.broken;
  if (expected.kind === "refused") return notRefused(outcome, expected);
  if ("refused" in outcome)
    return expected.kind === "asked" ? notAskedButRefused(outcome, expected) : `refused: ${outcome.refused}`;
  return expected.kind === "read" ? notRead(outcome, expected) : notAsked(outcome, expected);
}

function notRefused(outcome: Exclude<Outcome, { broken: string }>, { words }: Refused): string | undefined {
  if (!("refused" in outcome)) return `taken, not refused (${words.join(" ")}): ${shown(outcome)}`;
  const all = [outcome.refused, ...outcome.warnings].join("\n");
  const missing = words.find((word) => !word.test(all));
  return missing && `refused without ${missing}: ${all}`;
}

/** A proposal that asks may fail in its run: the question was asked before. */
const notAskedButRefused = ({ refused, warnings }: { refused: string; warnings: string[] }, { warning }: Asked) =>
  warnings.some((each) => warning.test(each)) ? undefined : `refused without ${warning} in warnings: ${refused}`;

function notAsked(taken: Taken, { warning, columns }: Asked): string | undefined {
  if (!taken.warnings.some((each) => warning.test(each))) return `no warning ${warning}: ${shown(taken)}`;
  if (!columns) return undefined;
  const missing = (columns[0]?.cells.length ?? 0) - taken.rows.length;
  if (missing === 0) return differenceOfColumns(taken, columns);
  if (missing < 0 || missing > leftOutRows(taken)) return `${missing} rows are missing: ${shown(taken)}`;
  return notSubset(taken, columns);
}

function notRead(taken: Taken, { columns, leftOut, cellsLost }: Read): string | undefined {
  const difference = differenceOfColumns(taken, columns);
  if (difference !== undefined) return difference;
  const rows = leftOutRows(taken);
  if (rows !== leftOut) return `${rows} rows with a value are left out, not ${leftOut}`;
  const cells = lostCells(taken);
  if (cells < cellsLost) return `${cells} lost cells are counted, not ${cellsLost}`;
  if (cellsLost === 0 && taken.rejected.cells > 0) return `${taken.rejected.cells} cells are rejected`;
  return notShown(taken);
}

const ROWS_LEFT_OUT = ["preamble", "between", "footer", "comment", "bad_line"];
const CELLS_LOST = ["cut", "error_cell", "formula", "bad_bytes"];
const isFilled = (value: string): boolean => value.replace(/[\s|]/g, "") !== "";

/** Rows that had a value. */
const leftOutRows = ({ leftOut }: Taken): number =>
  leftOut
    .filter(({ cause }) => ROWS_LEFT_OUT.includes(cause))
    .reduce((sum, { rows, examples }) => sum + rows - examples.filter(({ value }) => !isFilled(value)).length, 0);

const lostCells = ({ leftOut }: Taken): number =>
  leftOut.filter(({ cause }) => CELLS_LOST.includes(cause)).reduce((sum, { cells }) => sum + cells, 0);

/** What is left out is in a warning, by its own words or by its row. Publishing has no proposal to warn in. */
function notShown({ leftOut, warnings, reader }: Taken): string | undefined {
  if (!reader) return undefined;
  for (const { cause, examples } of leftOut) {
    const example = examples.find(({ value }) => isFilled(value));
    if (!example || ![...ROWS_LEFT_OUT, ...CELLS_LOST].includes(cause)) continue;
    const words = (example.value.split("|").find(isFilled) ?? "").trim().slice(0, 12);
    const place = new RegExp(`\\b(?:row|line|record)s? ${example.row}\\b`, "i");
    if (!warnings.some((warning) => warning.includes(words) || place.test(warning)))
      return [`no warning shows ${cause} of row ${example.row}:`, JSON.stringify({ example, warnings })].join(" ");
  }
  return undefined;
}

function differenceOfColumns(taken: Taken, columns: readonly Said[]): string | undefined {
  const names = taken.columns.map(({ name }) => name);
  const wanted = columns.map(({ name }) => name);
  if (JSON.stringify(names) !== JSON.stringify(wanted))
    return `columns ${JSON.stringify(names)}, not ${JSON.stringify(wanted)}`;
  const count = columns[0]?.cells.length ?? 0;
  if (taken.rows.length !== count) return `${taken.rows.length} rows, not ${count}: ${shown(taken)}`;
  for (const [at, said] of columns.entries()) {
    const type = taken.columns[at]?.type ?? "";
    if (said.isTyped && taken.reader && type === "string")
      return `${JSON.stringify(said.name)} is not proposed as ${said.as}`;
    const found = differenceOfColumn(
      said,
      type,
      taken.rows.map((row) => row[at] ?? null),
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The rows that are there, in order, are some of those expected. */
function notSubset(taken: Taken, columns: readonly Said[]): string | undefined {
  let next = 0;
  for (const row of taken.rows) {
    const from = next;
    while (next < (columns[0]?.cells.length ?? 0) && !isRow(taken, row, columns, next)) next += 1;
    if (next >= (columns[0]?.cells.length ?? 0))
      return `row ${JSON.stringify(row)} is not in the file after row ${from}`;
    next += 1;
  }
  return undefined;
}

const isRow = (
  { columns: found }: Taken,
  row: readonly (string | null)[],
  columns: readonly Said[],
  at: number,
): boolean =>
  columns.every(({ cells, means, ...said }, place) => {
    const one = { ...said, cells: [cells[at] ?? null], means: [means[at] ?? null] };
    return differenceOfColumn(one, found[place]?.type ?? "", [row[place] ?? null]) === undefined;
  });

const SHOWN_ROWS = 4;

export const shown = ({ columns, rows, warnings, reader }: Taken): string =>
  JSON.stringify({
    columns: columns.map(({ name, type }) => `${name} ${type}`),
    rows: rows.slice(0, SHOWN_ROWS),
    ...(reader && { options: reader.options, warnings }),
  });
