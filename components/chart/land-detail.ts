import type { ChartRow, ChartSpec } from "./chart-spec";
import type { LandDetail } from "./land";
import { positionOf } from "./measure";
import { extentOf } from "./position-scale";

/** Above this many degrees of longitude, coarse outlines are good enough. */
const WORLD_MIN = 100;

/** How fine the outlines of a map need to be. */
export function detailFor({ x }: ChartSpec, rows: readonly ChartRow[]): LandDetail {
  const longitudes = rows.map((row) => positionOf(row[x], "number") ?? Number.NaN).filter(Number.isFinite);
  const [west, east] = extentOf(longitudes) ?? [0, 0];
  return east - west > WORLD_MIN ? "world" : "region";
}
