/**
 * Number of edits from one string to the other, where swapping two neighbouring letters counts as one (optimal string
 * alignment), or `bound` if there are at least that many. Takes time proportional to the shorter string and the bound.
 * A letter outside the Basic Multilingual Plane counts as two.
 */
export function editDistance(a: string, b: string, bound: number): number {
  if (Math.abs(a.length - b.length) >= bound) return bound;
  const rows: Rows = { beforeLast: [], last: Array.from({ length: b.length + 1 }, (_, column) => column), next: [] };
  for (let row = 1; row <= a.length; row++) {
    if (fillRow(a, b, row, bound, rows) >= bound) return bound;
    [rows.beforeLast, rows.last, rows.next] = [rows.last, rows.next, rows.beforeLast];
  }
  return Math.min(at(rows.last, b.length), bound);
}

interface Rows {
  beforeLast: number[];
  last: number[];
  next: number[];
}

/** Fills the cells closer to the diagonal than the bound, and returns the least of them. */
function fillRow(a: string, b: string, row: number, bound: number, { beforeLast, last, next }: Rows): number {
  const first = Math.max(1, row - bound);
  const end = Math.min(b.length, row + bound);
  next.length = 0;
  next[first - 1] = first === 1 ? row : bound;
  let least = at(next, first - 1);
  for (let column = first; column <= end; column++) {
    const replaced = at(last, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
    const swapped = isSwap(a, b, row, column) ? at(beforeLast, column - 2) + 1 : bound;
    next[column] = Math.min(replaced, at(last, column) + 1, at(next, column - 1) + 1, swapped);
    least = Math.min(least, at(next, column));
  }
  return least;
}

function isSwap(a: string, b: string, row: number, column: number): boolean {
  return row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
