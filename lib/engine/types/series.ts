import { BUCKETS, type BucketName } from "./buckets";
import type { ColumnType } from "./column-type";
import type { Series } from "./derivations";
import { widthPlaceSql } from "./widths";

/** A group of a grouped result, as SQL over its columns. */
export interface SeriesGroup {
  /** The group's value. */
  value: string;
  /** What its rows are grouped by: the band, for bands of floats, several of which may have the same edge. */
  key: string;
  /** The type of the column that it is of, and that of its value. */
  column: ColumnType;
  result: ColumnType;
  bucket?: BucketName | undefined;
  width?: string | undefined;
}

/** Whether groups are bands of floats. */
export const isOfBands = ({ column, width }: Pick<SeriesGroup, "column" | "width">): boolean =>
  width !== undefined && column.number?.isFloat === true;

/** SQL of a group's place in its order: null for null, NaN and infinities. */
export function placeOf({
  value,
  key,
  width,
  bucket,
  column,
  result,
}: SeriesGroup): Pick<Series, "place" | "isSpaced"> {
  const spaced = width === undefined ? bucket && BUCKETS[bucket].place?.(value) : widthPlaceSql(key, width, column);
  if (spaced !== undefined) return { place: `(${spaced})`, isSpaced: true };
  const own = result.number?.isFloat ? `CASE WHEN isfinite(${value}) THEN ${value} END` : value;
  return { place: own, isSpaced: false };
}

/**
 * The groups that differ in one of them alone, in its order. Those without a place in it are a series each. `named` is
 * the column that has the places, if there is one.
 */
export function seriesSql(over: SeriesGroup, groups: readonly SeriesGroup[], named?: string): Series {
  const { place = "", isSpaced } = { ...placeOf(over), ...(named && { place: named }) };
  const others = groups.filter((group) => group !== over).map((group) => group.key);
  const apart = over.result.number?.isFloat ? [`CASE WHEN ${place} IS NULL THEN ${over.value} END`] : [];
  return { among: [...others, `${place} IS NULL`, ...apart], place, isSpaced };
}
