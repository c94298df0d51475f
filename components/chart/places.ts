import type { ChartColumn, ChartSpec } from "./chart-spec";
import { measureOf } from "./measure";

/** A map of the columns that are longitudes and latitudes by their names; undefined where there are none. */
export function placesOf(columns: readonly ChartColumn[]): ChartSpec | undefined {
  const numbers = columns.filter(({ type }) => measureOf(type) === "number");
  const x = numbers.find(({ name }) => /(^|_)(lon|lng|long|longitude)$/i.test(name));
  const y = numbers.find(({ name }) => /(^|_)(lat|latitude)$/i.test(name));
  return x && y && { kind: "map", x: x.name, y: y.name };
}
