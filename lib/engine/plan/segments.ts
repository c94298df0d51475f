import type { OrderKey } from "./planned";

/** A part of an ordered result that one statement reads. Rows are ordered by `order` and then by position. */
export interface Segment {
  equal: readonly { column: number; value: string | null }[];
  after?: { column: number; value: string; descending: boolean };
  afterPosition?: bigint;
  order: readonly OrderKey[];
  /** For unfiltered rows: whether to find the last value of the first key first, and then the rows up to it. */
  isBounded?: boolean;
}

/**
 * The segments that follow a row, nearest first: the rest of its ties, then for each key from the last to the first the
 * rows strictly after its value, and the nulls. Each can be pruned, unlike their union as one OR. `values` are the
 * row's order keys, null for null. Columns without nulls need no segment of nulls.
 */
export function segmentsAfter(
  order: readonly OrderKey[],
  values: readonly (string | null)[],
  position: bigint,
  mayContainNull: (column: number) => boolean,
): Segment[] {
  const equal = order.map(({ column }, index) => ({ column, value: values[index] ?? null }));
  const segments: Segment[] = [{ equal, afterPosition: position, order: [] }];
  for (let depth = order.length - 1; depth >= 0; depth--) {
    const key = order[depth];
    const value = values[depth] ?? null;
    if (!key || value === null) continue;
    const before = equal.slice(0, depth);
    segments.push({ equal: before, after: { ...key, value }, order: order.slice(depth) });
    if (mayContainNull(key.column))
      segments.push({ equal: [...before, { column: key.column, value: null }], order: order.slice(depth + 1) });
  }
  return segments;
}
