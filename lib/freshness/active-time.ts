import { nextMidnight, weekdayOf } from "./ticks";

const CHANGES_MIN = 8;
const DAYS_MAX = 5;
const COVERED_MS = 28 * 86_400_000;
const DAYS_AHEAD_MAX = 20_000;

/** Measures the time between two instants, and finds the instant a given time after another. */
export interface Clock {
  between(from: number, to: number): number;
  after(from: number, lengthMs: number): number;
}

const CALENDAR: Clock = { between: (from, to) => to - from, after: (from, lengthMs) => from + lengthMs };

/**
 * The time in which a source's intervals are measured: if its changes occurred on at most five weekdays for four weeks,
 * the other days have no length. A source that changes from Monday to Friday then has intervals of exactly one day.
 */
export function activeTime(changes: readonly number[], zone: string): Clock {
  const days = new Set(changes.map((at) => weekdayOf(at, zone)));
  const covered = (changes.at(-1) ?? 0) - (changes[0] ?? 0);
  if (changes.length < CHANGES_MIN || days.size > DAYS_MAX || covered < COVERED_MS) return CALENDAR;
  return weekdaysOnly(days, zone);
}

function weekdaysOnly(days: ReadonlySet<number>, zone: string): Clock {
  const isActive = (at: number) => days.has(weekdayOf(at, zone));
  return {
    between(from, to) {
      let length = 0;
      for (let at = from; at < to; ) {
        const end = Math.min(nextMidnight(at, zone), to);
        if (isActive(at)) length += end - at;
        at = end;
      }
      return length;
    },
    after(from, lengthMs) {
      let at = from;
      let left = lengthMs;
      for (let step = 0; step < DAYS_AHEAD_MAX; step += 1) {
        const end = nextMidnight(at, zone);
        if (isActive(at)) {
          // the end of an active day is the start of the next active one
          if (left < end - at) return at + left;
          left -= end - at;
        }
        at = end;
      }
      return at;
    },
  };
}
