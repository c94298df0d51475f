import { nextEdge } from "@/lib/engine/types/bands";
import type { BucketName } from "@/lib/engine/types/buckets";
import { columnTypeOf } from "@/lib/engine/types/column-types";
import { formatScaled, parseExact } from "@/lib/engine/types/exact-number";
import { isSpan, spanEnd } from "@/lib/engine/types/spans";
import { filterOn, sameValue, valueAsText } from "@/lib/view/filter-values";
import { namedGroup, type View, type ViewFilter, type ViewGroup } from "@/lib/view/view";

/**
 * Whether filters can select the rows of one group. They cannot select one hour of all days, for example, nor the rows
 * whose list has a null item, nor a local day, of which an hour can be apart from the others. `row` is the group in the
 * result, if it is a certain one.
 */
export const leadsToRows = ({ group_by }: Pick<View, "group_by">, row?: Readonly<Record<string, unknown>>): boolean =>
  group_by.length > 0 &&
  group_by.map(namedGroup).every(({ bucket, as, zone }) => {
    if (zone !== undefined) return false;
    if (bucket === "element") return row === undefined || row[as] !== null;
    return bucket === undefined || isSpan(bucket);
  });

/**
 * The filters that select the rows of one group, null included. `value` is the group's value in a result (the start
 * of a span).
 *
 * @example groupFilters({column: "at", bucket: "month"}, "2001-06-01", "timestamp")
 *   // at gte 2001-06-01T00:00:00Z, at lt 2001-07-01T00:00:00Z
 */
export function groupFilters(group: ViewGroup, value: unknown, type: string): ViewFilter[] {
  const { column, bucket, width } = namedGroup(group);
  const low = valueAsText(value);
  if (bucket === "element") return [filterOn({ name: column, type }, "has", [low])];
  const isOwn = bucket === undefined && (width === undefined || low === "NaN" || /^-?Infinity$/.test(low));
  if (value === null || value === undefined || isOwn) return [sameValue(column, value)];
  const [from, to] =
    bucket === undefined ? [low, upperEdge(low, valueAsText(width), type)] : spanText(bucket, low, type);
  const filtered = { name: column, type };
  return [filterOn(filtered, "gte", [from]), ...(to === undefined ? [] : [filterOn(filtered, "lt", [to])])];
}

/** Both ends of a span, as values for filters of the column's type; no upper end after the year 9999. */
function spanText(bucket: BucketName, low: string, type: string): [string, string | undefined] {
  const start = new Date(low.length === 10 ? `${low}T00:00:00Z` : low);
  const next = new Date(spanEnd(start.getTime(), bucket));
  const { isInstant } = columnTypeOf({ type }).view;
  const write = (date: Date) => (isInstant ? `${date.toISOString().slice(0, 19)}Z` : date.toISOString().slice(0, 10));
  return [write(start), next.getUTCFullYear() > 9999 ? undefined : write(next)];
}

/** Where the next group begins. */
function upperEdge(low: string, width: string, type: string): string | undefined {
  const { number } = columnTypeOf({ type });
  return number?.isFloat ? nextEdge(width, number.bits, Number(low)) : sum(low, width);
}

/** The exact sum of two decimal numbers. */
function sum(a: string, b: string): string | undefined {
  const [x, y] = [parseExact(a), parseExact(b)];
  if (!x || !y) return undefined;
  const exponent = Math.min(x.exponent, y.exponent);
  const scaled = [x, y].map((number) => number.coefficient * 10n ** BigInt(number.exponent - exponent));
  const total = (scaled[0] ?? 0n) + (scaled[1] ?? 0n);
  return exponent > 0 ? String(total * 10n ** BigInt(exponent)) : formatScaled(total, -exponent);
}
