import type { ChartColumn } from "@/components/chart/chart-spec";
import { positionOf } from "@/components/chart/measure";
import { spanText } from "@/components/chart/span-text";
import { isInstant } from "@/components/values/value-text";
import type { BucketName } from "@/lib/engine/types/buckets";
import { partialEnds, spanEnd, spanStart, unitsOf } from "@/lib/engine/types/spans";
import { formatDay } from "@/lib/kernel/format";
import type { Column } from "@/lib/schemas/column";
import { valuesOf } from "@/lib/view/filter-values";
import type { ViewFilter } from "@/lib/view/view";

interface Partial {
  /** The starts of the spans, in milliseconds since 1970. */
  starts: number[];
  notes: string[];
}

/**
 * The first and the last span of a time column if its rows do not reach the span's first or last unit, such as the
 * first or last day of a month: by the version's extremes, or by a filter on that column.
 */
export function partialSpans(column: Column, bucket: BucketName | undefined, filters: readonly ViewFilter[]): Partial {
  const unit = bucket && unitOf(column, bucket);
  const ends = endsOf(column, filters);
  if (!bucket || !unit || !ends) return { starts: [], notes: [] };
  const { first, last } = partialEnds(ends, bucket, unit);
  const begins = first === undefined ? [] : [first];
  const stops = last === undefined ? [] : [last];
  const text = (start: number) => {
    const label = labelOf(start, column, bucket);
    return `${label.charAt(0).toUpperCase()}${label.slice(1)}`;
  };
  return {
    starts: [...new Set([...begins, ...stops])],
    notes: [
      ...begins.map((start) => `${text(start)} is incomplete: its rows begin ${timeOf(ends[0], unit)}.`),
      ...stops.map((start) => `${text(start)} is incomplete: its rows end ${timeOf(ends[1], unit)}.`),
    ],
  };
}

const isoOf = (instant: number): string => new Date(instant).toISOString();

/** `on 13 Mar 2001`, or `at 13 Mar 2001, 05:30` where rows can lack hours or minutes. */
function timeOf(instant: number, unit: BucketName): string {
  const iso = isoOf(instant);
  const isTimed = unit === "hour" || unit === "minute";
  return isTimed ? `at ${formatDay(iso)}, ${iso.slice(11, 16)} UTC` : `on ${formatDay(iso)}`;
}

function labelOf(start: number, column: ChartColumn, bucket: BucketName): string {
  const iso = isoOf(start);
  const span = spanText(iso.slice(0, 10), { ...column, span: bucket });
  return span ?? (bucket === "day" ? formatDay(iso) : `${formatDay(iso)}, ${iso.slice(11, 16)} UTC`);
}

/** The unit of a span, or the one to which all values are truncated if that is coarser, as in monthly data. */
function unitOf(column: Column, bucket: BucketName): BucketName | undefined {
  const units = unitsOf(bucket, isInstant(column.type));
  return units?.longer.findLast((span) => isTruncated(column, span)) ?? units?.unit;
}

/** Whether a column has at most one value for each span, at its start. */
function isTruncated({ profile }: Column, bucket: BucketName): boolean {
  const [low, high] = [profile.min, profile.max].map((end) => positionOf(end, "time") ?? Number.NaN);
  if (low === undefined || high === undefined || !isStart(low, bucket) || !isStart(high, bucket)) return false;
  const distinct = profile.distinct_count?.value ?? Number.POSITIVE_INFINITY;
  let spans = 1;
  for (let start = low; start < high && spans < distinct; spans++) start = spanEnd(start, bucket);
  return distinct <= spans;
}

const isStart = (instant: number, bucket: BucketName): boolean =>
  Number.isFinite(instant) && spanStart(instant, bucket) === instant;

/** From where to where rows reach in a column. */
function endsOf({ name, profile }: Column, filters: readonly ViewFilter[]): readonly [number, number] | undefined {
  let [low, high] = [profile.min, profile.max].map((end) => positionOf(end, "time") ?? Number.NaN) as [number, number];
  for (const filter of filters) {
    const { column, operator } = filter;
    if (column !== name) continue;
    const [one = Number.NaN, other = one] = valuesOf(filter).map((value) => positionOf(value, "time") ?? Number.NaN);
    if (["between", "gte", "gt"].includes(operator) && one > low) low = one;
    if (["lte", "between"].includes(operator) && other < high) high = other;
    if (operator === "lt" && one <= high) high = one - 1;
  }
  return Number.isFinite(low) && Number.isFinite(high) && low <= high ? [low, high] : undefined;
}
