import { FRESHNESS_REASONS, type FreshnessReason } from "@/lib/schemas/freshness";
import { changesOf, failuresInARow } from "./change-times";
import type {
  Confidence,
  Evidence,
  Observation,
  SourceEvidence,
  SourceStatus,
  SourceVerdict,
  TableVerdict,
  UpdateWindow,
  Upstream,
} from "./evidence";
import { earlyMs, graceMs } from "./grace";
import { learnWindow } from "./learned-window";
import { later, promised, type Schedule, Ticks } from "./ticks";

const HOUR_MS = 3_600_000;
/** Days start earlier in some zones than in others. */
const AHEAD_MS = 48 * HOUR_MS;
const FAILURES_MIN = 2;

/** What is known about a source's next update. */
interface Expectation {
  source: SourceEvidence;
  window: UpdateWindow | null;
  confidence: Confidence;
  /** Why there is no window. */
  reason?: FreshnessReason;
}

/**
 * Whether a table is current, judged by what is known at an instant. The first rule that holds decides. Nothing is
 * claimed without evidence.
 */
export function tableVerdict(given: Evidence, now: number): TableVerdict {
  const evidence = inOrder(given);
  const active = evidence.sources.filter((source) => statusOf(source) === "active");
  const expected = active.map((source) => expectation(source, evidence));
  const decided = decide(evidence, expected, now);
  return {
    state: FRESHNESS_REASONS[decided.reason].state,
    reason: decided.reason,
    confidence: decided.by?.window ? decided.by.confidence : "none",
    window: decided.by?.window ?? null,
    lastObservedAt: latest(evidence.sources.flatMap((source) => lastObserved(source) ?? [])),
    lastChangedAt: latest(evidence.sources.flatMap((source) => lastChanged(source) ?? [])),
    blockingSource: isBlocked(decided.reason) && decided.by?.source.listed ? decided.by.source.name : null,
    dataThrough: evidence.releases.at(-1)?.dataThrough ?? null,
    lastGoodAfterFailedRefresh: evidence.failedRefreshAfter,
    unlistedSourceCount: evidence.sources.filter(({ listed }) => !listed).length,
    sources: evidence.sources.filter(({ listed }) => listed).map((source) => sourceVerdict(source, evidence, now)),
  };
}

/** When the next update is expected, whatever else is known; null if unknown. */
export function expectedWindow(given: Evidence): UpdateWindow | null {
  const evidence = inOrder(given);
  const active = evidence.sources.filter((source) => statusOf(source) === "active");
  return expectedNext(active.map((source) => expectation(source, evidence)))?.window ?? null;
}

/** The evidence in a canonical order: by time, and sources with the same window by name. */
function inOrder(evidence: Evidence): Evidence {
  const byTime = (a: { at: number }, b: { at: number }) => a.at - b.at;
  return {
    ...evidence,
    releases: [...evidence.releases].sort((a, b) => a.sealedAt - b.sealedAt),
    sources: [...evidence.sources]
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map((source) => ({ ...source, observations: [...source.observations].sort(byTime) })),
  };
}

/** The verdict on one source by the same rules, as if the table were built only from it. */
function sourceVerdict(source: SourceEvidence, evidence: Evidence, now: number): SourceVerdict {
  const alone = {
    ...evidence,
    sources: [source],
    releases: evidence.releases.map((each) => ({ ...each, dataThrough: null })),
  };
  const expected = statusOf(source) === "active" ? [expectation(source, evidence)] : [];
  const { reason, by } = decide(alone, expected, now);
  return {
    name: source.name,
    state: FRESHNESS_REASONS[reason].state,
    reason,
    confidence: by?.window ? by.confidence : "none",
    window: by?.window ?? null,
    lastObservedAt: lastObserved(source),
    lastChangedAt: lastChanged(source),
    consecutiveFailures: failuresInARow(source.observations),
  };
}

interface Decision {
  reason: FreshnessReason;
  /** The source that determines the verdict. */
  by?: Expectation | undefined;
}

