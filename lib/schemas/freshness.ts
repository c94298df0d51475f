/**
 * THE vocabulary of freshness: states, their reasons, confidence, and how a release relates to the previous one. Closed
 * lists.
 */
export const FRESHNESS_STATES = {
  fresh: { title: "Fresh", meaning: "Within the expected publication schedule." },
  awaiting_update: {
    title: "Awaiting update",
    meaning: "An update is due within the expected window and has not arrived yet.",
  },
  learning: { title: "Learning", meaning: "Not enough evidence yet to promise a schedule." },
  stale: { title: "Stale", meaning: "The expected window passed without an update." },
  source_unhealthy: {
    title: "Source unhealthy",
    meaning: "Two or more consecutive reads of a source failed; the last good release is still served.",
  },
  dormant: { title: "Dormant", meaning: "The source is retired or out of service and not expected to change." },
  unknown: { title: "Unknown", meaning: "Freshness could not be established." },
} as const satisfies Record<string, { title: string; meaning: string }>;

export type FreshnessState = keyof typeof FRESHNESS_STATES;

/** In the order in which the rules are evaluated: the first match decides. */
export const FRESHNESS_REASONS = {
  no_release: { state: "unknown", meaning: "Nothing has been released yet." },
  no_observation: {
    state: "unknown",
    meaning: "We don't track the source of this dataset, so we can't tell whether it's up to date.",
  },
  observation_overdue: {
    state: "unknown",
    meaning: "The latest check of the source is older than twice the check interval.",
  },
  evidence_conflict: { state: "unknown", meaning: "The evidence contradicts itself." },
  source_retired: { state: "dormant", meaning: "The source is declared retired." },
  source_static: { state: "dormant", meaning: "The source is declared complete: it is not expected to change." },
  source_reads_failing: { state: "source_unhealthy", meaning: "Two or more consecutive reads of the source failed." },
  not_enough_history: {
    state: "learning",
    meaning:
      "Nothing declares when its source is updated (refresh.expected_by), and too few updates have been seen to " +
      "learn it.",
  },
  no_regular_pattern: { state: "learning", meaning: "The updates seen so far follow no regular pattern." },
  within_expected_window: { state: "fresh", meaning: "The next update is not due yet." },
  update_window_open: { state: "awaiting_update", meaning: "The next update is due about now." },
  expected_window_passed: { state: "stale", meaning: "The next update should have arrived by now." },
} as const satisfies Record<string, { state: FreshnessState; meaning: string }>;

export type FreshnessReason = keyof typeof FRESHNESS_REASONS;

/** How confident the service is in the expected window. */
export const FRESHNESS_CONFIDENCE = {
  high: "The schedule is declared, or 12 intervals were seen with 9 of 10 past updates inside the window.",
  medium: "6 intervals were seen with 3 of 4 past updates inside the window.",
  low: "Fewer intervals were seen.",
  none: "No update window is known.",
} as const satisfies Record<string, string>;

/** The current release compared with the previous one. */
export const RELEASE_CONTINUITY = {
  continuous: "The current release continues where the previous one ended.",
  gap: "There is a gap between the previous release and the current one.",
  restated: "The current release changes rows of the previous one.",
  truncated: "The current release lacks rows of the previous one.",
  schema_changed: "The columns differ from those of the previous release.",
  first_release: "This is the first release.",
  not_assessed: "The releases were not compared.",
} as const satisfies Record<string, string>;
