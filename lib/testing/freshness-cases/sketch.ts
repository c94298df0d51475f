import type { Evidence, Observation, SourceEvidence, SourceStatus } from "@/lib/freshness/evidence";
import type { Refresh } from "@/lib/schemas/recipe";

const HOUR_MS = 3_600_000;

/** A source as the cases describe it. Times are ISO 8601 in UTC. */
export interface SourceSketch {
  name?: string;
  status?: SourceStatus;
  listed?: boolean;
  /** Read from this time on, every `hours` hours, until now; never read if absent. */
  from?: string;
  hours?: number;
  /** Until when it is read. */
  until?: string;
  /** Readings that found changed rows. */
  changes?: readonly string[];
  /** Releases that were replayed: the first, and further ones that each had changed rows. */
  replays?: readonly string[];
  /** Times between which every reading failed. */
  fails?: readonly (readonly [string, string])[];
}

export interface EvidenceSketch {
  sources?: readonly SourceSketch[];
  /** Times of releases, optionally with the last day of their data. */
  releases?: readonly (string | readonly [string, string])[];
  schedule?: Partial<Refresh> & { anchor: string; every: string };
  /** Hours between readings, as the service plans them. */
  readHours?: number;
  failedRefresh?: boolean;
}

export const instant = (text: string): number => {
  const at = Date.parse(/[Z+]/.test(text) ? text : `${text}Z`);
  if (Number.isNaN(at)) throw new Error(`not a time: ${text}`);
  return at;
};

/** The evidence available at an instant. */
export function sketched(sketch: EvidenceSketch, now: number): Evidence {
  const { sources = [], releases = [], schedule, readHours = 1, failedRefresh = false } = sketch;
  const known = releases.map((each) => (typeof each === "string" ? ([each, null] as const) : each));
  return {
    sources: sources.map((source, at) => sourceOf(source, at, now)),
    releases: known.map(([at, dataThrough]) => ({ sealedAt: instant(at), dataThrough })),
    failedRefreshAfter: failedRefresh,
    schedule: schedule ? { time_zone: "UTC", on_upstream: false, on_upload: true, ...schedule } : null,
    readingIntervalMs: readHours * HOUR_MS,
  };
}

function sourceOf(given: SourceSketch, at: number, now: number) {
  const { name, status = "active", listed = true, replays = [], ...sketch } = given;
  const replayed = replays.map(instant).map((time, index) => ({ at: time, ok: true, changed: index > 0 || null }));
  const observations = [
    ...replayed.filter((each) => each.at <= now).map((each) => ({ ...each, replayed: "1.0.0" })),
    ...observationsOf(sketch, now),
  ];
  return { name: name ?? `source ${at + 1}`, status, listed, observations } satisfies SourceEvidence;
}

function observationsOf({ from, hours = 1, until, changes = [], fails = [] }: SourceSketch, now: number) {
  if (from === undefined) return [];
  const last = until === undefined ? now : Math.min(now, instant(until));
  const times = new Set<number>();
  for (let at = instant(from); at <= last; at += hours * HOUR_MS) times.add(at);
  const seen = new Set(changes.map(instant).filter((change) => change <= now));
  for (const change of seen) times.add(change);
  const ordered = [...times].sort((a, b) => a - b);
  return ordered.map((time, index): Observation => {
    const ok = !fails.some(([start, end]) => instant(start) <= time && time <= instant(end));
    return { at: time, ok, changed: index === 0 || !ok ? null : seen.has(time) };
  });
}
