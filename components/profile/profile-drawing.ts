import type { Profile } from "@/lib/schemas/column";

/** Minimum height of a bar that is not empty. */
const BAR_MIN = 1.5;

/**
 * An SVG path with one bar per count, left to right on the base line; empty bins leave gaps, and every other bar is
 * visible. `most` fills the full height.
 */
export function histogramPath(
  counts: readonly number[],
  width: number,
  height: number,
  most = Math.max(...counts, 0),
): string {
  if (most === 0) return "";
  const step = width / counts.length;
  const gap = step > 3 ? 1 : 0;
  return counts
    .map((count, at) =>
      barPath(at * step, step - gap, count === 0 ? 0 : Math.max(BAR_MIN, (count / most) * height), height),
    )
    .join("");
}

function barPath(left: number, width: number, tall: number, base: number): string {
  if (tall === 0) return "";
  return `M${round(left)} ${round(base)}v${round(-tall)}h${round(width)}v${round(tall)}z`;
}

const round = (value: number): number => Math.round(value * 100) / 100;

export interface Share {
  value: unknown;
  count: number;
  /** Share of all rows, including nulls: 0 to 1. */
  share: number;
}

/** If even the most frequent value is rarer than this, bars are not informative. */
const SHARE_MIN = 0.001;

/** The most frequent values with their share of all rows; none if every value is rare or unique. */
export function topShares(profile: Profile, rows: number, most: number): Share[] {
  const top = profile.top_values ?? [];
  const commonest = top[0]?.count ?? 0;
  if (rows === 0 || commonest / rows < SHARE_MIN || (top.length > 1 && commonest === 1)) return [];
  return top.slice(0, most).map(({ value, count }) => ({ value, count, share: count / rows }));
}

/** The chart that suits a column: a histogram, the most frequent values, true against false, or none. */
export function drawingOf(profile: Profile, rows: number): "histogram" | "truth" | "top" | "none" {
  if (profile.true_count !== undefined) return "truth";
  if (profile.histogram && profile.histogram.counts.length > 1) return "histogram";
  return topShares(profile, rows, 1).length > 0 ? "top" : "none";
}

/** True, false and null as shares of all rows. */
export function truthShares(profile: Profile, rows: number): { yes: number; no: number; none: number } {
  const yes = profile.true_count ?? 0;
  const none = profile.null_count;
  const whole = Math.max(rows, 1);
  return { yes: yes / whole, no: Math.max(0, rows - yes - none) / whole, none: none / whole };
}
