import { env } from "@/lib/kernel/env";
import { addAmount, addBelow, type CountedWindow, countRequest, readCounters } from "@/lib/store/counters";
import { countInMemory, isReachedInMemory } from "./memory-counters";
import {
  addAmountInRedis,
  addBelowInRedis,
  countInRedis,
  countLightInRedis,
  readRedisCounters,
} from "./redis-counters";

/**
 * Where requests are counted: in Redis when it is set, so that all instances share one count, else in PostgreSQL and,
 * what is light, in memory.
 */
const inRedis = (): boolean => env().REDIS_URL !== undefined;

/**
 * Counts one request in the minute and, only when that passed, in the day; exact whatever else runs. `unavailable` when
 * the store is.
 */
export const countExactly: typeof countRequest = (subject, minute, day) =>
  (inRedis() ? countInRedis : countRequest)(subject, minute, day);

/** Counts one request that must cost next to nothing; null when the minute's limit was reached before. */
export const countLightly = (subject: string, minute: CountedWindow): Promise<number | null> =>
  (inRedis() ? countLightInRedis : countInMemory)(subject, minute);

/** Whether a minute of `countLightly` is used up; counts nothing. */
export const isReached = async (subject: string, minute: CountedWindow): Promise<boolean> =>
  inRedis()
    ? ((await readRedisCounters([{ subject, ...minute }]))[0] ?? 0) >= minute.limit
    : isReachedInMemory(subject, minute);

/** What `countExactly` has counted so far, in the order asked. */
export const readCounts: typeof readCounters = (windows) => (inRedis() ? readRedisCounters : readCounters)(windows);

/** Adds an amount to a counter unless it would reach `bound` by that; false when it would. Exact whatever else runs. */
export const addUnlessReached: typeof addBelow = (window, amount, bound) =>
  (inRedis() ? addBelowInRedis : addBelow)(window, amount, bound);

/** Adds an amount, which may be negative. */
export const addToCounter: typeof addAmount = (window, amount) =>
  (inRedis() ? addAmountInRedis : addAmount)(window, amount);
