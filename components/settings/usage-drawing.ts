/** Minimum height of a bar that is not empty, in a drawing 100 units tall. */
const BAR_MIN = 2;
const GAP = 0.24;
const WEEK = 7;
const MONTH_DAYS = 31;

/** Multiples whose half is a whole number, so that the line in the middle is one too. */
const TOPS = [2, 4, 6, 8, 10] as const;

/** The number at the top of an axis that starts at 0: round, even, and not less than any count. */
export function axisTop(counts: readonly number[]): number {
  const most = Math.max(...counts, 1);
  const power = 10 ** Math.floor(Math.log10(most));
  const step = Math.max(1, power);
  return (TOPS.find((top) => top * step >= most) ?? 10) * step;
}

/**
 * An SVG path with one bar per count in a drawing `counts.length` wide and 100 tall. A count of 0 has no bar; every
 * other count has a visible one.
 */
export function barsPath(counts: readonly number[], top: number): string {
  return counts
    .map((count, at) => (count <= 0 ? "" : barPath(at, Math.max(BAR_MIN, (Math.min(count, top) / top) * 100))))
    .join("");
}

const barPath = (at: number, tall: number): string =>
  `M${round(at + GAP / 2)} 100v${round(-tall)}h${round(1 - GAP)}v${round(tall)}z`;

const round = (value: number): number => Math.round(value * 100) / 100;

/**
 * The days labelled under a chart: every seventh day back from the last, or the first of each month if those are too
 * many.
 */
export function labelledDays(days: readonly string[]): ReadonlySet<string> {
  const last = days.length - 1;
  if (days.length <= MONTH_DAYS) return new Set(days.filter((_, at) => (last - at) % WEEK === 0));
  const room = days.length / 10; // a label too close to the last day's would overlap it
  return new Set(days.filter((day, at) => at === last || (day.endsWith("-01") && last - at > room)));
}

interface Counts {
  queries: number;
  downloads: number;
  rows: number;
  bytes: number;
}

export const NONE: Counts = { queries: 0, downloads: 0, rows: 0, bytes: 0 };

/** The sum of several counts. */
export const sumCounts = (all: readonly Counts[]): Counts =>
  all.reduce(
    (sum, { queries, downloads, rows, bytes }) => ({
      queries: sum.queries + queries,
      downloads: sum.downloads + downloads,
      rows: sum.rows + rows,
      bytes: sum.bytes + bytes,
    }),
    NONE,
  );

/** A number as a percentage of the longest bar; above zero it is always visible. */
export const barShare = (count: number, most: number): number =>
  count <= 0 || most <= 0 ? 0 : round(Math.max(1, Math.min(100, (count / most) * 100)));
