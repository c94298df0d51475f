const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** By the period of updates: how late an update may be, both in days. */
const GRACES: readonly (readonly [periodDays: number, graceDays: number])[] = [
  [1, 0.25],
  [7, 1],
  [14, 2],
  [31, 5],
  [92, 14],
];

/** How late an update may be before it is missed. */
export function graceMs(periodMs: number): number {
  const row = GRACES.find(([periodDays]) => periodMs <= periodDays * DAY_MS);
  return (row?.[1] ?? 30) * DAY_MS;
}

/** How early an update may be and still count for its time: a tenth of the period, at most twelve hours. */
export const earlyMs = (periodMs: number): number => Math.min(periodMs / 10, 12 * HOUR_MS);
