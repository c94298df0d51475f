import { measureOf } from "@/components/chart/measure";
import { shortestSpan } from "@/components/chart/span-lengths";
import { isTemporal } from "@/components/values/value-text";
import { BUCKETS, type BucketName, bucketsFor } from "@/lib/engine/types/buckets";
import { columnTypeOf } from "@/lib/engine/types/column-types";
import type { Column } from "@/lib/schemas/column";
import { enteredNumber } from "@/lib/view/filter-values";
import type { NamedGroup, ViewGroup } from "@/lib/view/view";
import type { Ends } from "./chart-ends";

/** How to group a column's values into at most about `most` groups, named like the column. */
export function spanGroup(column: Column, ends: Ends | undefined, most: number, step?: BucketName): ViewGroup {
  const own = column.name;
  if (!ends) return own;
  const offered = isTemporal(column.type) ? bucketsFor(columnTypeOf(column)) : [];
  if (step !== undefined && offered.includes(step)) return { column: own, bucket: step };
  if (offered.length > 0) return { column: own, bucket: shortestSpan(column, ends.max - ends.min, most) };
  if (measureOf(column.type) !== "number") return own;
  const { value = Number.POSITIVE_INFINITY } = column.profile.distinct_count ?? {};
  if (value <= most) return own;
  const width = roundStep((ends.max - ends.min) / most, isWhole(column));
  return width === undefined ? own : { column: own, width: enteredNumber(width) };
}

export const isWhole = ({ type }: Pick<Column, "type">): boolean =>
  columnTypeOf({ type }).profile.histogram === "whole";

/** The smallest round number of at least `size`, as decimal digits: `0.25` → `0.5`. Undefined where there is none. */
export function roundStep(size: number, whole: boolean): string | undefined {
  const least = whole ? Math.max(1, size) : size;
  if (!(least > 1e-12 && least < 1e15)) return undefined;
  const power = Math.floor(Math.log10(least));
  const digit = [1, 2, 5, 10].find((step) => step * 10 ** power >= least * (1 - 1e-9)) ?? 10;
  const [figure, exponent] = digit === 10 ? [1, power + 1] : [digit, power];
  return exponent >= 0 ? `${figure}${"0".repeat(exponent)}` : `0.${"0".repeat(-exponent - 1)}${figure}`;
}

/** `per month`, `in steps of 20`, `for each carrier`. */
export function spanText({ column, bucket, width }: NamedGroup): string {
  if (bucket !== undefined) return `per ${BUCKETS[bucket].english}`;
  return width === undefined ? `for each ${column}` : `in steps of ${width}`;
}
