/**
 * Of so many misspelled names of a request the candidates are sought: in a wide table each takes tens of milliseconds.
 */
export const MEANT_MAX = 20;

/** The candidate that a misspelled name most likely meant, regardless of case. Undefined when none is near. */
export function didYouMean(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase().slice(0, 100);
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(wanted, candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Edits from a to b, where two letters changing places are one; `bound` when it is that or more. */
function editDistance(a: string, b: string, bound: number): number {
  if (Math.abs(a.length - b.length) >= bound) return bound;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swapped = isSwap(a, b, i, j) ? at(before, j - 2) + 1 : bound;
      const replaced = at(row, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, at(row, j) + 1, at(next, j - 1) + 1, swapped));
    }
    [before, row] = [row, next];
  }
  return Math.min(at(row, b.length), bound);
}

function isSwap(a: string, b: string, i: number, j: number): boolean {
  return i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? 0;
}
