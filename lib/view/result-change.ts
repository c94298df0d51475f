import { columnTypeOf } from "@/lib/engine/types/column-types";
import { compareNumbers, parseExact } from "@/lib/engine/types/exact-number";
import { stringifyExactJson } from "@/lib/formats/exact-json";
import { shortFraction } from "@/lib/kernel/format";
import {
  type ResultChange,
  type ResultRow,
  type ShownResult,
  type Threshold,
  TOLD_ROWS_MAX,
  type ViewResult,
} from "@/lib/schemas/view-result";

/**
 * What differs between two results of a view; undefined if nothing does. Values are equal as numbers (1.0 is 1, and −0
 * is 0), null equals null and NaN equals NaN, however large or precise they are. Rows are matched by their keys;
 * without keys each is either in both results or not. Their order counts if the view has one, except among rows that it
 * does not order.
 */
export function resultChange(before: ViewResult, after: ViewResult): ResultChange | undefined {
  const [old, now] = [namesOf(before), namesOf(after)];
  const columns_added = now.filter((name) => !old.includes(name));
  const columns_removed = old.filter((name) => !now.includes(name));
  const common = now.filter((name) => old.includes(name));
  const keys = commonKeys(before, after);
  const rows = keys ? changedByKey(before, after, keys, common) : changedAlone(before, after, common);
  const isSame = rows.length + columns_added.length + columns_removed.length === 0;
  const reordered = isSame && orderOf(before, common) !== orderOf(after, common);
  if (isSame && !reordered) return undefined;
  return { keys, columns_added, columns_removed, reordered, ...told(rows) };
}

/**
 * What a threshold tells of two results: rows that meet it now and did not before; if there are none and no row meets
 * it any more, those that did. Undefined while neither is the case.
 */
export function thresholdChange(
  before: ViewResult,
  after: ViewResult,
  threshold: Threshold,
): (ResultChange & { isMet: boolean }) | undefined {
  const keys = commonKeys(before, after);
  const names = keys ?? namesOf(after).filter((name) => namesOf(before).includes(name));
  const nameOf = (row: ResultRow) => valuesText(row, names);
  const [old, now] = [before, after].map((result) => result.rows.filter((row) => meets(row, threshold)));
  const [metBefore, metNow] = [old ?? [], now ?? []];
  const known = new Set(metBefore.map(nameOf));
  const crossed = metNow.filter((row) => !known.has(nameOf(row)));
  const about = { keys, columns_added: [], columns_removed: [], reordered: false };
  if (crossed.length > 0) {
    const found = new Map(before.rows.map((row) => [nameOf(row), row]));
    const rows = crossed.map((row) => ({ before: found.get(nameOf(row)) ?? null, after: row }));
    return { ...about, ...told(rows), isMet: true };
  }
  if (metBefore.length === 0 || metNow.length > 0) return undefined;
  const found = new Map(after.rows.map((row) => [nameOf(row), row]));
  const rows = metBefore.map((row) => ({ before: row, after: found.get(nameOf(row)) ?? null }));
  return { ...about, ...told(rows), isMet: false };
}

/** Whether a row's value is beyond a threshold, to the last digit. Null and NaN never are. */
function meets(row: ResultRow, { column, is, value }: Threshold): boolean {
  const cell = row[column];
  if (cell === null || cell === undefined) return false;
  const text = String(cell);
  const compared = text === "Infinity" ? 1 : text === "-Infinity" ? -1 : compareNumbers(text, value);
  return compared !== undefined && (is === "above" ? compared > 0 : compared < 0);
}

const CELL_MAX = 80;
const SHOWN_ROWS_MAX = 5;

/** The first rows of a result as strings. */
export const shownResult = ({ columns, rows }: ViewResult): ShownResult => ({
  columns: columns.map(({ name }) => name),
  rows: rows.slice(0, SHOWN_ROWS_MAX).map((row) => columns.map(({ name }) => cellText(row[name]))),
  total_rows: rows.length,
});

