import { parseColumnType } from "@/lib/engine/types/column-types";

interface NamedColumn {
  name: string;
  type: string;
}

/** The columns of numbers that are longitudes and latitudes by their names; undefined where there is no pair. */
export function coordinatesOf(columns: readonly NamedColumn[]): { longitude: string; latitude: string } | undefined {
  const numbers = columns.filter(({ type }) => parseColumnType(type)?.family === "numeric");
  const longitude = numbers.find(({ name }) => /(^|_)(lon|lng|long|longitude)$/i.test(name))?.name;
  const latitude = numbers.find(({ name }) => /(^|_)(lat|latitude)$/i.test(name))?.name;
  return longitude !== undefined && latitude !== undefined ? { longitude, latitude } : undefined;
}
