import { coordinatesOf } from "@/lib/formats/coordinates";
import type { ChartColumn, ChartSpec } from "./chart-spec";

/** A map of the columns whose names say longitude and latitude; undefined if there are none. */
export function placesOf(columns: readonly ChartColumn[]): ChartSpec | undefined {
  const places = coordinatesOf(columns);
  return places && { kind: "map", x: places.longitude, y: places.latitude };
}
