import { env } from "@/lib/kernel/env";
import { confirmGeneration } from "@/lib/store/postgres/generation";
import {
  addAmount,
  addBelow,
  type CountedWindow,
  countRequest,
  countWindow,
  readCounters,
} from "@/lib/store/usage/counters";
import { countInMemory, isReachedInMemory } from "./memory-counters";
import {
  addAmountInRedis,
  addBelowInRedis,
  countInRedis,
  countLightInRedis,
  readRedisCounters,
} from "./redis-counters";

/**
 * Where requests are counted: in Redis if it is configured, so all instances share one count; otherwise in PostgreSQL
 * or, for requests that must cost little, in memory.
 */
const inRedis = (): boolean => env().REDIS_URL !== undefined;

/**
 * Counts one request in the minute and, only if that passed, in the day; exact under concurrency. Fails with
 * `unavailable` if the store is unavailable, and with `OutdatedFacts`, without counting, if the generation `under` has
 * ended.
 */
export const countExactly: typeof countRequest = async (subject, minute, day, under) => {
  if (!inRedis()) return await countRequest(subject, minute, day, under);
  await confirmGeneration(under);
  return await countInRedis(subject, minute, day);
};

/** Counts one request that must cost next to nothing; null if the minute's limit was already reached. */
export const countLightly = (subject: string, minute: CountedWindow): Promise<number | null> =>
  (inRedis() ? countLightInRedis : countInMemory)(subject, minute);

/** Counts one request in one window, exact under concurrency; null if its limit was already reached. */
export const countInWindow: typeof countWindow = (subject, window) =>
  (inRedis() ? countLightInRedis : countWindow)(subject, window);

/** Whether a `countLightly` limit is reached for the minute. Counts nothing. */
export const isReached = async (subject: string, minute: CountedWindow): Promise<boolean> =>
  inRedis()
    ? ((await readRedisCounters([{ subject, ...minute }]))[0] ?? 0) >= minute.limit
    : isReachedInMemory(subject, minute);

/** What `countExactly` has counted so far, in the order requested. */
export const readCounts: typeof readCounters = (windows) => (inRedis() ? readRedisCounters : readCounters)(windows);

/** Adds an amount to a counter unless that would reach `bound`; false if it would. Exact under concurrency. */
export const addUnlessReached: typeof addBelow = (window, amount, bound) =>
  (inRedis() ? addBelowInRedis : addBelow)(window, amount, bound);

/** Adds an amount, which may be negative. */
export const addToCounter: typeof addAmount = (window, amount) =>
  (inRedis() ? addAmountInRedis : addAmount)(window, amount);
