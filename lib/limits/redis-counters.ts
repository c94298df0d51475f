import type { Redis, RedisOptions } from "ioredis";
import { env } from "@/lib/kernel/env";
import { fail } from "@/lib/kernel/errors";
import { forgetProcessWide, processWide } from "@/lib/kernel/process-wide";
import type { Counted, CountedWindow, SubjectWindow } from "@/lib/store/usage/counters";

/**
 * Atomic and isolated in Redis. A window over its limit rejects without counting, and the windows after it are not
 * counted. Each key outlives its window by the window's length, for instances with different clocks, and then expires.
 */
const COUNT = `
local counts = {}
for i, key in ipairs(KEYS) do
  local used = tonumber(redis.call('GET', key) or '0')
  if used >= tonumber(ARGV[2 * i - 1]) then
    counts[i] = false
    return counts
  end
  counts[i] = redis.call('INCR', key)
  if used == 0 then redis.call('PEXPIRE', key, ARGV[2 * i]) end
end
return counts`;

/** Adds an amount unless the counter would reach the bound; without a bound, always. */
const ADD = `
local used = tonumber(redis.call('GET', KEYS[1]) or '0')
if ARGV[3] and used + tonumber(ARGV[1]) >= tonumber(ARGV[3]) then return 0 end
redis.call('INCRBY', KEYS[1], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1`;

const RECONNECT_MAX_MS = 500;

/**
 * A request waits for a connection or a reply for at most `REDIS_TIMEOUT_MS`. Nothing is resent after a broken
 * connection, because it may have been counted. Pending requests fail at each failed attempt to connect, so an outage
 * does not fill memory. A silent server is disconnected.
 */
const OPTIONS = {
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  retryStrategy: (attempt: number) => Math.min(50 * attempt, RECONNECT_MAX_MS),
  // the server became a replica: its name may now resolve to another one
  reconnectOnError: ({ message }: Error) => message.startsWith("READONLY"),
  scripts: { countWindows: { lua: COUNT }, addAmount: { lua: ADD, numberOfKeys: 1 } },
} satisfies RedisOptions;

const timeouts = () => {
  const ms = env().REDIS_TIMEOUT_MS;
  return { commandTimeout: ms, connectTimeout: ms, socketTimeout: 2 * ms };
};

interface CountingRedis extends Redis {
  countWindows(numberOfKeys: number, ...keysAndArguments: (string | number)[]): Promise<(number | null)[]>;
  addAmount(key: string, amount: number, lifeMs: number, bound?: number): Promise<0 | 1>;
  /** Why there is no connection. The errors of requests say only that there is none. */
  lastTrouble?: string | undefined;
}

/** The package is loaded on first use: most instances and commands have no Redis. */
const redis = (): Promise<CountingRedis> =>
  processWide("redis", async () => {
    const { Redis: Client } = await import("ioredis");
    const client = new Client(env().REDIS_URL ?? "", { ...OPTIONS, ...timeouts() }) as CountingRedis;
    client.on("error", ({ message, code }: NodeJS.ErrnoException) => {
      client.lastTrouble = message || code; // of two rejected addresses of one name only the code identifies the cause
    });
    client.on("ready", () => {
      client.lastTrouble = undefined;
    });
    return client;
  });

/**
 * Counts one request in the minute and, only if that passed, in the day, for all instances together. Fails with
 * `unavailable` if Redis is unavailable.
 */
export async function countInRedis(subject: string, minute: CountedWindow, day: CountedWindow): Promise<Counted> {
  const [inMinute = null, inDay = null] = await count(subject, [minute, day]);
  return { minute: inMinute, day: inDay };
}

/** The same for a minute only; null if its limit was already reached. */
export async function countLightInRedis(subject: string, minute: CountedWindow): Promise<number | null> {
  const [used = null] = await count(subject, [minute]);
  return used;
}

/** Requests in each window so far. */
export async function readRedisCounters(windows: readonly SubjectWindow[]): Promise<number[]> {
  const used = await answered((client) =>
    Promise.all(windows.map(({ subject, ...window }) => client.get(keyOf(subject, window)))),
  );
  return used.map(Number);
}

const TWO_DAYS_MS = 2 * 86_400_000;

/** Adds an amount to a day's counter unless that would reach `bound`; false if it would. */
export async function addBelowInRedis({ subject, ...window }: SubjectWindow, amount: number, bound: number) {
  return (await answered((client) => client.addAmount(keyOf(subject, window), amount, TWO_DAYS_MS, bound))) === 1;
}

/** Adds an amount, which may be negative, to a day's counter. */
export async function addAmountInRedis({ subject, ...window }: SubjectWindow, amount: number): Promise<void> {
  await answered((client) => client.addAmount(keyOf(subject, window), amount, TWO_DAYS_MS));
}

/** Closes the connection, if there is one. */
export function closeRedis(): void {
  const opened = processWide<Promise<Redis> | undefined>("redis", () => undefined);
  forgetProcessWide("redis");
  void opened?.then(
    (client) => client.disconnect(),
    () => undefined,
  );
}

const count = (subject: string, windows: readonly CountedWindow[]): Promise<(number | null)[]> =>
  answered((client) => {
    const keys = windows.map((window) => keyOf(subject, window));
    const bounds = windows.flatMap(({ limit, lengthMs }) => [limit, 2 * lengthMs]);
    return client.countWindows(keys.length, ...keys, ...bounds);
  });

/** The braces keep a subject's windows on one node of a cluster. */
const keyOf = (subject: string, { name, startAt }: Pick<CountedWindow, "name" | "startAt">): string =>
  `parquetry:{${subject}}:${name}:${startAt.getTime() / 1000}`;

/**
 * Every error becomes `unavailable`, never a free pass. The client's error is dropped: it contains commands, such as
 * the one with the password.
 */
async function answered<T>(ask: (client: CountingRedis) => Promise<T>): Promise<T> {
  let client: CountingRedis | undefined;
  try {
    client = await redis();
    return await ask(client);
  } catch (error) {
    const message = client?.lastTrouble ?? (error instanceof Error ? error.message : "failed");
    throw fail("unavailable", { retryAfterSeconds: 5, cause: new Error(`Redis: ${message}`) });
  }
}
