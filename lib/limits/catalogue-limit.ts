import { processWide } from "@/lib/process-wide";
import { addressBlock } from "./address";
import type { LimitState } from "./rate-limit";
import { MINUTE_MS, windowState } from "./window";

const BLOCKS_MAX = 25_000;

/** Two generations of counts: when the younger is full it becomes the older, whose entries are gone at the next change. */
interface Minute {
  startMs: number;
  younger: Map<string, number>;
  older: Map<string, number>;
}

const emptyMinute = (startMs: number): Minute => ({ startMs, younger: new Map(), older: new Map() });

/**
 * Counts one cheap read of an address, in this process's memory alone. Beyond 25,000 address blocks a minute those that came first are
 * forgotten: whoever holds that many has as many shares anyway.
 */
export function takeCatalogueRead(address: string, limit: number, now: Date = new Date()): LimitState {
  const window = windowState(limit, MINUTE_MS, now);
  const startMs = window.startAt.getTime();
  const minute = processWide<Minute>("catalogue-reads", () => emptyMinute(startMs));
  if (minute.startMs !== startMs) Object.assign(minute, emptyMinute(startMs));
  const used = countIn(minute, addressBlock(address), limit);
  return { refusedBy: used > limit ? "minute" : null, minute: { ...window, remaining: Math.max(0, limit - used) } };
}

/** Uses so far with this one; stays at one over the limit. */
function countIn(minute: Minute, block: string, limit: number): number {
  const before = minute.younger.get(block) ?? minute.older.get(block) ?? 0;
  if (minute.younger.size >= BLOCKS_MAX) Object.assign(minute, { older: minute.younger, younger: new Map() });
  const used = Math.min(before + 1, limit + 1);
  minute.younger.set(block, used);
  return used;
}
