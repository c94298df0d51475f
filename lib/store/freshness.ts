import type { FreshnessReason, FreshnessState } from "@/lib/schemas/freshness";

/**
 * Freshness is what observations of the sources say. Files published by hand come without any, so nothing is claimed of
 * them;
 * this and FRESHNESS are the only places that decide it.
 */
export const freshnessOf = (): { state: FreshnessState; reason_code: FreshnessReason } => ({
  state: "unknown",
  reason_code: "no_observation",
});

/** The state of a dataset `d`, as an SQL expression. */
export const FRESHNESS = `'${freshnessOf().state}'::text`;
