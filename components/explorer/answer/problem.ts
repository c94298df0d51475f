import { waitText } from "@/components/form/wait-text";
import type { Envelope } from "@/lib/http/envelope";
import { ERRORS } from "@/lib/kernel/errors";
import { pageAdvice } from "@/lib/kernel/page-text";

/** Why there is no answer, for the person waiting for it. */
export interface Problem {
  code: string;
  title: string;
  message: string;
  /** One sentence for each faulty part of the query. */
  faults: readonly string[];
  /** What helps. */
  advice: string;
  requestId?: string | undefined;
  /** Seconds after which a retry may help; the page then retries automatically. */
  waitSeconds?: number | undefined;
  /** Whether an API key may help. */
  keyHelps?: boolean | undefined;
}

export const OFFLINE: Problem = {
  code: "unreachable",
  title: "The service could not be reached",
  message: "Your request got no response.",
  faults: [],
  advice: "Check your connection and try again. Your filters and settings are kept.",
};

export const TOOK_TOO_LONG: Problem = {
  code: "timeout",
  title: "The service took too long",
  message: "There was no response within 30 seconds.",
  faults: [],
  advice: "Try again, or narrow the query with a filter.",
};

export const TOO_LONG: Problem = {
  code: "view_too_long",
  title: "This view is too long for a link",
  message: "Every view has a shareable URL, and this one would be too long.",
  faults: [],
  advice: "Filter by a shorter value, or use fewer filters.",
};

const TITLES: Readonly<Partial<Record<Envelope["error"], string>>> = {
  rate_limited: "Too many queries in a minute",
  daily_quota_exhausted: "No queries left today",
  result_too_large: "The result is too large",
  busy: "The service is busy",
  unavailable: "The service is temporarily unavailable",
  query_timeout: "The query took too long",
};

/** Errors whose own message may name API requests, which readers of the page cannot use. */
const MESSAGES: Readonly<Partial<Record<Envelope["error"], string>>> = {
  not_found: "This table has no such version, or it was withdrawn.",
};

const ADVICE: Readonly<Partial<Record<Envelope["error"], string>>> = {
  rate_limited: "Anonymous use is limited. Sign in or use a free API key for twice the queries and 100 times the rows.",
  daily_quota_exhausted: "Sign in or use a free API key to get your own quota.",
  result_too_large: "Show fewer columns or groups, or add a filter. Sign in or use an API key for larger results.",
  invalid_limit: "Set a smaller limit, or sign in for up to 10,000 rows.",
  not_found: "Check the link, or go to the current version of the table.",
  key_missing: "Enter your API key, or continue without one.",
  key_invalid: "Compare it with the key you were shown, or continue without it.",
};

/** Errors that a key, with its own quota and larger results, may avoid. */
const KEY_HELPS: ReadonlySet<string> = new Set([
  "rate_limited",
  "daily_quota_exhausted",
  "result_too_large",
  "invalid_limit",
]);

/** Temporary errors. */
const PASSING: ReadonlySet<string> = new Set(["rate_limited", "busy", "unavailable"]);
/** For longer waits, the person decides when to retry. */
const WAIT_MAX_S = 120;

/** The page's own description of an error. `keyed`: the query was sent with a key. */
export function problemOf(
  { error, message, details = [], request_id }: Envelope,
  retryAfter: string | null,
  { keyed }: { keyed: boolean },
): Problem {
  const wait = Number(retryAfter) > 0 ? Number(retryAfter) : undefined;
  const isPassing = wait !== undefined && wait <= WAIT_MAX_S && PASSING.has(error);
  const advice = (keyed && KEY_HELPS.has(error) ? undefined : ADVICE[error]) ?? pageAdvice(error);
  const fact = MESSAGES[error] ?? message.replace(` ${ERRORS[error]?.fix}`, "");
  return {
    code: error,
    title: TITLES[error] ?? ERRORS[error]?.title ?? "The query was rejected",
    message: wait === undefined || isPassing ? fact : `${fact} Try again in ${waitText(wait)}.`,
    faults: details.map(
      (detail) =>
        detail.message +
        (detail.did_you_mean === undefined ? "" : ` Did you mean ${JSON.stringify(detail.did_you_mean)}?`),
    ),
    advice,
    requestId: request_id,
    waitSeconds: isPassing ? wait : undefined,
    keyHelps: KEY_HELPS.has(error),
  };
}

/** A response in no known format, such as a proxy's page or the maintenance notice. */
export function plainProblem(status: number, retryAfter: string | null): Problem {
  const wait = Number(retryAfter) > 0 ? Number(retryAfter) : undefined;
  return {
    code: "unexpected",
    title: status === 503 ? "The service is under maintenance" : "The service sent an unexpected response",
    message: `The response had status ${status}.`,
    faults: [],
    advice: wait === undefined ? "Try again in a moment." : `Try again in ${waitText(wait)}.`,
    waitSeconds: status === 503 && wait !== undefined && wait <= WAIT_MAX_S ? wait : undefined,
  };
}
