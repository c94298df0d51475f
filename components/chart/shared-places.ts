import { keyOf } from "./chart-data";
import type { ChartRow, ChartSpec } from "./chart-spec";

/** Whether several rows have the same place on a line or the same bar. A line through all of them would zigzag. */
export function sharesPlaces({ kind, x, series }: ChartSpec, rows: readonly ChartRow[]): boolean {
  if (kind !== "line" && kind !== "bar") return false;
  return new Set(rows.map((row) => keyOf([row[x], series === undefined ? null : row[series]]))).size < rows.length;
}
