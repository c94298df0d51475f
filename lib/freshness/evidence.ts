import type { FreshnessReason, FreshnessState } from "@/lib/schemas/freshness";
import type { Refresh } from "@/lib/schemas/recipe";

/** One reading of a source. Times are milliseconds since 1970. */
export interface Observation {
  at: number;
  /** False if it could not be read, which says nothing about its rows. */
  ok: boolean;
  /** Whether its rows differ from those of the previous successful reading; null for the first. */
  changed: boolean | null;
  /**
   * The release that was read in place of the source, dated at the release's own time. Nobody read the source then, so
   * that it is evidence of changes but not of the current state.
   */
  replayed?: string;
  /** Nobody read the source then: the service knows by itself that nothing has arrived, as between uploads. */
  isKnown?: true;
}

export type SourceStatus = "active" | "static" | "retired";

/** A source that is a table of this service. Whether it is current is known without reading it. */
export interface Upstream {
  verdict: Verdict;
  /** Since when it has a release that this table was not built from; null if there is none. */
  newerSince: number | null;
}

export interface SourceEvidence {
  name: string;
  /** False if its name is hidden from the caller; it still counts. */
  listed: boolean;
  status: SourceStatus;
  /** In any order. For a static or retired source, only those since it was declared so. */
  observations: readonly Observation[];
  /** In place of observations. */
  upstream?: Upstream | undefined;
}

export interface ReleaseEvidence {
  sealedAt: number;
  /** The last day that the data covers: YYYY-MM-DD. */
  dataThrough: string | null;
}

/** Everything that a verdict is based on. */
export interface Evidence {
  sources: readonly SourceEvidence[];
  /** In any order; the newest is the current one. */
  releases: readonly ReleaseEvidence[];
  /** Whether a refresh failed after the newest release. */
  failedRefreshAfter: boolean;
  /** With its anchor filled in. */
  schedule: (Refresh & { anchor: string }) | null;
  /** Time between readings of the sources while an update is expected. */
  readingIntervalMs: number;
  /** How long after the newest reading the next one was planned; readingIntervalMs if absent. */
  nextReadMs?: number;
}

/** When the next update is expected: milliseconds since 1970. */
export interface UpdateWindow {
  earliest: number;
  latest: number;
}

export type Confidence = "high" | "medium" | "low" | "none";

/** The verdict on one source or on the table. */
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
  /** The source that decides, if it is listed. */
  blockingSource: string | null;
  dataThrough: string | null;
  lastGoodAfterFailedRefresh: boolean;
  unlistedSourceCount: number;
  /** The listed sources. */
  sources: readonly SourceVerdict[];
}
