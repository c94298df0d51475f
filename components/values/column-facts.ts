import { parseColumnType } from "@/lib/engine/types/column-types";
import { formatCount, formatMeasure, formatPlural, formatShare } from "@/lib/kernel/format";
import type { Column } from "@/lib/schemas/column";
import { asNumber, isNumeric, isTemporal, valueText } from "./value-text";

/** A profile in a few words: nulls, distinct values, range, median, length. */
export function columnFacts(column: Column, rows: number): string[] {
  const { profile } = column;
  return [
    nullFact(profile.null_count, rows),
    distinctFact(column, rows),
    rangeFact(column),
    ...middleFacts(column),
    spreadFact(column),
    lengthFact(column),
    nanFact(profile.nan_count),
  ].filter((fact) => fact !== undefined);
}

function nullFact(nulls: number, rows: number): string {
  if (nulls === 0) return "no nulls";
  return nulls === rows ? "always null" : `${formatShare(nulls / rows)} null`;
}

function distinctFact({ profile }: Column, rows: number): string | undefined {
  const distinct = profile.distinct_count;
  if (!distinct || distinct.value === 0) return undefined;
  if (distinct.exact && distinct.value === rows) return "all values distinct";
  return `${distinct.exact ? "" : "about "}${formatCount(distinct.value)} distinct`;
}

function rangeFact(column: Column): string | undefined {
  if (!isNumeric(column.type) && !isTemporal(column.type)) return undefined;
  const low = valueText(column.profile.min, column);
  const high = valueText(column.profile.max, column);
  return low === null || high === null ? undefined : `${low} to ${high}`;
}

function middleFacts(column: Column): string[] {
  if (!isNumeric(column.type)) return [];
  const median = valueText(rounded(column.profile.quantiles?.p50), column);
  const mean = column.profile.mean;
  return [
    ...(median === null ? [] : [`median ${median}`]),
    ...(mean === undefined ? [] : [`mean ${formatMeasure(mean)}`]),
  ];
}

/** The range of the middle 90 % of values, unaffected by outliers. */
function spreadFact(column: Column): string | undefined {
  const { p05, p95 } = column.profile.quantiles ?? {};
  const low = valueText(rounded(p05), column);
  const high = valueText(rounded(p95), column);
  return low === null || high === null || low === high ? undefined : `90% between ${low} and ${high}`;
}

/** Interpolated quantiles have more digits than people read. */
function rounded(quantile: unknown): unknown {
  const value = asNumber(quantile);
  return value !== undefined && !Number.isInteger(value) ? Number(value.toPrecision(5)) : quantile;
}

function lengthFact({ profile, type }: Column): string | undefined {
  if (!profile.length) return undefined;
  const unit = parseColumnType(type)?.profile.length?.unit ?? "items";
  const { min, max } = profile.length;
  if (min === max) return formatPlural(min, unit.slice(0, -1));
  return `${formatCount(min)} to ${formatCount(max)} ${unit}`;
}

const nanFact = (count: number | undefined): string | undefined => (count ? `${formatCount(count)} NaN` : undefined);
