/**
 * How many letters must be put in, left out, replaced or swapped with their neighbour to make one word of the other
 * (optimal string alignment).
 */
export function editDistance(a: string, b: string): number {
  const [from, to] = [[...a], [...b]];
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const next = [row];
    for (let column = 1; column <= to.length; column++)
      next.push(cheapest(from, to, row, column, { beforeLast, last, next }));
    [beforeLast, last] = [last, next];
  }
  return last[to.length] ?? 0;
}

interface Rows {
  beforeLast: readonly number[];
  last: readonly number[];
  next: readonly number[];
}

function cheapest(
  from: readonly string[],
  to: readonly string[],
  row: number,
  column: number,
  { beforeLast, last, next }: Rows,
): number {
  const at = (costs: readonly number[], index: number) => costs[index] ?? Number.POSITIVE_INFINITY;
  const same = from[row - 1] === to[column - 1];
  const costs = [at(last, column) + 1, at(next, column - 1) + 1, at(last, column - 1) + (same ? 0 : 1)];
  const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
  if (swapped) costs.push(at(beforeLast, column - 2) + 1);
  return Math.min(...costs);
}
