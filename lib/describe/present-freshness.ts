import type { SourceEvidence, SourceVerdict, TableVerdict, Verdict } from "@/lib/freshness/evidence";
import { RELEASE_CONTINUITY } from "@/lib/schemas/freshness";
import type { FreshnessReport } from "@/lib/schemas/freshness-report";
import type { TableReadings } from "@/lib/schemas/readings";

type Continuity = FreshnessReport["continuity"];

/** A verdict as it appears in documents. `continuity` is that of the current release, if there is one. */
export const presentFreshness = (verdict: TableVerdict, continuity: string | undefined): FreshnessReport => ({
  ...presentVerdict(verdict),
  continuity: continuityOf(continuity),
  blocking_source: verdict.blockingSource,
  data_through: verdict.dataThrough,
  last_good_after_failed_refresh: verdict.lastGoodAfterFailedRefresh,
  sources_incomplete: verdict.unlistedSourceCount > 0,
  unlisted_source_count: verdict.unlistedSourceCount,
  sources: verdict.sources.map(presentSource),
});

const presentSource = (source: SourceVerdict): FreshnessReport["sources"][number] => ({
  name: source.name,
  ...presentVerdict(source),
  consecutive_failures: source.consecutiveFailures,
});

const presentVerdict = ({ state, reason, confidence, window, lastObservedAt, lastChangedAt }: Verdict) => ({
  state,
  reason_code: reason,
  confidence,
  last_observed_at: timeOf(lastObservedAt),
  last_changed_at: timeOf(lastChangedAt),
  expected_next_earliest: timeOf(window?.earliest ?? null),
  expected_next_latest: timeOf(window?.latest ?? null),
});

/** The readings of sources, as they appear in documents. */
export const presentReadings = (sources: readonly SourceEvidence[]): TableReadings["sources"] =>
  sources.map(({ name, observations }) => ({
    name,
    readings: observations.map(({ at, ok, changed, replayed = null }) => ({
      ...{ at: new Date(at).toISOString(), ok, changed, replayed },
    })),
  }));

const timeOf = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

/** The stored value; not assessed if releases were never compared. */
export const continuityOf = (stored: string | undefined): Continuity =>
  stored !== undefined && Object.hasOwn(RELEASE_CONTINUITY, stored) ? (stored as Continuity) : "not_assessed";
