import { Temporal } from "temporal-polyfill";
import { secondsOf } from "@/lib/kernel/duration-text";
import type { Refresh } from "@/lib/schemas/recipe";

const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
/** More than a year of days, without a day that a schedule allows. */
const MOVES_MAX = 400;
/** How many ticks before the likely one a search begins: months differ. */
const NEAR = 3;
const DAY_MS = 86_400_000;
const DAY_SECONDS = 86_400;
const WEEK_SECONDS = 7 * DAY_SECONDS;

export type Schedule = Refresh & { anchor: string };

/**
 * The ticks of a schedule: the anchor plus whole multiples of `every`, by the calendar of its zone. They are always
 * computed from the anchor, so that the 31st returns after shorter months. Local times that do not exist move by the
 * gap; of ambiguous ones, the first counts.
 */
export class Ticks {
  readonly #anchor: Temporal.PlainDateTime;
  readonly #anchorMs: number;
  readonly #every: Temporal.Duration;
  /**
   * The length of the first `every`, by the calendar at the anchor: 28 days for a month in February, but always 24
   * hours for a day.
   */
  readonly periodMs: number;
  /** The mean length of `every`, by which ticks many years after the anchor are found. */
  readonly #meanMs: number;
  /** Whether a tick on another day than `days` is left out; otherwise it is moved. */
  readonly #leavesOut: boolean;

  constructor(private readonly schedule: Schedule) {
    this.#anchor = Temporal.PlainDateTime.from(schedule.anchor);
    this.#anchorMs = this.#anchor.toZonedDateTime(schedule.time_zone).epochMilliseconds;
    this.#every = Temporal.Duration.from(schedule.every);
    this.periodMs = this.#anchor.until(this.#anchor.add(this.#every)).total("milliseconds");
    this.#meanMs = secondsOf(schedule.every) * 1000;
    this.#leavesOut = this.periodMs < 6.5 * DAY_MS && reachesEveryWeekday(secondsOf(schedule.every));
  }

  /** The last tick at or before an instant and the next one after it, as milliseconds; none before the first. */
  around(at: number): { last: number | undefined; next: number } {
    const likely = this.#countAt(at);
    const near = this.#search(at, likely - NEAR);
    if (near.last !== undefined) return near;
    const before = this.#leavesOut ? this.#search(at, this.#countAt(this.#lastDayEnd(at)) - NEAR) : near;
    return before.last === undefined ? this.#search(at, likely - this.#back) : before; // those near may all be left out
  }

  #countAt(at: number): number {
    return Math.floor((at - this.#anchorMs) / this.#meanMs);
  }

  #search(at: number, from: number): { last: number | undefined; next: number } {
    let last: number | undefined;
    for (let count = Math.max(0, from); ; ) {
      const tick = this.#tick(count);
      count += tick === undefined ? this.#leftOut(count) : 1;
      if (tick === undefined) continue;
      if (tick > at) return { last, next: tick };
      last = tick;
    }
  }

  /** The end of the last day before an instant's that is one of `days`. */
  #lastDayEnd(at: number): number {
    let day = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(this.schedule.time_zone).toPlainDate();
    for (let back = 1; back < 7 && !this.#isOnDay(day.subtract({ days: 1 })); back += 1)
      day = day.subtract({ days: 1 });
    return day.toZonedDateTime(this.schedule.time_zone).epochMilliseconds;
  }

