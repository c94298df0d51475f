import type { ChartRow } from "@/components/chart/chart-spec";
import { measureOf, positionOf } from "@/components/chart/measure";
import { isNarrowed } from "@/components/explorer/answer/answer-state";
import { columnTypeOf } from "@/lib/engine/types/column-types";
import type { Column } from "@/lib/schemas/column";
import { enteredNumber, filterOn } from "@/lib/view/filter-values";
import { isLookedUp, type View, type ViewAggregate, type ViewFilter } from "@/lib/view/view";
import { type ChartPlan, type ChartSubject, rowsOf } from "./chart-question";

/** Where a column's values lie on its axis; `low` and `high` leave out at most the outer 1 % at each end. */
export interface Ends {
  min: number;
  max: number;
  low: number;
  high: number;
}

export interface ViewEnds {
  /** Of the view. */
  rows: number;
  /** Of each column that has an axis and a value. */
  columns: ReadonlyMap<string, Ends>;
}

/** How many rows a view has and where their values lie: from the profile if no row is left out, else from a query. */
export function* endsOf({ view, columns, rows }: ChartSubject, names: readonly string[]): ChartPlan<ViewEnds> {
  const axes = columns.filter(({ name, type }) => names.includes(name) && measureOf(type) !== "category");
  const isProfiled = axes.every(({ name }) => !isLookedUp(view, name)); // profiles are of the table's own columns
  if (!isNarrowed(view) && isProfiled) return { rows, columns: withEnds(axes, profileEnds) };
  const aggregates = axes.flatMap((column, at) => endAggregates(column, at));
  const reply = yield {
    view: { ...rowsOf(view), aggregates: [{ function: "count", as: "all_rows" }, ...aggregates] },
  };
  const [row = {}] = reply.rows;
  return { rows: Number(row.all_rows ?? 0), columns: withEnds(axes, (column) => readEnds(row, column, axes)) };
}

function withEnds(axes: readonly Column[], of: (column: Column) => Ends | undefined): ReadonlyMap<string, Ends> {
  return new Map(
    axes.flatMap((column) => {
      const ends = of(column);
      return ends ? [[column.name, ends] as const] : [];
    }),
  );
}

/** The regular bins of a profile's histogram are between its 1st and 99th percentile. */
function profileEnds({ type, profile }: Column): Ends | undefined {
  const measure = measureOf(type);
  const at = (value: unknown) => positionOf(value, measure) ?? Number.NaN;
  const { edges = [], overflow } = profile.histogram ?? {};
  const outer = edges.length > 0 ? [at(edges[0]), at(edges.at(-1))] : [Number.NaN, Number.NaN];
  const [min, max] = [at(profile.min), at(profile.max)].map((end, side) =>
    Number.isFinite(end) ? end : (outer[side] ?? Number.NaN),
  );
  if (min === undefined || max === undefined || !Number.isFinite(min) || !Number.isFinite(max)) return undefined;
  return {
    min,
    max,
    low: overflow?.first ? at(edges[1]) : min,
    high: overflow?.last ? at(edges.at(-2)) : max,
  };
}

const isNumber = ({ type }: Column): boolean => columnTypeOf({ type }).number !== undefined;

function endAggregates(column: Column, at: number): ViewAggregate[] {
  const { name } = column;
  const filters = finiteFilters(column);
  const own = filters.length > 0 && { filters };
  return [
    { function: "min", column: name, ...own, as: `min_${at}` },
    { function: "max", column: name, ...own, as: `max_${at}` },
    ...(isNumber(column)
      ? [
          { function: "quantile" as const, column: name, at: enteredNumber("0.01"), ...own, as: `low_${at}` },
          { function: "quantile" as const, column: name, at: enteredNumber("0.99"), ...own, as: `high_${at}` },
        ]
      : []),
  ];
}

const FLOAT_MAX = { 32: "3.4028234e38", 64: "1.7976931348623157e308" } as const;

/** Leaves out NaN, which compares above all numbers, and infinities: no axis has a place for them. */
export function finiteFilters(column: Column): ViewFilter[] {
  const { number } = columnTypeOf(column);
  if (!number?.isFloat) return [];
  const most = FLOAT_MAX[number.bits];
  return [filterOn(column, "between", [`-${most}`, most])];
}

/** The average of a column, over the values that an axis has a place for. */
export function averageOf(column: Column, as: string): ViewAggregate {
  const filters = finiteFilters(column);
  return { function: "avg", column: column.name, ...(filters.length > 0 && { filters }), as };
}

function readEnds(row: ChartRow, column: Column, axes: readonly Column[]): Ends | undefined {
  const index = axes.indexOf(column);
  const measure = measureOf(column.type);
  const at = (name: string) => positionOf(row[`${name}_${index}`], measure) ?? Number.NaN;
  const [min, max, low, high] = [at("min"), at("max"), at("low"), at("high")];
  if (!Number.isFinite(min) || !Number.isFinite(max)) return undefined;
  return { min, max, low: Number.isFinite(low) ? low : min, high: Number.isFinite(high) ? high : max };
}

/** The part of a column's values that a chart has room for: without outliers, where they would squeeze all others. */
export function coreOf({ min, max, low, high }: Ends): readonly [number, number] {
  return low < high && (high - low) * 2 < max - min ? [low, high] : [min, max];
}

export const narrowedText = (rows: number, view: View): string =>
  (isNarrowed(view) ? "matching row" : "row") + (rows === 1 ? "" : "s");
