import { type BucketName, bucketsFor } from "@/lib/engine/types/buckets";
import { columnTypeOf } from "@/lib/engine/types/column-types";
import type { Column } from "@/lib/schemas/column";
import type { ChartSpec } from "./chart-spec";
import { positionOf } from "./measure";

const DAY_MS = 86_400_000;
const LENGTHS: readonly (readonly [BucketName, number])[] = [
  ["minute", 60_000],
  ["hour", 3_600_000],
  ["day", DAY_MS],
  ["week", 7 * DAY_MS],
  ["month", 30.44 * DAY_MS],
  ["quarter", 91.31 * DAY_MS],
  ["year", 365.25 * DAY_MS],
];

/** Points of a line, and bars over numbers or times. */
export const SPANS_MAX = { line: 400, bar: 60 } as const;
/** Spans with fewer rows on average would show chance. */
const ROWS_LEAST = 10;

/** The shortest spans of a time column of which fewer than `most` last as long as `length`. */
export function shortestSpan(column: Pick<Column, "type">, length: number, most: number): BucketName {
  const offered = bucketsFor(columnTypeOf(column));
  return LENGTHS.find(([name, ms]) => offered.includes(name) && length / ms < most)?.[0] ?? "year";
}

/** How rows are best counted over time: in spans of enough rows, as bars if they are few. */
export function countStep(column: Column, rows: number): Pick<ChartSpec, "kind" | "step"> {
  const [low, high] = [column.profile.min, column.profile.max].map((end) => positionOf(end, "time") ?? 0);
  const length = (high ?? 0) - (low ?? 0);
  const step = shortestSpan(column, length, Math.max(2, Math.min(SPANS_MAX.line, rows / ROWS_LEAST)));
  const [, ms = 1] = LENGTHS.find(([name]) => name === step) ?? [];
  return { kind: length / ms < SPANS_MAX.bar ? "bar" : "line", step };
}
