import { fail } from "@/lib/kernel/errors";
import { coordinatesOf } from "./coordinates";
import { digitsOf, jsonOf } from "./exact-values";
import { type PageRows, type Row, rowsOf, type Value } from "./page-rows";

/**
 * RFC 7946: a feature per row, with a point from its longitude and latitude columns and all cells as properties. A row
 * without a valid place has a null geometry. Throws `not_acceptable` for a page without such columns.
 */
export function toGeoJson(page: PageRows): Buffer {
  const places = coordinatesOf(page.columns);
  if (!places)
    throw fail("not_acceptable", {
      message:
        "GeoJSON needs a longitude and a latitude column, named for example longitude and latitude. Add both to the " +
        "query, or choose another format.",
    });
  const features = rowsOf(page).map((row) => {
    const at = pointOf(row[places.longitude] ?? null, row[places.latitude] ?? null);
    const geometry = at ? `{"type":"Point","coordinates":[${at.join(",")}]}` : "null";
    return `{"type":"Feature","geometry":${geometry},"properties":${propertiesOf(row, page)}}`;
  });
  return Buffer.from(`{"type":"FeatureCollection","features":[\n${features.join(",\n")}\n]}\n`);
}

/** In the order of the page's columns. */
const propertiesOf = (row: Row, { columns }: PageRows): string =>
  `{${columns.map(({ name }) => `${JSON.stringify(name)}:${jsonOf(row[name] ?? null)}`).join(",")}}`;

/** Both coordinates with their digits; undefined if one is missing or out of range. */
function pointOf(longitude: Value, latitude: Value): readonly [string, string] | undefined {
  const [x, y] = [digitsOf(longitude), digitsOf(latitude)];
  const isPlace = longitude !== null && latitude !== null && Math.abs(Number(x)) <= 180 && Math.abs(Number(y)) <= 90;
  return isPlace ? [x, y] : undefined;
}
