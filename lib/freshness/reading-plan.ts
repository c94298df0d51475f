import type { UpdateWindow } from "./evidence";
import { graceMs } from "./grace";
import { later, promised, type Schedule, Ticks } from "./ticks";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;

/** Without a schedule no readings are planned, and a reading is old after an hour. */
const UNSCHEDULED_MS = HOUR_MS / 2;

interface Spacing {
  /** The longest period that it applies to. */
  periodMs: number;
  openMs: number;
  /** If absent, sources are read only at the ticks. */
  closedMs?: number;
}

/** Time between readings while an update may arrive, and before that. */
const SPACINGS: readonly Spacing[] = [
  { periodMs: DAY_MS, openMs: HOUR_MS },
  { periodMs: WEEK_MS, openMs: 3 * HOUR_MS, closedMs: DAY_MS },
];
const LONG: Spacing = { periodMs: Number.POSITIVE_INFINITY, openMs: 12 * HOUR_MS, closedMs: WEEK_MS };
/** Periods up to this length are read at their ticks, and once more in between. */
const SHORT_MS = 6 * HOUR_MS;

const spacingOf = (periodMs: number): Spacing => SPACINGS.find((each) => periodMs <= each.periodMs) ?? LONG;

/**
 * When sources are read next after an instant: at the next tick, and between ticks as `read_every` says or, if an
 * update is promised, more often the closer its window is.
 */
export function nextRead(schedule: Schedule, window: UpdateWindow | null, at: number): number {
  const ticks = new Ticks(schedule);
  const tick = ticks.after(at);
  if (schedule.read_every !== undefined) {
    const { days: _days, skip_dates: _skipped, ...plain } = schedule;
    return Math.min(tick, new Ticks({ ...plain, every: schedule.read_every }).after(at));
  }
  return Math.min(tick, between(schedule, ticks, window, at) ?? tick);
}

function between(schedule: Schedule, ticks: Ticks, window: UpdateWindow | null, at: number): number | undefined {
  if (schedule.expected_by === undefined) return undefined;
  const { periodMs } = ticks;
  const isOpen = window !== null && window.earliest <= at && (at <= window.latest || isAwaited(schedule, ticks, at));
  if (periodMs <= SHORT_MS) return isOpen ? halfGraceAfter(schedule, ticks, at) : undefined;
  const { openMs, closedMs } = spacingOf(periodMs);
  if (isOpen) return at + openMs;
  if (closedMs === undefined) return undefined;
  if (closedMs < WEEK_MS) return at + closedMs;
  const daily = ticks.after(at) - WEEK_MS; // from a week before the tick
  return at < daily ? Math.min(at + WEEK_MS, daily) : at + DAY_MS;
}

/** After a missed tick, later ones are still awaited, so that their updates are detected as soon as usual. */
function isAwaited(schedule: Schedule, ticks: Ticks, at: number): boolean {
  const { last } = ticks.around(at);
  if (last === undefined || schedule.expected_by === undefined) return false;
  const due = promised(last, schedule.expected_by, schedule.time_zone);
  return at <= due + (schedule.grace === undefined ? graceMs(ticks.periodMs) : later(due, schedule.grace) - due);
}

/** Short periods are read once more, after half of the publisher's grace. */
function halfGraceAfter(schedule: Schedule, ticks: Ticks, at: number): number | undefined {
  const { last } = ticks.around(at);
  if (last === undefined) return undefined;
  const grace = schedule.grace === undefined ? graceMs(ticks.periodMs) : later(last, schedule.grace) - last;
  const again = last + grace / 2;
  return again > at ? again : undefined;
}

/** How long after a reading the next one is planned. */
export const nextReadMs = (schedule: Schedule | null, window: UpdateWindow | null, readAt: number): number =>
  schedule ? nextRead(schedule, window, readAt) - readAt : UNSCHEDULED_MS;

/** Time between readings while an update is expected, which is how late an update may be detected. */
export function readingIntervalMs(schedule: Schedule | null): number {
  if (!schedule) return UNSCHEDULED_MS;
  const { periodMs } = new Ticks(schedule);
  if (schedule.read_every !== undefined)
    return Math.min(periodMs, new Ticks({ ...schedule, every: schedule.read_every }).periodMs);
  if (schedule.expected_by === undefined || periodMs <= SHORT_MS) return periodMs;
  return spacingOf(periodMs).openMs;
}
