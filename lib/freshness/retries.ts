const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Delays before a refresh is retried, failure by failure. */
const RETRIES_MS = [5 * MINUTE_MS, 15 * MINUTE_MS, 60 * MINUTE_MS] as const;
/** After this many consecutive failures, a schedule reads at most once a day. */
const SLOW_AFTER = 10;
/** After this long at once a day, it pauses. */
const PAUSE_AFTER_MS = 30 * DAY_MS;

export interface Failing {
  failuresInRow: number;
  /** Since when it reads at most once a day. */
  slowedAt: number | null;
}

/** What a schedule does after a failed refresh, which `failuresInRow` already includes. */
export interface AfterFailure {
  /** When to try again before the next planned reading; null for not at all. */
  retryAt: number | null;
  /** Readings are planned no earlier. */
  notBefore: number;
  slowedAt: number | null;
  pauses: boolean;
}

/** `isPassing`: the failure may be temporary. */
export function afterFailure({ failuresInRow, slowedAt }: Failing, isPassing: boolean, now: number): AfterFailure {
  const waitMs = isPassing ? RETRIES_MS[failuresInRow - 1] : undefined;
  const isSlow = failuresInRow >= SLOW_AFTER;
  const since = isSlow ? (slowedAt ?? now) : null;
  return {
    retryAt: waitMs === undefined ? null : now + waitMs,
    notBefore: isSlow ? now + DAY_MS : now,
    slowedAt: since,
    pauses: since !== null && now - since >= PAUSE_AFTER_MS,
  };
}
