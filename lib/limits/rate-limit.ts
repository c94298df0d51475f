import { type ErrorCode, fail } from "@/lib/errors";
import { countRequest } from "@/lib/store/counters";
import { rateLimitHeaders } from "./rate-limit-headers";
import { DAY_MS, MINUTE_MS, type WindowState, windowState } from "./window";

export interface Limits {
  minute: number;
  day: number;
}

export interface LimitState {
  refusedBy: "minute" | "day" | null;
  minute: WindowState;
  /** Absent where no day is counted. Its `remaining` is null when the minute refused, so that the day was not asked. */
  day?: WindowState;
}

/** Counts one query of a subject in its minute and its day, exactly, whatever else runs. `unavailable` when the counters are. */
export const takeQuery = (subject: string, limits: Limits, now: Date = new Date()): Promise<LimitState> => take("query", subject, limits, now);

/** The same for downloads, which have windows of their own. */
export const takeDownload = (subject: string, limits: Limits, now: Date = new Date()): Promise<LimitState> => take("download", subject, limits, now);

async function take(kind: "query" | "download", subject: string, limits: Limits, now: Date): Promise<LimitState> {
  const minute = windowState(limits.minute, MINUTE_MS, now);
  const day = windowState(limits.day, DAY_MS, now);
  const used = await countRequest(
    subject,
    { name: `${kind}-minute`, startAt: minute.startAt, limit: limits.minute },
    { name: `${kind}-day`, startAt: day.startAt, limit: limits.day },
  );
  if (used.minute === null) return { refusedBy: "minute", minute: { ...minute, remaining: 0 }, day: { ...day, remaining: null } };
  const state = { minute: { ...minute, remaining: limits.minute - used.minute }, day: { ...day, remaining: used.day === null ? 0 : limits.day - used.day } };
  return { ...state, refusedBy: used.day === null ? "day" : null };
}

const CODES = { minute: "rate_limited", day: "daily_quota_exhausted" } as const satisfies Record<string, ErrorCode>;

/** Throws `rate_limited` or `daily_quota_exhausted`, with Retry-After and the rate limit headers, when the request was refused. */
export function enforce(state: LimitState): void {
  if (!state.refusedBy) return;
  const retryAfterSeconds = state[state.refusedBy]?.resetSeconds ?? 1;
  throw fail(CODES[state.refusedBy], { retryAfterSeconds, headers: rateLimitHeaders(state) });
}