function decide(evidence: Evidence, expected: readonly Expectation[], now: number): Decision {
  const unknown = unknownReason(evidence, now);
  if (unknown) return { reason: unknown };
  if (expected.length === 0)
    return {
      reason: evidence.sources.some((each) => statusOf(each) === "retired") ? "source_retired" : "source_static",
    };
  const failing = expected.find(({ source }) => isFailing(source));
  if (failing) return { reason: "source_reads_failing", by: { ...failing, window: null } };
  const by = expectedNext(expected);
  if (!by?.window) return { reason: by?.reason ?? "not_enough_history", by };
  if (now < by.window.earliest) return { reason: "within_expected_window", by };
  return { reason: now <= by.window.latest ? "update_window_open" : "expected_window_passed", by };
}

const isFailing = ({ upstream, observations }: SourceEvidence): boolean =>
  upstream ? upstream.verdict.state === "source_unhealthy" : failuresInARow(observations) >= FAILURES_MIN;

/** The status of a source. A table of this service whose verdict is dormant counts as static or retired. */
function statusOf({ status, upstream }: SourceEvidence): SourceStatus {
  if (upstream?.verdict.state !== "dormant") return status;
  return upstream.verdict.reason === "source_retired" ? "retired" : "static";
}

const lastObserved = ({ upstream, observations }: SourceEvidence): number | null =>
  upstream
    ? upstream.verdict.lastObservedAt
    : (observations.findLast((each) => isAsked(each) && !each.isKnown)?.at ?? null);

const isAsked = ({ replayed }: Observation): boolean => replayed === undefined;

/** The time of the last change, including corrections, although they are not separate changes for the windows. */
const lastChanged = ({ upstream, observations }: SourceEvidence): number | null =>
  upstream ? upstream.verdict.lastChangedAt : (observations.findLast(({ ok, changed }) => ok && changed)?.at ?? null);

const ORDER = Object.keys(FRESHNESS_REASONS) as FreshnessReason[];

/** Why nothing can be said at all, about this table or one that it is built from. */
function unknownReason(evidence: Evidence, now: number): FreshnessReason | undefined {
  const inherited = evidence.sources.flatMap(({ upstream }) =>
    upstream?.verdict.state === "unknown" ? [upstream.verdict.reason] : [],
  );
  const own = ownUnknownReason(evidence, now);
  if (own === "no_release") return own;
  // for the table built from it, a table without a release is a source about which nothing is known
  const reasons: FreshnessReason[] = inherited.map((each) => (each === "no_release" ? "no_observation" : each));
  return ORDER.find((reason) => reason === own || reasons.includes(reason));
}

function ownUnknownReason(given: Evidence, now: number): FreshnessReason | undefined {
  const sources = given.sources.filter(({ upstream }) => upstream === undefined);
  if (given.releases.length === 0) return "no_release";
  const evidence = { ...given, sources };
  const isAllUpstream = sources.length === 0 && given.sources.length > 0;
  if (!isAllUpstream) return readUnknownReason(evidence, now);
  return isAhead(latestDay(given), given.schedule?.ahead, now) ? "evidence_conflict" : undefined;
}

const latestDay = ({ releases }: Evidence): string | null => releases.at(-1)?.dataThrough ?? null;

/** The same for the sources that are read. */
function readUnknownReason(evidence: Evidence, now: number): FreshnessReason | undefined {
  const { sources, readingIntervalMs, nextReadMs = readingIntervalMs, schedule } = evidence;
  const newest = latest(sources.flatMap(({ observations }) => observations.map(({ at }) => at)));
  if (newest === null) return "no_observation";
  const active = sources.filter(({ status }) => status === "active");
  const read = active.flatMap(({ observations }) => observations);
  const asked = latest(read.filter(isAsked).map(({ at }) => at));
  if (asked === null && read.length > 0) return "no_observation";
  if (active.length > 0 && now - (asked ?? 0) > Math.max(2 * nextReadMs, HOUR_MS)) return "observation_overdue";
  const isContradicted =
    newest > now ||
    sources.some(({ observations }) => observations.length === 0) ||
    sources.some(({ status, observations }) => status !== "active" && observations.some(({ changed }) => changed)) ||
    isAhead(latestDay(evidence), schedule?.ahead, now);
  return isContradicted ? "evidence_conflict" : undefined;
}

