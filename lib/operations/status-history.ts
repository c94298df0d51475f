import { findHeartbeat, findOutages, type Outage } from "@/lib/store/outages";
import { HISTORY_DAYS, historyStart } from "./status-record";

const DAY_MS = 86_400_000;

export interface StatusDay {
  /** Midnight, UTC. */
  day: Date;
  /** How long anything was down, in milliseconds; null before the record began. */
  downMs: number | null;
}

export interface StatusHistory {
  /** When the record began, or its oldest day. */
  since: Date;
  /** The share of time since then in which everything responded. */
  upShare: number;
  /** The last 90 days (UTC), oldest first. */
  days: readonly StatusDay[];
  /** Newest first. */
  outages: readonly Outage[];
}

/** What the service recorded about itself; undefined before its first round. */
export async function statusHistory(now: Date): Promise<StatusHistory | undefined> {
  const [heartbeat, outages] = await Promise.all([findHeartbeat(), findOutages(historyStart(now))]);
  return heartbeat && historyOf(heartbeat.since, outages, now);
}

/** The history from the first record and the outages, oldest first. Pure. */
export function historyOf(first: Date, outages: readonly Outage[], now: Date): StatusHistory {
  const start = new Date(Math.max(first.getTime(), historyStart(now).getTime()));
  const down = unionOf(outages.map(({ startedAt, endedAt }) => [startedAt.getTime(), endedAt.getTime()]));
  const downWithin = (from: number, until: number) =>
    down.reduce((sum, [begin, end]) => sum + Math.max(0, Math.min(end, until) - Math.max(begin, from)), 0);
  const whole = now.getTime() - start.getTime();
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const days = Array.from({ length: HISTORY_DAYS }, (_, at) => {
    const from = today - (HISTORY_DAYS - 1 - at) * DAY_MS;
    const isBefore = from + DAY_MS <= first.getTime();
    return { day: new Date(from), downMs: isBefore ? null : downWithin(from, from + DAY_MS) };
  });
  return {
    since: start,
    upShare: whole > 0 ? 1 - downWithin(start.getTime(), now.getTime()) / whole : 1,
    days,
    outages: outages.toReversed(),
  };
}

type Span = readonly [begin: number, end: number];

/** Spans that overlap become one: two parts that are down at once count once. */
function unionOf(spans: readonly Span[]): Span[] {
  const union: Span[] = [];
  for (const [begin, end] of spans.toSorted(([a], [b]) => a - b)) {
    const last = union.at(-1);
    if (last && begin <= last[1]) union.splice(-1, 1, [last[0], Math.max(last[1], end)]);
    else union.push([begin, end]);
  }
  return union;
}
