import { editDistance } from "@/lib/kernel/edit-distance";

/**
 * Maximum number of misspelled names per request for which candidates are searched: in a wide table each search takes
 * tens of milliseconds.
 */
export const MEANT_MAX = 20;

/** The candidate that a misspelled name most likely stands for, regardless of case. Undefined if none is close. */
export function didYouMean(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = name.slice(0, 100).toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(wanted, candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}
