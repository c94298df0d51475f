import { processWide } from "@/lib/kernel/process-wide";
import type { CountedWindow } from "@/lib/store/usage/counters";

const SUBJECTS_MAX = 25_000;

/**
 * Two generations of counts. When the younger is full it becomes the older one, whose entries are dropped at the next
 * rotation.
 */
interface Minute {
  startMs: number;
  younger: Map<string, number>;
  older: Map<string, number>;
}

const emptyMinute = (startMs: number): Minute => ({ startMs, younger: new Map(), older: new Map() });

/**
 * Counts one cheap request in this process's memory only; null if the limit was already reached. Beyond 25,000 subjects
 * per minute the oldest are forgotten: anyone with that many addresses has as many quotas anyway.
 */
export async function countInMemory(subject: string, { name, startAt, limit }: CountedWindow): Promise<number | null> {
  const startMs = startAt.getTime();
  const minute = processWide<Minute>("minute-counts", () => emptyMinute(startMs));
  if (minute.startMs !== startMs) Object.assign(minute, emptyMinute(startMs));
  const used = countIn(minute, `${name} ${subject}`, limit);
  return used > limit ? null : used;
}

/** Whether a minute's limit of `countInMemory` is reached. Counts nothing. */
export async function isReachedInMemory(subject: string, { name, startAt, limit }: CountedWindow): Promise<boolean> {
  const minute = processWide<Minute>("minute-counts", () => emptyMinute(startAt.getTime()));
  if (minute.startMs !== startAt.getTime()) return false;
  const entry = `${name} ${subject}`;
  return (minute.younger.get(entry) ?? minute.older.get(entry) ?? 0) >= limit;
}

/** Uses so far, including this one. Stops counting at one over the limit. */
function countIn(minute: Minute, entry: string, limit: number): number {
  const before = minute.younger.get(entry) ?? minute.older.get(entry) ?? 0;
  if (minute.younger.size >= SUBJECTS_MAX) Object.assign(minute, { older: minute.younger, younger: new Map() });
  const used = Math.min(before + 1, limit + 1);
  minute.younger.set(entry, used);
  return used;
}
