import { isNameLike } from "@/components/values/value-text";
import { columnTypeOf } from "@/lib/engine/types/column-types";
import type { Column } from "@/lib/schemas/column";
import { SERIES_MAX } from "./chart-data";
import type { ChartSpec } from "./chart-spec";
import { measureOf, positionOf } from "./measure";
import { placesOf } from "./places";
import { countStep } from "./span-lengths";

/** As many bars of categories as are readable. */
const CATEGORIES_MAX = 30;
/** If one value has more than this share, there is nothing to compare. */
const SHARE_MAX = 0.95;
/** If one day has more than this share, a chart over time is one spike. */
const SPIKE_MAX = 0.5;
/** A column with more nulls than this says little about its table. */
const NULLS_MAX = 0.5;
/** Columns that vary almost as much as the best one: the earlier of them is probably more important. */
const NEAR_BEST = 0.7;

/**
 * A chart worth looking at of a table's rows, by the kinds of its columns: places on a map, a measurement over time,
 * measurements against each other, else how many rows there are over time or of each kind. Undefined if nothing varies.
 */
export function tableChart(columns: readonly Column[], rows: number): ChartSpec | undefined {
  if (rows < 2) return undefined;
  const quantities = quantitiesOf(columns, rows);
  const kinds = columns.filter((column) => isKind(column, rows));
  const time = columns.find((column) => isTime(column, rows));
  const [best] = measurementsOf(columns, rows);
  const places = placesOf(columns);
  if (places) return { ...places, ...(best && { series: best.name }) };
  return (
    (time && overTime(time, best, kinds, rows)) ??
    againstEachOther(quantities, kinds) ??
    ofKinds(kinds) ??
    (best && { kind: "histogram", x: best.name, y: "" })
  );
}

/** The measurement over time if each time has one row, at least of each kind; else the number of rows. */
function overTime(time: Column, best: Column | undefined, kinds: readonly Column[], rows: number): ChartSpec {
  const times = distinctOf(time);
  const x = { x: time.name };
  if (best && isRegular(time)) {
    if (times === rows) return { kind: "line", ...x, y: best.name };
    const series = kinds.find((kind) => distinctOf(kind) <= SERIES_MAX && times * distinctOf(kind) === rows);
    if (series) return { kind: "line", ...x, y: best.name, series: series.name };
  }
  return { ...countStep(time, rows), ...x, y: "" };
}

function againstEachOther(quantities: readonly Column[], kinds: readonly Column[]): ChartSpec | undefined {
  const [x, y] = quantities;
  const series = kinds.find((kind) => distinctOf(kind) <= SERIES_MAX);
  return x && y && { kind: "scatter", x: x.name, y: y.name, ...(series && { series: series.name }) };
}

const ofKinds = ([kind]: readonly Column[]): ChartSpec | undefined => kind && { kind: "bar", x: kind.name, y: "" };

/** The number of distinct values; many if it is not known. */
const distinctOf = ({ type, profile }: Column): number =>
  columnTypeOf({ type }).family === "boolean" ? 2 : (profile.distinct_count?.value ?? Number.POSITIVE_INFINITY);

const isPresent = ({ profile }: Column, rows: number): boolean => profile.null_count <= rows * NULLS_MAX;

/** The share of the most frequent value. */
function topShare({ type, profile }: Column, rows: number): number {
  const isBoolean = columnTypeOf({ type }).family === "boolean";
  const { true_count: yes = 0, null_count: nulls, top_values: top = [] } = profile;
  return (isBoolean ? Math.max(yes, rows - nulls - yes) : (top[0]?.count ?? 0)) / Math.max(1, rows - nulls);
}

/** Whether rows can be told apart by a few values, each of which many rows have. */
function isKind(column: Column, rows: number): boolean {
  const distinct = distinctOf(column);
  const { family } = columnTypeOf(column);
  return (
    (family === "text" || family === "boolean") &&
    isPresent(column, rows) &&
    distinct >= 2 &&
    distinct <= Math.min(CATEGORIES_MAX, rows / 2) &&
    topShare(column, rows) <= SHARE_MAX
  );
}

const isTime = (column: Column, rows: number): boolean =>
  measureOf(column.type) === "time" &&
  isPresent(column, rows) &&
  distinctOf(column) > 2 &&
  topShare(column, rows) <= SPIKE_MAX;

/** Whether as many rows are in each part of the time: measurements, not events. */
export function isRegular({ profile }: Column): boolean {
  const { counts = [] } = profile.histogram ?? {};
  const inner = counts.slice(1, -1);
  const mean = inner.reduce((sum, count) => sum + count, 0) / Math.max(1, inner.length);
  return inner.every((count) => count >= mean / 2 && count <= mean * 2);
}

/** Numbers that measure something, rather than name or number it; those with a unit or with fractions come first. */
function quantitiesOf(columns: readonly Column[], rows: number): Column[] {
  const places = placesOf(columns);
  const numbers = columns.filter(
    (column) =>
      measureOf(column.type) === "number" &&
      isPresent(column, rows) &&
      !isNameLike(column.name) &&
      column.name !== places?.x &&
      column.name !== places?.y &&
      variationOf(column) > 0,
  );
  const measured = numbers.filter((column) => column.unit || columnTypeOf(column).profile.histogram !== "whole");
  return measured.length > 0 ? measured : numbers.filter(isSparse);
}

/** Whole numbers that leave most of their range out are amounts; others are ranks, parts of versions and the like. */
function isSparse({ profile }: Column): boolean {
  const [low, high] = [profile.min, profile.max].map((end) => positionOf(end, "number") ?? 0) as [number, number];
  return (profile.distinct_count?.value ?? 0) * 2 < high - low;
}

/** What a table measures: the column with the most variation first, or an earlier one that varies almost as much. */
export function measurementsOf(columns: readonly Column[], rows: number): Column[] {
  const quantities = quantitiesOf(columns, rows);
  const most = Math.max(...quantities.map(variationOf), 0);
  const near = quantities.filter((column) => variationOf(column) >= most * NEAR_BEST);
  return [...near, ...quantities.filter((column) => !near.includes(column))];
}

/** How much of a column's range the middle half of its values takes up; 0 if most of them are equal. */
function variationOf({ profile }: Column): number {
  const at = (value: unknown) => positionOf(value, "number") ?? Number.NaN;
  const share = (at(profile.quantiles?.p75) - at(profile.quantiles?.p25)) / (at(profile.max) - at(profile.min));
  return Number.isFinite(share) ? share : 0;
}
