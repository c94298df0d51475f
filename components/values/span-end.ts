import type { BucketName } from "@/lib/engine/types/buckets";

/** The start of the span after the one that starts at `start`; parts of the calendar are not spans. */
const NEXT: Readonly<Partial<Record<BucketName, (start: Date) => void>>> = {
  year: (start) => start.setUTCFullYear(start.getUTCFullYear() + 1),
  quarter: (start) => start.setUTCMonth(start.getUTCMonth() + 3),
  month: (start) => start.setUTCMonth(start.getUTCMonth() + 1),
  week: (start) => start.setUTCDate(start.getUTCDate() + 7),
  day: (start) => start.setUTCDate(start.getUTCDate() + 1),
  hour: (start) => start.setUTCHours(start.getUTCHours() + 1),
  minute: (start) => start.setUTCMinutes(start.getUTCMinutes() + 1),
};

/** Whether a bucket's groups are spans of time, rather than parts of the calendar. */
export const isSpan = (bucket: BucketName): boolean => NEXT[bucket] !== undefined;

/** The end of the span that starts at an instant, in milliseconds since 1970. */
export function spanEnd(start: number, bucket: BucketName): number {
  const end = new Date(start);
  NEXT[bucket]?.(end);
  return end.getTime();
}
