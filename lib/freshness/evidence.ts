import type { FreshnessReason, FreshnessState } from "@/lib/schemas/freshness";
import type { Refresh } from "@/lib/schemas/recipe";

/** One reading of a source. Times are milliseconds since 1970. */
export interface Observation {
  at: number;
  /** False: it could not be read, which says nothing of its rows. */
  ok: boolean;
  /** Whether its rows differ from those of the good reading before; null for the first. */
  changed: boolean | null;
  /**
   * The release that was read in place of the source, at its own time: nobody asked the source then, so that it tells
   * of changes, and not of how things stand.
   */
  replayed?: string;
}

export type SourceStatus = "active" | "static" | "retired";

/** A source that is a table of this service: whether that is current is known, so that nobody reads it for that. */
export interface Upstream {
  verdict: Verdict;
  /** Since when it has a release that this table was not made from; null where there is none. */
  newerSince: number | null;
}

export interface SourceEvidence {
  name: string;
  /** False: its name is not shown to who asks; it is counted. */
  listed: boolean;
  status: SourceStatus;
  /** In any order. Of a static or retired source, those since it was declared so. */
  observations: readonly Observation[];
  /** In place of observations. */
  upstream?: Upstream | undefined;
}

export interface ReleaseEvidence {
  sealedAt: number;
  /** The last day that the data covers: YYYY-MM-DD. */
  dataThrough: string | null;
}

/** All that a verdict is drawn from. */
export interface Evidence {
  sources: readonly SourceEvidence[];
  /** In any order; the newest is the current one. */
  releases: readonly ReleaseEvidence[];
  /** Whether a refresh failed after the newest release. */
  failedRefreshAfter: boolean;
  /** With its anchor filled in. */
  schedule: (Refresh & { anchor: string }) | null;
  /** How far apart the sources are read while an update is expected. */
  readingIntervalMs: number;
  /** How long after the newest reading the next one was planned; readingIntervalMs where absent. */
  nextReadMs?: number;
}

/** When the next update is expected: milliseconds since 1970. */
export interface UpdateWindow {
  earliest: number;
  latest: number;
}

export type Confidence = "high" | "medium" | "low" | "none";

/** What is said of one source, or of the table. */
export interface Verdict {
  state: FreshnessState;
  reason: FreshnessReason;
  confidence: Confidence;
  window: UpdateWindow | null;
  lastObservedAt: number | null;
  lastChangedAt: number | null;
}

export interface SourceVerdict extends Verdict {
  name: string;
  consecutiveFailures: number;
}

export interface TableVerdict extends Verdict {
  /** The source that decides, where it is listed. */
  blockingSource: string | null;
  dataThrough: string | null;
  lastGoodAfterFailedRefresh: boolean;
  unlistedSourceCount: number;
  /** Those that are listed. */
  sources: readonly SourceVerdict[];
}
