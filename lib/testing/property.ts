/**
 * How a property test runs: with the same cases each time, so that a failure is caused by the change. PROPERTY_RUNS and
 * PROPERTY_SEED explore further: `PROPERTY_RUNS=2000 PROPERTY_SEED=$RANDOM npm run unit -- lib/engine`.
 */
export function propertyParameters(runs: number): { numRuns: number; seed: number; endOnFailure: true } {
  return {
    numRuns: Number(process.env.PROPERTY_RUNS ?? runs),
    seed: Number(process.env.PROPERTY_SEED ?? 20_260_101),
    endOnFailure: true,
  };
}

/** How often something is tried: the tests' default, or as set by `npm run trial`. */
export const trialRuns = (
  variable:
    | "KILLS"
    | "SYNC_KILLS"
    | "VIEW_KILLS"
    | "BUILD_KILLS"
    | "PUBLISHINGS"
    | "BIG_CSV_ROWS"
    | "YEAR_DAYS"
    | "ROLLING_REQUESTS"
    | "RELEASE_REQUESTS"
    | "CLUSTER_REQUESTS"
    | "CLUSTER_KILL_SECONDS"
    | "SEQUENCES"
    | "REFRESHES"
    | "FULL_DISK"
    | "QUEUED_RUNS"
    | "SHOWCASE_RECIPES"
    | "CORPUS_EVERY"
    | "LAW_FILES"
    | "DOOR_RUNS"
    | "DAMAGED_FILES"
    | "STATE_EVENTS"
    | "SERVER_TURNS"
    | "BAND_FLOATS"
    | "BAND_WIDTHS"
    | "VIEW_ROWS"
    | "ZONES",
  runs: number,
): number => Number(process.env[variable] ?? runs);
