import { LIMIT_DEFAULT } from "@/lib/engine/grammar/bounds";
import { type BucketName, bucketsFor } from "@/lib/engine/types/buckets";
import { columnTypeOf } from "@/lib/engine/types/column-types";
import type { Column } from "@/lib/schemas/column";

const DAY_MS = 86_400_000;
const SPANS: readonly (readonly [BucketName, number])[] = [
  ["minute", 60_000],
  ["hour", 3_600_000],
  ["day", DAY_MS],
  ["month", 30.4 * DAY_MS],
];

/** The shortest time span with no more groups than a page shows; undefined for columns without times. */
export function usualBucket(
  column: Pick<Column, "name" | "type"> & { profile?: Column["profile"] },
): BucketName | undefined {
  const offered = bucketsFor(columnTypeOf(column));
  if (offered.length === 0) return undefined;
  const [from, to] = [column.profile?.min, column.profile?.max].map((end) => Date.parse(String(end)));
  const lengthMs = (to ?? Number.NaN) - (from ?? Number.NaN);
  const fits = SPANS.find(([name, spanMs]) => offered.includes(name) && lengthMs / spanMs < LIMIT_DEFAULT);
  return fits?.[0] ?? (Number.isNaN(lengthMs) ? "month" : "year");
}
