import { formatDay } from "@/lib/kernel/format";
import type { TableReadings } from "@/lib/schemas/readings";

/** Width of a timeline in its own units; its height is in pixels. */
export const LINE_WIDTH = 1000;

/** Readings that changed nothing share one mark within this many units. */
const UNITS_APART = 3;
const DAY_MS = 86_400_000;
/** How long before the newest reading the timeline starts. */
const SPAN_MAX_MS = 180 * DAY_MS;
/** Ends this close to each other also show the time of day. */
const NEAR_MS = 2 * DAY_MS;

type Reading = TableReadings["sources"][number]["readings"][number];

/** What a timeline draws, in units from its left end. */
export interface FreshnessMarks {
  from: number;
  to: number;
  /** The position of the current time. */
  now: number;
  lines: { name: string; reads: number[]; changes: number[]; failures: number[]; replays: number[] }[];
  releases: number[];
  /** When the next update was expected. */
  window: { left: number; right: number } | null;
}

/** Places readings, releases and the expected window on one axis; undefined if nothing was read. */
export function freshnessMarks(
  { sources, freshness }: Pick<TableReadings, "sources" | "freshness">,
  releasedAt: readonly string[],
  now: number,
): FreshnessMarks | undefined {
  const read = sources.flatMap(({ readings }) => readings.map(({ at }) => Date.parse(at)));
  if (read.length === 0) return undefined;
  const [earliest, latest] = [freshness.expected_next_earliest, freshness.expected_next_latest].map((at) =>
    at === null ? undefined : Date.parse(at),
  );
  const from = Math.max(least(read), Math.min(most(read), now) - SPAN_MAX_MS);
  const last = Math.max(now, latest ?? now);
  const pad = Math.max((last - from) / 50, 3_600_000);
  const [start, end] = [from - pad, last + pad];
  const unit = (at: number): number => Math.round(((at - start) / (end - start)) * LINE_WIDTH * 10) / 10;
  const inside = (at: number): boolean => at >= from && at <= end;
  return {
    from: start,
    to: end,
    now: unit(now),
    lines: sources.map(({ name, readings }) => ({ name, ...marksOf(readings, inside, unit) })),
    releases: releasedAt
      .map((at) => Date.parse(at))
      .filter(inside)
      .map(unit),
    window: earliest === undefined || latest === undefined ? null : { left: unit(earliest), right: unit(latest) },
  };
}

/** The labels of a timeline's ends: days, with times of day if the ends are close. */
export function endsOf({ from, to }: Pick<FreshnessMarks, "from" | "to">): [string, string] {
  const [first, last] = [new Date(from).toISOString(), new Date(to).toISOString()];
  const clock = (iso: string): string => `${iso.slice(11, 16)} UTC`;
  if (to - from >= NEAR_MS) return [formatDay(first), formatDay(last)];
  const isOneDay = formatDay(first) === formatDay(last);
  return [`${formatDay(first)}, ${clock(first)}`, isOneDay ? clock(last) : `${formatDay(last)}, ${clock(last)}`];
}

const least = (times: readonly number[]): number => times.reduce((a, b) => Math.min(a, b));
const most = (times: readonly number[]): number => times.reduce((a, b) => Math.max(a, b));

function marksOf(readings: readonly Reading[], inside: (at: number) => boolean, unit: (at: number) => number) {
  const shown = readings.map((reading) => ({ ...reading, at: Date.parse(reading.at) })).filter(({ at }) => inside(at));
  const placed = (wanted: (reading: (typeof shown)[number]) => boolean): number[] =>
    shown.filter(wanted).map(({ at }) => unit(at));
  return {
    reads: thinned(placed(({ ok, changed, replayed }) => ok && changed !== true && replayed === null)),
    changes: placed(({ ok, changed, replayed }) => ok && changed === true && replayed === null),
    replays: placed(({ replayed }) => replayed !== null),
    failures: placed(({ ok }) => !ok),
  };
}

/** Marks that would overlap are drawn once. */
function thinned(places: readonly number[]): number[] {
  const kept: number[] = [];
  for (const place of places) if (place - (kept.at(-1) ?? -UNITS_APART) >= UNITS_APART) kept.push(place);
  return kept;
}
