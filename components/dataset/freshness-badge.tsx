import { Badge, type Tone } from "@/components/ui/badge";
import type { Dataset } from "@/lib/schemas/dataset";
import { FRESHNESS_REASONS, FRESHNESS_STATES, type FreshnessState } from "@/lib/schemas/freshness";

const TONES: Readonly<Record<FreshnessState, Tone>> = {
  fresh: "ok",
  awaiting_update: "info",
  learning: "info",
  stale: "warning",
  source_unhealthy: "danger",
  dormant: "neutral",
  unknown: "neutral",
};

/** Whether there is evidence: if no source is watched, nothing is known. */
export const isWatched = ({ state }: Pick<Dataset["freshness"], "state">): boolean => state !== "unknown";

/** The freshness of the data in a word, with its meaning on hover. */
export const FreshnessBadge = ({ state }: Pick<Dataset["freshness"], "state">) => (
  <Badge tone={TONES[state]} title={FRESHNESS_STATES[state].meaning}>
    {FRESHNESS_STATES[state].title}
  </Badge>
);

/** The same, with its reason as text. */
export const Freshness = ({ state, reason_code }: Dataset["freshness"]) => (
  <>
    <FreshnessBadge state={state} />{" "}
    <span className="mt-1 block text-muted text-xs">{FRESHNESS_REASONS[reason_code].meaning}</span>
  </>
);
