import { parseColumnType } from "@/lib/engine/types/column-types";

interface NamedColumn {
  name: string;
  type: string;
}

/**
 * The numeric columns that are longitude and latitude by their names, such as `start_lon` and `start_lat`. Undefined if
 * no two belong together.
 */
export function coordinatesOf(columns: readonly NamedColumn[]): { longitude: string; latitude: string } | undefined {
  const numbers = columns.filter(({ type }) => parseColumnType(type)?.family === "numeric");
  const latitudes = new Map(numbers.flatMap(({ name }) => of(LATITUDE, name)).reverse());
  const pairs = numbers.flatMap(({ name }) => of(LONGITUDE, name)).map(([what, name]) => [name, latitudes.get(what)]);
  const [longitude, latitude] = pairs.find(([, found]) => found !== undefined) ?? [];
  return longitude !== undefined && latitude !== undefined ? { longitude, latitude } : undefined;
}

const LONGITUDE = /^(|.*_)(?:lon|lng|long|longitude)$/i;
const LATITUDE = /^(|.*_)(?:lat|latitude)$/i;

/** What the coordinate belongs to, and the column's name. */
const of = (pattern: RegExp, name: string): [what: string, name: string][] => {
  const what = pattern.exec(name)?.[1]?.toLowerCase();
  return what === undefined ? [] : [[what, name]];
};
