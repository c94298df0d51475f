import { measureOf, positionOf } from "@/components/chart/measure";
import { isInstant, isNumeric, valueText } from "@/components/values/value-text";
import { parseColumnType } from "@/lib/engine/types/column-types";
import type { Column } from "@/lib/schemas/column";
import { filterOn, textsOf, valuesOf } from "@/lib/view/filter-values";
import type { ViewFilter } from "@/lib/view/view";

/** Neighbouring bins of a histogram, from the first to the last, inclusive. */
export interface BinRange {
  first: number;
  last: number;
}

/** How many rows fall into these bins. */
export function countIn({ profile }: Column, { first, last }: BinRange): number {
  return (profile.histogram?.counts ?? []).slice(first, last + 1).reduce((sum, count) => sum + count, 0);
}

/** The bins, merged evenly until there are at most `most` (at least 3). Bins of outliers remain separate. */
export function joinedBins({ profile }: Column, most: number): BinRange[] {
  const { counts = [], overflow } = profile.histogram ?? {};
  const [start, end] = [overflow?.first ? 1 : 0, counts.length - (overflow?.last ? 1 : 0)];
  const ends = start + counts.length - end;
  const step = Math.max(1, Math.ceil((end - start) / Math.max(1, most - ends)));
  const regular = Array.from({ length: Math.ceil((end - start) / step) }, (_, at) => ({
    first: start + at * step,
    last: Math.min(end, start + (at + 1) * step) - 1,
  }));
  const alone = (bin: number) => ({ first: bin, last: bin });
  return [...(overflow?.first ? [alone(0)] : []), ...regular, ...(overflow?.last ? [alone(end)] : [])];
}

interface Ends {
  low: string;
  /** The greatest value inside, if there is one, else the first outside. */
  high: string;
  isClosed: boolean;
}

/** Whole numbers and days have a greatest value below an edge; the last bin includes its edge. */
function endsOf({ type, profile }: Column, { first, last }: BinRange): Ends | undefined {
  const edges = profile.histogram?.edges ?? [];
  const [low, high] = [edges[first], edges[last + 1]];
  if (low === undefined || high === undefined) return undefined;
  const isLast = last + 2 === edges.length;
  const cut = cutOf(type);
  if (cut === "whole") return { low: String(low), high: String(BigInt(String(high)) - 1n), isClosed: true };
  if (cut === "day" && !isLast) return { low: String(low), high: dayBefore(String(high)), isClosed: true };
  return { low: String(low), high: String(high), isClosed: isLast };
}

const cutOf = (type: string) => parseColumnType(type)?.profile.histogram;

function dayBefore(day: string): string {
  const before = new Date(Date.parse(day) - 86_400_000);
  return Number.isNaN(before.getTime()) ? day : before.toISOString().slice(0, -14);
}

/** The filters that match exactly the rows of these bins. */
export function binFilters(column: Column, range: BinRange): ViewFilter[] {
  const ends = endsOf(column, range);
  if (!ends) return [];
  const { low, high, isClosed } = ends;
  if (low === high) return [filterOn(column, "eq", [low])];
  return isClosed
    ? [filterOn(column, "between", [low, high])]
    : [filterOn(column, "gte", [low]), filterOn(column, "lt", [high])];
}

/** The filter of a drawn range: both visible ends are included. */
export function brushFilters(column: Column, range: BinRange): ViewFilter[] {
  const ends = endsOf(column, range);
  return ends ? [filterOn(column, "between", [ends.low, ends.high])] : [];
}

/**
 * Bins as text: `10 to 19`, `0.5 to under 1`, `2001-01-01 to 2001-01-31`; for outliers: `below -20`, `120 and above`.
 */
export function binText(column: Column, range: BinRange): string {
  const ends = endsOf(column, range);
  if (!ends) return "";
  const { edges = [], overflow } = column.profile.histogram ?? {};
  if (overflow?.first && range.last === 0) return `below ${edgeText(edges[1], column)}`;
  if (overflow?.last && range.first === edges.length - 2) return `${edgeText(edges.at(-2), column)} and above`;
  const text = (end: string) => edgeText(isNumeric(column.type) ? Number(end) : end, column);
  if (ends.low === ends.high) return text(ends.low);
  return `${text(ends.low)} to ${ends.isClosed ? "" : "under "}${text(ends.high)}`;
}

