import { type ErrorCode, fail } from "@/lib/kernel/errors";
import type { CountedWindow } from "@/lib/store/usage/counters";
import { countExactly, countInWindow, countLightly, isReached, readCounts } from "./counters";
import { type LimitState, rateLimitHeaders } from "./rate-limit-headers";

import { DAY_MS, MINUTE_MS, type WindowState, windowState } from "./window";

export interface Limits {
  minute: number;
  day: number;
}

/**
 * What else is limited per minute and day: attempts to sign in or up, requested emails, invitations, device codes
 * created and entered, confirmations of sign-ins, registered programs of agents.
 */
export type AttemptKind =
  | "sign-in"
  | "sign-up"
  | "mail"
  | "reminder"
  | "invitation"
  | "device"
  | "device-code"
  | "second-step"
  | "registration";

/** Requests that are counted per minute only, because they cost next to nothing. */
export type LightKind = "catalogue" | "account" | "page" | "token";

export interface Left {
  minute: WindowState;
  day: WindowState;
}

/**
 * Counts one query of a subject in its minute and its day, exact under concurrency. Fails with `unavailable` if the
 * counters are unavailable, and with `OutdatedFacts`, without counting, if the generation `under` has ended.
 */
export const takeQuery = (
  subject: string,
  limits: Limits,
  now: Date = new Date(),
  under?: string,
): Promise<LimitState> => take("query", subject, limits, now, under);

/** The same for downloads, which have their own windows. */
export const takeDownload = (subject: string, limits: Limits, now: Date = new Date()): Promise<LimitState> =>
  take("download", subject, limits, now);

/** The same for attempts of any kind, each with its own windows. They count whether or not they succeed. */
export const takeAttempt = (
  kind: AttemptKind,
  subject: string,
  limits: Limits,
  now: Date = new Date(),
): Promise<LimitState> => take(kind, subject, limits, now);

/** Counts one cheap request of a subject in its minute: shared by all instances with Redis, per process without it. */
export async function takeLight(
  kind: LightKind,
  subject: string,
  limit: number,
  now: Date = new Date(),
): Promise<LimitState> {
  const minute = windowState(limit, MINUTE_MS, now);
  const used = await countLightly(subject, counted(kind, "minute", minute));
  return stateOf(minute, limit, used);
}

/** The routes of the hosted table API, each with its own minute. */
export type HostedKind = "hosted-current" | "hosted-freshness";

/** Counts one request of a key to a hosted route in its minute, exact under concurrency. */
export async function takeHosted(kind: HostedKind, subject: string, limit: number, now: Date): Promise<LimitState> {
  const minute = windowState(limit, MINUTE_MS, now);
  const used = await countInWindow(subject, counted(kind, "minute", minute));
  return stateOf(minute, limit, used);
}

/** The state of a minute of which so many are used; null if it was used up before. */
const stateOf = (minute: ReturnType<typeof windowState>, limit: number, used: number | null): LimitState => ({
  rejectedBy: used === null ? "minute" : null,
  minute: { ...minute, remaining: used === null ? 0 : limit - used },
});

/**
 * Counts one download in a key's day, exact under concurrency; `state` is the result for its minute, which was counted
 * before. With `peek`, counts nothing.
 */
export async function takeHostedDay(
  state: LimitState,
  subject: string,
  limit: number,
  { now, peek }: { now: Date; peek: boolean },
): Promise<LimitState> {
  const day = windowState(limit, DAY_MS, now);
  const window = counted("hosted-current", "day", day);
  const used = peek ? ((await readCounts([{ subject, ...window }]))[0] ?? 0) : await countInWindow(subject, window);
  const isOver = used === null || (peek && used >= limit);
  return { ...state, rejectedBy: isOver ? "day" : null, day: { ...day, remaining: isOver ? 0 : limit - used } };
}

/** What `takeLight` would return now, without counting: for work that must not start once the minute is used up. */
export async function peekLight(
  kind: LightKind,
  subject: string,
  limit: number,
  now: Date = new Date(),
): Promise<LimitState> {
  const minute = windowState(limit, MINUTE_MS, now);
  const reached = await isReached(subject, counted(kind, "minute", minute));
  return { rejectedBy: reached ? "minute" : null, minute: { ...minute, remaining: reached ? 0 : null } };
}

async function take(
  kind: CountedKind,
  subject: string,
  limits: Limits,
  now: Date,
  under?: string,
): Promise<LimitState> {
  const minute = windowState(limits.minute, MINUTE_MS, now);
  const day = windowState(limits.day, DAY_MS, now);
  const used = await countExactly(subject, counted(kind, "minute", minute), counted(kind, "day", day), under);
  if (used.minute === null)
    return { rejectedBy: "minute", minute: { ...minute, remaining: 0 }, day: { ...day, remaining: null } };
  const state = {
    minute: { ...minute, remaining: limits.minute - used.minute },
    day: { ...day, remaining: used.day === null ? 0 : limits.day - used.day },
  };
  return { ...state, rejectedBy: used.day === null ? "day" : null };
}

/**
 * The remaining quota of each subject, in the order requested. Counts nothing. Fails with `unavailable` if the counters
 * are unavailable.
 */
export async function readLeft(
  kind: "query" | "download",
  subjects: readonly string[],
  limits: Limits,
  now: Date = new Date(),
): Promise<Left[]> {
  const minute = windowState(limits.minute, MINUTE_MS, now);
  const day = windowState(limits.day, DAY_MS, now);
  const windows = [counted(kind, "minute", minute), counted(kind, "day", day)];
  const used = await readCounts(subjects.flatMap((subject) => windows.map((window) => ({ subject, ...window }))));
  const left = (window: WindowState, place: number): WindowState => ({
    ...window,
    remaining: Math.max(0, window.limit - (used[place] ?? 0)),
  });
  return subjects.map((_, index) => ({ minute: left(minute, 2 * index), day: left(day, 2 * index + 1) }));
}

type CountedKind = "query" | "download" | AttemptKind | HostedKind;

const counted = (
  kind: CountedKind | LightKind,
  length: "minute" | "day",
  { startAt, limit, lengthSeconds }: WindowState,
): CountedWindow => ({
  name: `${kind}-${length}`,
  startAt,
  lengthMs: lengthSeconds * 1000,
  limit,
});

const CODES = { minute: "rate_limited", day: "daily_quota_exhausted" } as const satisfies Record<string, ErrorCode>;

/**
 * Throws `rate_limited` or `daily_quota_exhausted`, with Retry-After and the rate limit headers, if the request was
 * rejected.
 */
export function enforce(state: LimitState): void {
  if (!state.rejectedBy) return;
  const retryAfterSeconds = state[state.rejectedBy]?.resetSeconds ?? 1;
  throw fail(CODES[state.rejectedBy], { retryAfterSeconds, headers: rateLimitHeaders(state) });
}