function cellText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  const text = typeof value === "string" ? value : shortFraction(stringifyExactJson(value));
  return text.length > CELL_MAX ? `${text.slice(0, CELL_MAX)}…` : text;
}

/** The columns of a result that a threshold may be of. */
export const numericColumns = (columns: ViewResult["columns"]): string[] =>
  columns.filter((column) => columnTypeOf(column).number !== undefined).map(({ name }) => name);

const namesOf = ({ columns }: ViewResult): string[] => columns.map(({ name }) => name);

/** The keys by which rows of both results can be matched, or null. */
function commonKeys(before: ViewResult, after: ViewResult): readonly string[] | null {
  const { keys } = after;
  if (keys === null || before.keys === null) return null;
  if (before.keys.length !== keys.length || keys.some((name) => !before.keys?.includes(name))) return null;
  return [before, after].every(({ rows }) => new Set(rows.map((row) => valuesText(row, keys))).size === rows.length)
    ? keys
    : null;
}

type Changed = ResultChange["rows"][number];

function changedByKey(before: ViewResult, after: ViewResult, keys: readonly string[], common: readonly string[]) {
  const left = new Map(before.rows.map((row) => [valuesText(row, keys), row]));
  const changed: Changed[] = [];
  const added: Changed[] = [];
  for (const row of after.rows) {
    const key = valuesText(row, keys);
    const old = left.get(key);
    left.delete(key);
    if (!old) added.push({ before: null, after: row });
    else if (valuesText(old, common) !== valuesText(row, common)) changed.push({ before: old, after: row });
  }
  return [...changed, ...added, ...[...left.values()].map((row) => ({ before: row, after: null }))];
}

/** Rows of one result that the other lacks, each as often as it does. */
function changedAlone(before: ViewResult, after: ViewResult, common: readonly string[]): Changed[] {
  const counts = new Map<string, number>();
  for (const row of before.rows) add(counts, valuesText(row, common), 1);
  const added: Changed[] = [];
  for (const row of after.rows) {
    const text = valuesText(row, common);
    if ((counts.get(text) ?? 0) > 0) add(counts, text, -1);
    else added.push({ before: null, after: row });
  }
  const removed = before.rows.flatMap((row) => {
    const text = valuesText(row, common);
    if ((counts.get(text) ?? 0) === 0) return [];
    add(counts, text, -1);
    return [{ before: row, after: null }];
  });
  return [...added, ...removed];
}

const add = (counts: Map<string, number>, key: string, by: number) => counts.set(key, (counts.get(key) ?? 0) + by);

const told = (rows: readonly Changed[]) => ({
  added: rows.filter(({ before }) => before === null).length,
  removed: rows.filter(({ after }) => after === null).length,
  changed: rows.filter(({ before, after }) => before !== null && after !== null).length,
  rows: rows.slice(0, TOLD_ROWS_MAX),
});

/**
 * The rows in their order, as one string; those between which the view does not decide are sorted. Nothing if the order
 * means nothing.
 */
function orderOf({ rows, order }: ViewResult, common: readonly string[]): string {
  if (order === null) return "";
  const isShown = order.every((name) => common.includes(name));
  const ties: { by: string; texts: string[] }[] = [];
  for (const row of rows) {
    const by = isShown ? valuesText(row, order) : String(ties.length);
    const last = ties.at(-1);
    if (last?.by === by) last.texts.push(valuesText(row, common));
    else ties.push({ by, texts: [valuesText(row, common)] });
  }
  return JSON.stringify(ties.flatMap(({ texts }) => texts.sort()));
}

/** Some values of a row as one string: equal values have equal strings. */
const valuesText = (row: ResultRow, names: readonly string[]): string =>
  JSON.stringify(names.map((name) => plain(row[name])));

/** A value in a form in which equal numbers are equal. */
function plain(value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (Array.isArray(value)) return { list: value.map(plain) };
  const number = parseExact(String(value));
  if (number) return [`${number.coefficient}e${number.exponent}`];
  const entries = Object.entries(value as object).map(([name, own]) => [name, plain(own)]);
  return { struct: entries };
}
