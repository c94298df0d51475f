import { waitText } from "@/components/form/wait-text";
import { ERRORS } from "@/lib/errors";
import type { Envelope } from "@/lib/http/envelope";

/** Why there is no answer, for the person who waits for it. */
export interface Problem {
  code: string;
  title: string;
  message: string;
  /** One sentence for each part of the query that is at fault. */
  faults: readonly string[];
  /** What helps. */
  advice: string;
  requestId?: string | undefined;
  /** In how many seconds asking again may help; the page then asks by itself. */
  waitSeconds?: number | undefined;
}

export const OFFLINE: Problem = {
  code: "unreachable",
  title: "The service could not be reached",
  message: "No answer came over the network.",
  faults: [],
  advice: "Check your connection and try again. Nothing you set up here is lost.",
};

export const TOOK_TOO_LONG: Problem = {
  code: "timeout",
  title: "No answer in time",
  message: "The service did not answer within 30 seconds.",
  faults: [],
  advice: "Try again, or narrow the query with a filter.",
};

const TITLES: Readonly<Partial<Record<Envelope["error"], string>>> = {
  rate_limited: "Too many queries in a minute",
  daily_quota_exhausted: "No queries left today",
  result_too_large: "The result is too large",
  busy: "The service is busy",
  unavailable: "The service cannot answer just now",
  query_timeout: "The query took too long",
};

const ADVICE: Readonly<Partial<Record<Envelope["error"], string>>> = {
  rate_limited:
    "Without a key an address has a small allowance; a use key has twice as many queries, each with a hundred " +
    "times the rows.",
  daily_quota_exhausted: "A use key has an allowance of its own, and reads the whole table at once.",
  result_too_large: "Show fewer columns or groups, add a filter, or use a key, whose replies may be larger.",
  invalid_limit: "Set a smaller limit, or use a key, which takes up to 10,000 rows.",
  key_missing: "Enter your use key, or go on without one.",
  key_invalid: "Compare it with the key you were shown, or go on without one.",
};

/** Errors that pass by themselves when one waits. */
const PASSING: ReadonlySet<string> = new Set(["rate_limited", "busy", "unavailable"]);
/** Longer waits are left to the person. */
const WAIT_MAX_S = 120;

/** A refusal in the words of the page. `keyed`: the query was sent with a key. */
export function problemOf(
  { error, message, details = [], request_id }: Envelope,
  retryAfter: string | null,
  { keyed }: { keyed: boolean },
): Problem {
  const wait = Number(retryAfter) > 0 ? Number(retryAfter) : undefined;
  const advice = (keyed && error === "rate_limited" ? undefined : ADVICE[error]) ?? ERRORS[error]?.fix ?? "Try again.";
  return {
    code: error,
    title: TITLES[error] ?? ERRORS[error]?.title ?? "The query was refused",
    message: wait === undefined ? message : `${message} It can be asked again in ${waitText(wait)}.`,
    faults: details.map(
      (detail) =>
        `${detail.message}${detail.did_you_mean === undefined ? "" : ` Did you mean ${JSON.stringify(detail.did_you_mean)}?`}`,
    ),
    advice,
    requestId: request_id,
    waitSeconds: wait !== undefined && wait <= WAIT_MAX_S && PASSING.has(error) ? wait : undefined,
  };
}

/** An answer in no form of the service's own, such as a proxy's page or the maintenance notice. */
export function plainProblem(status: number, retryAfter: string | null): Problem {
  const wait = Number(retryAfter) > 0 ? Number(retryAfter) : undefined;
  return {
    code: "unexpected",
    title: status === 503 ? "The service is being maintained" : "The service gave no answer",
    message: `The query was answered with status ${status}.`,
    faults: [],
    advice: wait === undefined ? "Try again in a moment." : `Try again in ${waitText(wait)}.`,
    waitSeconds: status === 503 && wait !== undefined && wait <= WAIT_MAX_S ? wait : undefined,
  };
}
