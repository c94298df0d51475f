import type { Observation } from "./evidence";

const CORRECTION_MS = 3_600_000;

/** A change of a source's rows, by when it was seen. */
export interface Change {
  at: number;
  /** Since the good reading before: the change happened somewhere in it. */
  uncertaintyMs: number;
}

/** What readings saw, ascending. A change within an hour of another is a correction of it. */
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

/** Readings that failed since the last good one. */
export const failuresInARow = (observations: readonly Observation[]): number =>
  observations.length - 1 - observations.findLastIndex(({ ok }) => ok);
