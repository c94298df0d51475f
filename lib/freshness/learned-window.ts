import { activeTime, type Clock } from "./active-time";
import type { Change } from "./change-times";
import type { Confidence, UpdateWindow } from "./evidence";
import { earlyMs, graceMs } from "./grace";

const INTERVALS_MAX = 24;
const INTERVALS_MIN = 5;
const DAYS_MIN = 4;
const TESTED_MAX = 10;
const SHARE_MIN = 3 / 4;
/** Number of consecutive intervals outside the previously learned range that start a new regime. */
const REGIME = 4;
const DAY_MS = 86_400_000;

export interface Learned {
  window: UpdateWindow;
  confidence: Confidence;
  /** The share of the last intervals, at most ten, that lie within the window given by the others: from 0 to 1. */
  share: number;
  intervals: number;
}

export type NotLearned = "not_enough_history" | "no_regular_pattern";

/** An interval between two changes, in the source's active time and by the calendar. */
interface Interval {
  from: number;
  to: number;
  activeMs: number;
  calendarMs: number;
}

/** The window after the last change, learned from the intervals between earlier changes, which are ascending. */
export function learnWindow(
  changes: readonly Change[],
  zone: string,
  readingIntervalMs: number,
): Learned | { reason: NotLearned } {
  const last = changes.at(-1);
  const usable = usableIntervals(changes);
  const clock = activeTime(
    [...new Set(usable.flat())].sort((a, b) => a - b),
    zone,
  );
  const intervals = presentRegime(
    usable.slice(-INTERVALS_MAX).map((each) => intervalOf(each, clock)),
    readingIntervalMs,
  );
  const days = new Set(intervals.flatMap(({ from, to }) => [from, to]).map((at) => Math.floor(at / DAY_MS)));
  if (!last || intervals.length < INTERVALS_MIN || days.size < DAYS_MIN) return { reason: "not_enough_history" };
  const share = backTest(intervals, readingIntervalMs);
  if (share < SHARE_MIN) return { reason: "no_regular_pattern" };
  const { low, high, lateMs } = bounds(intervals, readingIntervalMs);
  const window = { earliest: clock.after(last.at, low), latest: clock.after(last.at, high) + lateMs };
  return { window, confidence: confidenceOf(intervals.length, share), share, intervals: intervals.length };
}

/** Pairs of changes whose times are known to within half the median interval. */
function usableIntervals(changes: readonly Change[]): (readonly [from: number, to: number])[] {
  const pairs = changes.slice(1).flatMap((to, at) => {
    const from = changes[at];
    return from ? [[from, to] as const] : [];
  });
  if (pairs.length === 0) return [];
  const mostMs = median(pairs.map(([from, to]) => to.at - from.at)) / 2;
  return pairs
    .filter((pair) => pair.every(({ uncertaintyMs }) => uncertaintyMs <= mostMs))
    .map(([from, to]) => [from.at, to.at] as const);
}

const intervalOf = ([from, to]: readonly [number, number], clock: Clock): Interval => ({
  from,
  to,
  activeMs: clock.between(from, to),
  calendarMs: to - from,
});

/** The intervals since the source last changed its rhythm. */
function presentRegime(intervals: readonly Interval[], readingIntervalMs: number): readonly Interval[] {
  let start = 0;
  for (let end = INTERVALS_MIN + REGIME; end <= intervals.length; end += 1) {
    const [before, newest] = [intervals.slice(start, end - REGIME), intervals.slice(end - REGIME, end)];
    if (before.length < INTERVALS_MIN) continue;
    if (newest.every((interval) => !holds(interval, before, readingIntervalMs))) start = end - REGIME;
  }
  return intervals.slice(start);
}

/** Tests each of the last intervals against the others only. */
function backTest(intervals: readonly Interval[], readingIntervalMs: number): number {
  const tested = intervals.slice(-TESTED_MAX);
  const held = tested.filter((interval) =>
    holds(
      interval,
      intervals.filter((other) => other !== interval),
      readingIntervalMs,
    ),
  );
  return held.length / tested.length;
}

/** Whether an interval lies within the window given by others, with a tolerance on the early side. */
function holds({ activeMs }: Interval, others: readonly Interval[], readingIntervalMs: number): boolean {
  const { low, high, earlierMs, lateMs } = bounds(others, readingIntervalMs);
  return activeMs >= low - earlierMs && activeMs <= high + lateMs;
}

function bounds(intervals: readonly Interval[], readingIntervalMs: number) {
  const lengths = intervals.map(({ activeMs }) => activeMs);
  const usualMs = median(intervals.map(({ calendarMs }) => calendarMs));
  return {
    low: quantile(lengths, 0.1),
    high: quantile(lengths, 0.9),
    earlierMs: Math.max(readingIntervalMs, earlyMs(median(lengths))),
    lateMs: graceMs(usualMs) + readingIntervalMs,
  };
}

function confidenceOf(intervals: number, share: number): Confidence {
  if (intervals >= 12 && share >= 0.9) return "high";
  return intervals >= 6 ? "medium" : "low";
}

/**
 * A quantile by linear interpolation between order statistics (Hyndman and Fan's type 7), rounded to the millisecond.
 * Needs at least one value.
 */
function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const [below = 0, above = below] = sorted.slice(Math.floor(place), Math.floor(place) + 2);
  return Math.round(below + (place - Math.floor(place)) * (above - below));
}

const median = (values: readonly number[]): number => quantile(values, 0.5);
