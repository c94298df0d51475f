export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;

/** One fixed window of time, aligned to UTC, and what remains of it. */
export interface WindowState {
  startAt: Date;
  limit: number;
  lengthSeconds: number;
  /** Requests left; null if unknown. */
  remaining: number | null;
  /** Until the window ends, rounded up. */
  resetSeconds: number;
}

/** The window of the given length that contains `now`, still unused. */
export function windowState(limit: number, lengthMs: number, now: Date): WindowState {
  const into = now.getTime() % lengthMs;
  return {
    startAt: new Date(now.getTime() - into),
    limit,
    lengthSeconds: lengthMs / 1000,
    remaining: limit,
    resetSeconds: Math.ceil((lengthMs - into) / 1000),
  };
}
