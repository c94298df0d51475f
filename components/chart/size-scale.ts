import type { ChartInput } from "./chart-data";
import { columnTitle } from "./chart-text";
import { positionOf } from "./measure";
import { extentOf } from "./position-scale";
import { shortNumber } from "./tick-text";

/** In pixels: of the smallest value, and of points without one. */
export const RADIUS_LEAST = 2;
const RADIUS_MOST = 13;

/** What the sizes of points stand for. */
export interface SizeLegend {
  title: string;
  entries: { radius: number; text: string }[];
}

export interface SizeScale {
  legend: SizeLegend;
  /** The radius of a row's point; undefined if it has no value. */
  at(row: number): number | undefined;
}

/**
 * The scale of the column that sizes points: areas are proportional to values, from zero or, with negative values, from
 * the smallest. Undefined if there is none, or if no row has a value.
 */
export function sizeScale({ size: column, rows }: ChartInput): SizeScale | undefined {
  if (!column) return undefined;
  const values = rows.map((row) => positionOf(row[column.name], "number") ?? Number.NaN);
  const ends = extentOf(values.filter(Number.isFinite));
  if (!ends) return undefined;
  const from = Math.min(0, ends[0]);
  const room = ends[1] - from;
  const radius = (value: number) => {
    const share = room > 0 && Number.isFinite(room) ? (value - from) / room : 1;
    return Math.max(RADIUS_LEAST, Math.round(Math.sqrt(share) * RADIUS_MOST * 10) / 10);
  };
  const shown = [...new Set([ends[0], (ends[0] + ends[1]) / 2, ends[1]])].filter(Number.isFinite);
  return {
    legend: {
      title: columnTitle(column),
      entries: shown.map((value) => ({ radius: radius(value), text: shortNumber(value) })),
    },
    at: (row) => {
      const value = values[row];
      return value === undefined || !Number.isFinite(value) ? undefined : radius(value);
    },
  };
}