  /** From a tick that is left out, how many ticks certainly lie before the next of `days`; at least itself. */
  #leftOut(count: number): number {
    const place = this.#plain(count);
    let day = place.toPlainDate().add({ days: 1 });
    for (let ahead = 1; ahead < 7 && !this.#isOnDay(day); ahead += 1) day = day.add({ days: 1 });
    const leftMs = day.toZonedDateTime(this.schedule.time_zone).epochMilliseconds - place.epochMilliseconds;
    return Math.max(1, Math.floor(leftMs / this.#meanMs) - 1);
  }

  /** The first tick after another. */
  after(tick: number): number {
    return this.around(tick).next;
  }

  /** How many ticks before the likely one the last may be: moved ticks are up to MOVES_MAX days after their place. */
  get #back(): number {
    const isMoved = (this.schedule.days ?? this.schedule.skip_dates) !== undefined;
    return NEAR + (isMoved ? Math.ceil((MOVES_MAX * DAY_MS) / this.periodMs / 40) + 8 : 0);
  }

  /** A tick on an allowed day; undefined if it is left out. */
  #tick(count: number): number | undefined {
    const place = this.#plain(count);
    if (!this.schedule.days && !this.schedule.skip_dates) return place.epochMilliseconds;
    if (!this.#isOnDay(place) && this.#leavesOut) return undefined;
    const local = this.#hasClock ? place.toPlainDateTime() : this.#day(count);
    let moved = place;
    for (let move = 1; move <= MOVES_MAX && !(this.#isOnDay(moved) && !this.#isSkipped(moved)); move += 1)
      moved = local.add({ days: move }).toZonedDateTime(this.schedule.time_zone);
    return moved.epochMilliseconds;
  }

  #isOnDay(tick: { dayOfWeek: number }): boolean {
    const name = WEEKDAYS[tick.dayOfWeek - 1];
    return this.schedule.days === undefined || (name !== undefined && this.schedule.days.includes(name));
  }

  #isSkipped(tick: Temporal.ZonedDateTime): boolean {
    return this.schedule.skip_dates?.includes(tick.toPlainDate().toString()) ?? false;
  }

  /** The place of a tick by the calendar only. */
  #plain(count: number): Temporal.ZonedDateTime {
    const { hours, minutes, seconds } = this.#every;
    const day = this.#day(count).toZonedDateTime(this.schedule.time_zone);
    if (!this.#hasClock) return day;
    return day.add({ hours: hours * count, minutes: minutes * count, seconds: seconds * count });
  }

  /** The same without hours, minutes and seconds, as a local time, which may not exist in the zone. */
  #day(count: number): Temporal.PlainDateTime {
    const { years, months, weeks, days } = this.#every;
    return this.#anchor.add({ years: years * count, months: months * count, weeks: weeks * count, days: days * count });
  }

  get #hasClock(): boolean {
    const { hours, minutes, seconds } = this.#every;
    return hours + minutes + seconds > 0;
  }
}

/**
 * Whether ticks at this interval come to every weekday within 10,080 of them. Those of PT84H are on two weekdays only:
 * leaving out the ticks on all other days could leave out all of them.
 */
function reachesEveryWeekday(seconds: number): boolean {
  const shared = commonDivisor(seconds, WEEK_SECONDS);
  return seconds <= DAY_SECONDS || (shared >= 60 && shared <= DAY_SECONDS);
}

const commonDivisor = (a: number, b: number): number => (b === 0 ? a : commonDivisor(b, a % b));

/** The first time at or after a tick that a promise names: a duration later, or the next such local time. */
export function promised(tick: number, expectedBy: string, zone: string): number {
  const at = Temporal.Instant.fromEpochMilliseconds(tick).toZonedDateTimeISO(zone);
  if (expectedBy.startsWith("P")) return at.add(expectedBy).epochMilliseconds;
  const [day, plainTime] = [at.toPlainDate(), Temporal.PlainTime.from(expectedBy)];
  const on = (days: number) => day.add({ days }).toZonedDateTime({ timeZone: zone, plainTime }).epochMilliseconds;
  return on(0) < tick ? on(1) : on(0);
}

/** The instant a duration after another, by the calendar in UTC. */
export const later = (at: number, duration: string): number =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO("UTC").add(duration).epochMilliseconds;

/** 1 January 1970 was a Thursday. */
const FIRST_WEEKDAY = 3;

/**
 * The weekday, 0 for Monday. UTC, which most recipes use, is computed without the calendar, as years of days are
 * needed.
 */
export const weekdayOf = (at: number, zone: string): number =>
  zone === "UTC"
    ? (((Math.floor(at / DAY_MS) + FIRST_WEEKDAY) % 7) + 7) % 7
    : Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).dayOfWeek - 1;

/** The start of the day after an instant, in a zone. */
export const nextMidnight = (at: number, zone: string): number =>
  zone === "UTC"
    ? (Math.floor(at / DAY_MS) + 1) * DAY_MS
    : Temporal.Instant.fromEpochMilliseconds(at)
        .toZonedDateTimeISO(zone)
        .toPlainDate()
        .add({ days: 1 })
        .toZonedDateTime(zone).epochMilliseconds;