/** What the drawing spans, at its two ends: `-20` and `120`, with outliers `< -20` and `≥ 120`. */
export function spanTexts(column: Column): [low: string, high: string] {
  const { edges = [], overflow } = column.profile.histogram ?? {};
  return [
    overflow?.first ? `< ${edgeText(edges[1], column)}` : edgeText(edges[0], column),
    overflow?.last ? `≥ ${edgeText(edges.at(-2), column)}` : edgeText(edges.at(-1), column),
  ];
}

/** An edge as short as the drawing: instants to the minute, midnight as its day. */
export function edgeText(edge: unknown, column: Column): string {
  const text = valueText(edge, column) ?? "";
  return isInstant(column.type) ? text.slice(0, 16).replace(/ 00:00$/, "") : text;
}

/**
 * The position of a value among the bins: 0 is the first edge, 1 the second; undefined for values without a position.
 */
export function binPosition({ type, profile }: Column, value: unknown): number | undefined {
  const measure = measureOf(type);
  const edges = (profile.histogram?.edges ?? []).map((edge) => positionOf(edge, measure) ?? Number.NaN);
  const at = positionOf(value, measure);
  if (at === null || Number.isNaN(at) || edges.length < 2) return undefined;
  const after = edges.findIndex((edge) => edge > at);
  if (after === 0) return 0;
  if (after < 0) return edges.length - 1;
  const [low = 0, high = 1] = [edges[after - 1], edges[after]];
  return after - 1 + (at - low) / (high - low);
}

/** The bins that a column's filters match at least partly; undefined if no filter bounds it. */
export function filteredBins(column: Column, filters: readonly ViewFilter[]): BinRange | undefined {
  const bins = column.profile.histogram?.counts.length ?? 0;
  const bounds = filters.filter(({ column: name }) => name === column.name).map((filter) => boundsOf(column, filter));
  const lows = bounds.flatMap(({ low }) => low ?? []);
  const highs = bounds.flatMap(({ high }) => high ?? []);
  if (lows.length + highs.length === 0) return undefined;
  const first = clamp(Math.max(...lows, 0), bins);
  return { first, last: Math.max(first, clamp(Math.min(...highs, bins - 1), bins)) };
}

/** Whether the column's filters match entire bins: there are none, or a click or a drawn range created them. */
export function isBins(column: Column, range: BinRange, filters: readonly ViewFilter[]): boolean {
  const own = filters.filter(({ column: name }) => name === column.name);
  const made = [[], binFilters(column, range), brushFilters(column, range)];
  return made.some((those) => JSON.stringify(those.map(plain)) === JSON.stringify(own.map(plain)));
}

const plain = (filter: ViewFilter) => [filter.operator, textsOf(filter)];

/** The first and the last bin that a filter touches. */
function boundsOf(column: Column, filter: ViewFilter): { low?: number; high?: number } {
  const { operator } = filter;
  const [first, last = first] = valuesOf(filter).map((value) => binPosition(column, value));
  if (first === undefined || last === undefined) return {};
  const low = Math.floor(first);
  const high = lastTouched(last, isOpenEnded(column));
  if (operator === "between" || operator === "eq") return { low, high };
  if (operator === "gte" || operator === "gt") return { low };
  if (operator === "lte") return { high };
  return operator === "lt" ? { high: lastTouched(last, true) } : {};
}

const clamp = (bin: number, bins: number): number => Math.max(0, Math.min(bins - 1, bin));

/** A real number may lie exactly on an edge, which then ends the drawn range without adding a bin. */
const isOpenEnded = ({ type }: Column): boolean => cutOf(type) !== "whole" && cutOf(type) !== "day";

const lastTouched = (position: number, isOpen: boolean): number =>
  isOpen ? Math.max(0, Math.ceil(position) - 1) : Math.floor(position);
