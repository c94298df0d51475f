import { FIRST_INSTANT_US } from "./timestamps";

/** Time zones of the IANA database as the runtime's Intl has it. Instants are in seconds since 1970. */

export const UTC = "UTC";

/** The names that queries may use. */
export const zoneNames = (): readonly string[] => [UTC, ...Intl.supportedValuesOf("timeZone")];

let known: ReadonlySet<string> | undefined;

export function isZone(name: string): boolean {
  known ??= new Set(zoneNames());
  return known.has(name);
}

/** The name that queries use for a zone by another name of it, such as its older or newer one. */
export function zoneOfAlias(name: string): string | undefined {
  try {
    const zone = new Intl.DateTimeFormat("en", { timeZone: name.slice(0, 100) }).resolvedOptions().timeZone;
    return isZone(zone) ? zone : undefined;
  } catch {
    return undefined;
  }
}

/** A period in which local time differs from UTC by the same number of seconds; the next one ends it. */
export interface OffsetPeriod {
  /** -Infinity for the first. */
  from: number;
  offset: number;
}

export interface ZoneOffsets {
  periods: readonly OffsetPeriod[];
  /** Whether there are instants beyond `REPEATED`, which have the offsets of its years. */
  isRepeated: boolean;
}

const DAY = 86_400;
/** Between two changes of a zone's clocks have been at least 3.99 days (Freetown in 1939). */
const STEP = 2 * DAY;
const yearStart = (year: number): number => new Date(0).setUTCFullYear(year, 0, 1) / 1000;

/** No zone changed its clocks before this year: the first to do so was Manila's, at the end of 1844. */
const FIRST_YEAR = 1840;
/** The first of these years and the one after the last: each weekday of 1 January is there, with and without a leap day. */
const REPEATED_YEARS = [2104, 2132] as const;

/**
 * Beyond what is decided, clocks are changed by rules of weekdays and months. So an instant of a later year has the
 * offset of the same one in the year of these that has the same days: `starts` has their first instants by the weekday
 * of 1 January (from Monday), first of common years, then of leap years.
 */
export const REPEATED = {
  start: yearStart(REPEATED_YEARS[0]),
  end: yearStart(REPEATED_YEARS[1]),
  starts: repeatedStarts(),
};

function repeatedStarts(): number[] {
  const starts: number[] = [];
  for (let year: number = REPEATED_YEARS[0]; year < REPEATED_YEARS[1]; year += 1) {
    const start = yearStart(year);
    const weekday = (new Date(start * 1000).getUTCDay() + 6) % 7;
    starts[weekday + (yearStart(year + 1) - start === 366 * DAY ? 7 : 0)] = start;
  }
  return starts;
}

/** Years are looked up together, since one costs a quarter of a millisecond. */
const BLOCK_YEARS = 10;

/** The first years of the blocks that have the offsets of some instants. */
export function zoneBlocks(from: number, to: number): number[] {
  const yearOf = (instant: number) => new Date(instant * 1000).getUTCFullYear();
  const first = from < yearStart(FIRST_YEAR) ? FIRST_YEAR : from >= REPEATED.end ? REPEATED_YEARS[0] : yearOf(from);
  const last = to >= REPEATED.end ? REPEATED_YEARS[1] - 1 : to < yearStart(FIRST_YEAR) ? FIRST_YEAR : yearOf(to);
  const start = to >= REPEATED.end ? Math.min(first, REPEATED_YEARS[0]) : first;
  const blocks: number[] = [];
  for (let year = start - (start % BLOCK_YEARS); year <= last; year += BLOCK_YEARS) blocks.push(year);
  return blocks;
}

/** Bounded by the number of zones, as only those are looked up, and of blocks. */
const found = new Map<string, readonly OffsetPeriod[]>();

/** The offsets of one block of years, which are remembered. `isNew`: they had to be looked up. */
export function offsetsOfBlock(zone: string, year: number): { periods: readonly OffsetPeriod[]; isNew: boolean } {
  const key = `${zone} ${year}`;
  const before = found.get(key);
  if (before) return { periods: before, isNew: false };
  const periods = lookUp(zone, yearStart(year), yearStart(year + BLOCK_YEARS));
  found.set(key, periods);
  return { periods, isNew: true };
}

/** The offsets of a zone for all instants from one to another. */
export function offsetsBetween(zone: string, from: number, to: number): ZoneOffsets {
  const periods: OffsetPeriod[] = [];
  for (const block of zoneBlocks(from, to))
    for (const period of offsetsOfBlock(zone, block).periods)
      if (period.offset !== periods.at(-1)?.offset) periods.push(period);
  const isRepeated = to >= REPEATED.end;
  const at = isRepeated
    ? 0
    : Math.max(
        0,
        periods.findLastIndex((period) => period.from <= from),
      );
  const later = periods.slice(at + 1).filter((period) => isRepeated || period.from <= to);
  return { periods: [{ from: -Infinity, offset: periods[at]?.offset ?? 0 }, ...later], isRepeated };
}

function lookUp(zone: string, from: number, to: number): OffsetPeriod[] {
  const at = offsetsOf(zone);
  const periods = [{ from, offset: at(from) }];
  for (let start = from; start < to; ) {
    const offset = periods.at(-1)?.offset;
    const next = Math.min(start + STEP, to);
    if (at(next) === offset) {
      start = next;
      continue;
    }
    let [low, high] = [start, next];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (at(middle) === offset) low = middle;
      else high = middle;
    }
    if (high < to) periods.push({ from: high, offset: at(high) });
    start = high;
  }
  return periods;
}

/** The offset at one instant. */
export const offsetAt = (zone: string, instant: number): number => offsetsOf(zone)(instant);

const OFFSET = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;

/** Intl is asked for the offset alone, which takes a microsecond or two. */
function offsetsOf(zone: string): (instant: number) => number {
  const format = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
  return (instant) => {
    const [, sign, hours, minutes, seconds = 0] = OFFSET.exec(format.format(instant * 1000)) ?? [];
    const size = sign === undefined ? 0 : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
    return sign === "-" ? -size : size;
  };
}

/** The offsets of all instants that a timestamp can be. */
export const ALL_INSTANTS: readonly [from: number, to: number] = [
  -Number(FIRST_INSTANT_US / 1_000_000n),
  yearStart(10_000) - 1,
];
