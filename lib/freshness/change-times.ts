import type { Observation } from "./evidence";

const CORRECTION_MS = 3_600_000;

/** A change of a source's rows, with the time at which it was detected. */
export interface Change {
  at: number;
  /** Time since the previous successful reading; the change happened at some point in between. */
  uncertaintyMs: number;
}

/** The changes that readings detected, ascending. A change within an hour of another is a correction of it. */
export function changesOf(observations: readonly Observation[]): Change[] {
  const changes: Change[] = [];
  let lastGood: number | undefined;
  for (const { at, ok, changed } of observations) {
    if (!ok) continue;
    const isCorrection = at - (changes.at(-1)?.at ?? Number.NEGATIVE_INFINITY) < CORRECTION_MS;
    if (changed && !isCorrection) changes.push({ at, uncertaintyMs: at - (lastGood ?? at) });
    lastGood = at;
  }
  return changes;
}

/** Number of readings that failed since the last successful one. */
export const failuresInARow = (observations: readonly Observation[]): number =>
  observations.length - 1 - observations.findLastIndex(({ ok }) => ok);
