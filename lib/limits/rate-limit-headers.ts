import { serializeList } from "structured-headers";

import type { WindowState } from "./window";

export interface LimitState {
  rejectedBy: "minute" | "day" | null;
  minute: WindowState;
  /**
   * Absent if no day is counted. Its `remaining` is null if the minute rejected the request, because the day is not
   * counted then.
   */
  day?: WindowState;
}

type Named = [name: string, state: WindowState];

/**
 * `RateLimit-Policy` with all windows, and `RateLimit` with the minute. The day is added once it has less left than the
 * minute, because it will be the next to reject (draft-ietf-httpapi-ratelimit-headers). The failure adds Retry-After.
 */
export function rateLimitHeaders(state: LimitState): Record<string, string> {
  const windows: Named[] = state.day
    ? [
        ["minute", state.minute],
        ["day", state.day],
      ]
    : [["minute", state.minute]];
  const tighter = (window: WindowState) =>
    (window.remaining ?? Number.POSITIVE_INFINITY) < (state.minute.remaining ?? 0);
  const shown = windows.filter(([name, window]) => name === "minute" || state.rejectedBy === name || tighter(window));
  return {
    "RateLimit-Policy": list(windows, ({ limit, lengthSeconds }) => [
      ["q", limit],
      ["w", lengthSeconds],
    ]),
    RateLimit: list(shown, ({ remaining, resetSeconds }) => [
      ["r", remaining ?? 0],
      ["t", resetSeconds],
    ]),
  };
}

const list = (windows: Named[], parameters: (window: WindowState) => [string, number][]): string =>
  serializeList(windows.map(([name, window]) => [name, new Map(parameters(window))]));
