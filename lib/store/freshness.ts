import type { FreshnessReason, FreshnessState } from "@/lib/schemas/freshness";

/**
 * Freshness is derived from observations of the sources. Files published by hand have none, so nothing is claimed about
 * them. Only this and FRESHNESS decide it.
 */
export const freshnessOf = (): { state: FreshnessState; reason_code: FreshnessReason } => ({
  state: "unknown",
  reason_code: "no_observation",
});

/** The state of a dataset `d`, as an SQL expression. */
export const FRESHNESS = `'${freshnessOf().state}'::text`;