/** Whether the data covers future days beyond the declared forecasts. */
function isAhead(dataThrough: string | null, ahead: string | undefined, now: number): boolean {
  if (dataThrough === null) return false;
  const limit = ahead === undefined ? now : later(now, ahead);
  return Date.parse(dataThrough) - limit > AHEAD_MS;
}

function expectation(source: SourceEvidence, { schedule, readingIntervalMs }: Evidence): Expectation {
  if (source.upstream) return upstreamExpectation(source, source.upstream, readingIntervalMs);
  const changes = changesOf(source.observations);
  const firstRead = source.observations.find(({ ok }) => ok)?.at;
  if (schedule?.expected_by !== undefined && firstRead !== undefined) {
    const declared = { ...schedule, expected_by: schedule.expected_by };
    const times = changes.map(({ at }) => at);
    return { source, window: declaredWindow(declared, times, firstRead, readingIntervalMs), confidence: "high" };
  }
  const learned = learnWindow(changes, schedule?.time_zone ?? "UTC", readingIntervalMs);
  if ("reason" in learned) return { source, window: null, confidence: "none", reason: learned.reason };
  return { source, window: learned.window, confidence: learned.confidence };
}

/**
 * The expectation from an upstream table's verdict. A release of it that was not used yet is due at the next reading.
 */
function upstreamExpectation(
  source: SourceEvidence,
  { verdict, newerSince }: Upstream,
  readingIntervalMs: number,
): Expectation {
  if (newerSince !== null) {
    const latestAt = newerSince + Math.max(readingIntervalMs, HOUR_MS);
    return { source, window: { earliest: newerSince, latest: latestAt }, confidence: "high" };
  }
  const { window, confidence, reason } = verdict;
  return { source, window, confidence, ...(window === null && { reason }) };
}

/**
 * The table's window is the latest window of the sources that normally change. If one of them has no window, neither
 * has the table, since that window might be the latest.
 */
function expectedNext(expected: readonly Expectation[]): Expectation | undefined {
  const changing = expected.filter(
    ({ source: { upstream, observations } }) => upstream !== undefined || observations.some(({ changed }) => changed),
  );
  const all = changing.length > 0 ? changing : expected;
  const unlearned = all.find(({ window }) => window === null);
  if (unlearned) return unlearned;
  const [first] = all;
  if (!first) return undefined;
  return all.reduce((late, each) => ((each.window?.latest ?? 0) > (late.window?.latest ?? 0) ? each : late), first);
}

/** States in which a source keeps the table from being fresh. */
const isBlocked = (reason: FreshnessReason): boolean =>
  ["source_unhealthy", "learning", "awaiting_update", "stale"].includes(FRESHNESS_REASONS[reason].state);

const latest = (times: readonly number[]): number | null =>
  times.length === 0 ? null : times.reduce((most, time) => Math.max(most, time));

/**
 * The window that a declared schedule promises after a source's changes. The first reading stands for the tick before
 * it.
 */
function declaredWindow(
  schedule: Schedule & { expected_by: string },
  changes: readonly number[],
  firstRead: number,
  readingIntervalMs: number,
): UpdateWindow {
  const ticks = new Ticks(schedule);
  const tick = ticks.after(satisfiedTick(ticks, changes, firstRead));
  const due = promised(tick, schedule.expected_by, schedule.time_zone);
  const graced = schedule.grace === undefined ? due + graceMs(ticks.periodMs) : later(due, schedule.grace);
  return { earliest: tick, latest: graced + readingIntervalMs };
}

/**
 * The tick that the last change satisfies: the last one before it, or the one just after it if the change is early and
 * the previous tick already had an update.
 */
function satisfiedTick(ticks: Ticks, changes: readonly number[], firstRead: number): number {
  let satisfied = ticks.around(firstRead).last ?? Number.NEGATIVE_INFINITY;
  let hasUpdate = false;
  for (const change of changes) {
    const { last = Number.NEGATIVE_INFINITY, next } = ticks.around(change);
    const isSecond = hasUpdate && satisfied >= last;
    const isEarly = next - change <= earlyMs(ticks.periodMs);
    satisfied = Math.max(satisfied, isSecond && isEarly ? next : last);
    hasUpdate = true;
  }
  return satisfied === Number.NEGATIVE_INFINITY ? firstRead : satisfied;
}
