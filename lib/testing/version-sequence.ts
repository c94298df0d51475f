import { changesOf } from "@/lib/freshness/change-times";
import type { Evidence, Observation } from "@/lib/freshness/evidence";
import { learnWindow } from "@/lib/freshness/learned-window";
import { nextRead, nextReadMs, readingIntervalMs } from "@/lib/freshness/reading-plan";
import type { Schedule } from "@/lib/freshness/ticks";
import { tableVerdict } from "@/lib/freshness/verdict";

/** A source's real versions, oldest first: when each came out, and the digest of its rows. */
export type VersionSequence = readonly { at: number; digest: string }[];

/** The verdicts on a sequence over its entire time. */
export interface SequenceReport {
  readings: number;
  changes: number;
  /** The final verdict. */
  verdict: string;
  /** What was learned from all readings: times, confidence, the share of the back-test; null if nothing. */
  learned: { earliest: number; latest: number; confidence: string; share: number } | null;
  /** Number of real changes while a window was known, and how many were detected within it. */
  foretold: { changes: number; inside: number };
  /** Verdicts by state. */
  said: Readonly<Record<string, number>>;
  /** Unsupported verdicts of fresh, each with the reason. */
  wronglyFresh: string[];
}

/** Number of newest readings that the service keeps as evidence. */
const READINGS_MAX = 400;
const INTERVALS_MIN = 5;
/** No update may be later than this beyond the longest interval so far. */
const LATE_MAX_MS = 30 * 86_400_000;

/**
 * Reads a sequence like a service that had kept its schedule since the first version, and evaluates at every reading,
 * and between each and the next, whether the table is current. No readings take place after `readUntil`.
 */
export function replaySequence(
  versions: VersionSequence,
  schedule: Schedule,
  { now, readUntil = now }: { now: number; readUntil?: number },
): SequenceReport {
  const intervalMs = readingIntervalMs(schedule);
  const observations: Observation[] = [];
  const [said, wronglyFresh]: [Record<string, number>, string[]] = [{}, []];
  const foretold = { changes: 0, inside: 0 };
  let read: VersionSequence[number] | undefined;
  const ask = (at: number) => {
    const verdict = tableVerdict(evidenceOf(observations, schedule), at);
    said[verdict.state] = (said[verdict.state] ?? 0) + 1;
    if (verdict.state !== "fresh") return verdict;
    const newer = versions.find(
      (version) => version.at <= at && version.at > (read?.at ?? 0) && isOther(version, read),
    );
    const why = whyNotFresh(observations, { at, newerSince: newer?.at, intervalMs });
    if (why !== undefined) wronglyFresh.push(`${new Date(at).toISOString()}: ${why}`);
    return verdict;
  };
  for (let at = versions[0]?.at ?? now; at <= now; at = nextRead(schedule, null, at)) {
    const version = versions.findLast((each) => each.at <= at);
    if (!version) break;
    if (at <= readUntil) {
      const changed = read === undefined ? null : isOther(version, read);
      if (changed) foretell(learnedFrom(observations, schedule), at, foretold);
      observations.push({ at, ok: true, changed });
      if (observations.length > READINGS_MAX) observations.shift();
      read = version;
    }
    ask(at);
    ask(Math.min(at + intervalMs / 2, now));
  }
  const { state, reason } = ask(now);
  const changes = versions.filter((version, at) => at > 0 && isOther(version, versions[at - 1])).length;
  const verdict = `${state}: ${reason}`;
  return {
    ...{ readings: observations.length, changes, verdict, learned: learnedFrom(observations, schedule) },
    ...{ foretold, said, wronglyFresh },
  };
}

/**
 * Simulates a first start: each version was replayed at its own time, and the source is read from an instant on,
 * without a further change. Returns the distinct verdicts before and after.
 */
export function readAfterReplay(
  versions: VersionSequence,
  schedule: Schedule,
  { from, readings }: { from: number; readings: number },
): { before: string[]; after: string[] } {
  const observations: Observation[] = [];
  const [before, after] = [new Set<string>(), new Set<string>()];
  const say = (at: number, words: Set<string>) => {
    const { state, reason } = tableVerdict(evidenceOf(observations, schedule), at);
    words.add(`${state}: ${reason}`);
  };
  for (const [place, version] of versions.entries()) {
    const changed = place === 0 ? null : isOther(version, versions[place - 1]);
    observations.push({ at: version.at, ok: true, changed, replayed: "a release" });
    say(version.at, before);
  }
  say(from, before);
  for (let [read, at] = [0, from]; read < readings; read += 1, at = nextRead(schedule, null, at)) {
    observations.push({ at, ok: true, changed: false });
    say(at, after);
  }
  return { before: [...before], after: [...after] };
}

type Version = VersionSequence[number];
const isOther = (version: Version, before: Version | undefined): boolean => version.digest !== before?.digest;

function evidenceOf(observations: readonly Observation[], schedule: Schedule): Evidence {
  const evidence = {
    sources: [{ name: "source", listed: true, status: "active" as const, observations }],
    releases: [{ sealedAt: observations[0]?.at ?? 0, dataThrough: null }],
    ...{ failedRefreshAfter: false, schedule, readingIntervalMs: readingIntervalMs(schedule) },
  };
  return { ...evidence, nextReadMs: nextReadMs(schedule, null, observations.at(-1)?.at ?? 0) };
}

function learnedFrom(observations: readonly Observation[], schedule: Schedule): SequenceReport["learned"] {
  const learned = learnWindow(changesOf(observations), schedule.time_zone, readingIntervalMs(schedule));
  if ("reason" in learned) return null;
  return { ...learned.window, confidence: learned.confidence, share: learned.share };
}

function foretell(learned: SequenceReport["learned"], at: number, foretold: SequenceReport["foretold"]): void {
  if (!learned) return;
  foretold.changes += 1;
  if (learned.earliest <= at && at <= learned.latest) foretold.inside += 1;
}

/** Why the readings do not support fresh, worked out independently of the rules; undefined if they do. */
function whyNotFresh(
  observations: readonly Observation[],
  { at, newerSince, intervalMs }: { at: number; newerSince: number | undefined; intervalMs: number },
): string | undefined {
  const changes = observations.filter(({ changed }) => changed).map((each) => each.at);
  const lengths = changes.slice(1).map((change, index) => change - (changes[index] ?? 0));
  if (lengths.length < INTERVALS_MIN) return `after ${lengths.length} intervals between changes`;
  if (at - (observations.at(-1)?.at ?? 0) > 2 * intervalMs) return "nobody read it for two intervals";
  if (newerSince !== undefined && at - newerSince > intervalMs) return "a newer version was out for a whole interval";
  const longest = Math.max(...lengths) + LATE_MAX_MS + intervalMs;
  return at - (changes.at(-1) ?? 0) > longest ? "no change came for longer than ever" : undefined;
}
