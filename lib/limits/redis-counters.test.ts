import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import type { Redis } from "ioredis";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { readSettings } from "@/lib/kernel/env";
import { forgetProcessWide, processWide } from "@/lib/kernel/process-wide";
import { useTestState } from "@/lib/testing/database";
import { RedisServer } from "@/lib/testing/redis-server";
import { takeRangeBytes } from "./range-bytes";
import { readLeft, takeAttempt, takeDownload, takeLight, takeQuery } from "./rate-limit";
import type { LimitState } from "./rate-limit-headers";
import { closeRedis } from "./redis-counters";
import { keySubject } from "./subject";

const state = useTestState();
const NOW = new Date("2026-11-20T12:00:18.500Z");
const LIMITS = { minute: 60, day: 5000 };
const subject = () => keySubject(randomUUID());
const passed = (states: LimitState[]) => states.filter((one) => one.rejectedBy === null).length;
let redis: RedisServer;

beforeAll(async () => {
  redis = await RedisServer.start();
  useRedisAt(redis.url);
});

afterEach(() => closeRedis());
afterAll(() => redis.remove());

/** Waits for a long time, because the machine may be busy, unless it must time out. */
function useRedisAt(url: string, timeoutMs = 60_000): void {
  const [database, folder] = [state.databaseUrl(), state.dataDir()];
  const variables = {
    DATABASE_URL: database,
    PARQUETRY_DATA_DIR: folder,
    REDIS_URL: url,
    REDIS_TIMEOUT_MS: String(timeoutMs),
  };
  forgetProcessWide("settings");
  processWide("settings", () => readSettings(variables));
}

/** Takes queries in a separate process. Returns how many passed. */
async function passedElsewhere(key: string, count: number): Promise<number> {
  const script = `
    import { takeQuery } from "@/lib/limits/rate-limit";
    import { closeRedis } from "@/lib/limits/redis-counters";
    const takes = Array.from({ length: ${count} }, () => takeQuery("${key}", ${JSON.stringify(LIMITS)}, new \
Date(${NOW.getTime()})));
    const states = await Promise.all(takes);
    process.stdout.write(String(states.filter((state) => state.rejectedBy === null).length));
    closeRedis();`;
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script], {
    cwd: resolve(import.meta.dirname, "../.."),
    env: { REDIS_URL: redis.url } as unknown as NodeJS.ProcessEnv,
    stdio: ["ignore", "pipe", "inherit"],
  });
  return Number(await text(child.stdout));
}

describe("the same count as in PostgreSQL", () => {
  test(
    "two other processes and this one share one count: exactly 60 of 150 pass, and no rejected one counts against " +
      "the day",
    async () => {
      const key = subject();
      const [here, ...there] = await Promise.all([
        Promise.all(Array.from({ length: 50 }, () => takeQuery(key, LIMITS, NOW))).then(passed),
        passedElsewhere(key, 50),
        passedElsewhere(key, 50),
      ]);
      expect(here + there.reduce((sum, count) => sum + count, 0)).toBe(60);
      expect((await takeQuery(key, LIMITS, new Date(NOW.getTime() + 60_000))).day?.remaining).toBe(5000 - 61);
    },
  );

  test("ranges of a file count as one download per whole file, in parallel too", async () => {
    const file = { subject: subject(), versionId: randomUUID(), sizeBytes: 90 };
    let paid = 0;
    const pay = async () => {
      paid += 1;
    };
    await Promise.all(
      Array.from({ length: 40 }, (_, index) => takeRangeBytes(file, [45, 9, 36][index % 3] ?? 0, pay, NOW)),
    );
    expect(paid).toBe(Math.floor((14 * 45 + 13 * 9 + 13 * 36) / 90));
    const reject = () => Promise.reject(new Error("used up"));
    await expect(takeRangeBytes(file, 90, reject, NOW)).rejects.toThrow("used up");
    await expect(takeRangeBytes(file, 90, reject, NOW)).rejects.toThrow("used up");
  });

  test("a used-up daily quota rejects, and its rejections count in the minute", async () => {
    const key = subject();
    for (let i = 0; i < 3; i += 1) await takeQuery(key, { minute: 60, day: 3 }, NOW);
    const rejected = await takeQuery(key, { minute: 60, day: 3 }, NOW);
    expect(rejected).toMatchObject({ rejectedBy: "day", minute: { remaining: 56 }, day: { remaining: 0 } });
    expect((await takeQuery(key, { minute: 60, day: 3 }, new Date("2026-11-21T00:00:00Z"))).rejectedBy).toBeNull();
  });

  test("kinds of requests and subjects have separate windows", async () => {
    const key = subject();
    const once = { minute: 1, day: 1 };
    await takeQuery(key, once, NOW);
    expect((await takeDownload(key, once, NOW)).rejectedBy).toBeNull();
    expect((await takeAttempt("sign-in", key, once, NOW)).rejectedBy).toBeNull();
    expect((await takeLight("catalogue", key, 1, NOW)).rejectedBy).toBeNull();
    expect((await takeQuery(subject(), once, NOW)).rejectedBy).toBeNull();
    expect((await takeQuery(key, once, NOW)).rejectedBy).toBe("minute");
    expect((await takeLight("catalogue", key, 1, NOW)).rejectedBy).toBe("minute");
  });

  test("reading the remaining quota does not consume it", async () => {
    const key = subject();
    for (let i = 0; i < 4; i += 1) await takeQuery(key, { minute: 3, day: 9 }, NOW);
    const [left, untouched] = await readLeft("query", [key, subject()], { minute: 3, day: 9 }, NOW);
    expect(left).toMatchObject({
      minute: { limit: 3, remaining: 0, resetSeconds: 42 },
      day: { limit: 9, remaining: 6 },
    });
    expect(untouched).toMatchObject({ minute: { remaining: 3 }, day: { remaining: 9 } });
  });

  test("keys expire with their window", async () => {
    const key = subject();
    await takeQuery(key, LIMITS, NOW);
    const keys = (await redis.ask("KEYS", `*${key}*`)) as string[];
    const lives = await Promise.all(keys.map(async (name) => [name.split(":").at(-2), await redis.ask("TTL", name)]));
    expect(Object.fromEntries(lives)).toEqual({
      "query-minute": expect.closeTo(120, -1),
      "query-day": expect.closeTo(172_800, -2),
    });
  });
});

describe("an outage", () => {
  test("Redis killed: 503, none passes uncounted; restarted: served, with the daily counts intact", async () => {
    const key = subject();
    const limits = { minute: 60, day: 5 };
    for (let i = 0; i < 3; i += 1) await takeQuery(key, limits, NOW);
    await redis.kill();
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => takeQuery(key, limits, NOW)));
    expect(
      outcomes.every(
        (outcome) =>
          outcome.status === "rejected" &&
          outcome.reason.code === "unavailable" &&
          outcome.reason.retryAfterSeconds === 5,
      ),
    ).toBe(true);
    await expect
      .poll(() => takeQuery(key, limits, NOW).catch(({ cause }) => String(cause)))
      .toMatch(/^Error: Redis: connect ECONNREFUSED/);
    await redis.restart();
    await expect
      .poll(() =>
        takeDownload(key, limits, NOW).then(
          ({ rejectedBy }) => rejectedBy,
          () => "down",
        ),
      )
      .toBeNull();
    expect(await takeQuery(key, limits, NOW)).toMatchObject({ rejectedBy: null, day: { remaining: 1 } });
    expect(await takeQuery(key, limits, NOW)).toMatchObject({ rejectedBy: null, day: { remaining: 0 } });
    expect((await takeQuery(key, limits, NOW)).rejectedBy).toBe("day");
  });

  test("Redis hangs: 503; resumed: served, with nothing counted twice", async () => {
    const key = subject();
    closeRedis();
    useRedisAt(redis.url, 1000);
    await takeQuery(key, LIMITS, NOW);
    const client = await processWide<Promise<Redis> | undefined>("redis", () => undefined);
    const hungUp = new Promise((resolve) => client?.once("close", resolve)); // an error precedes it
    redis.hang(true);
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => takeQuery(key, LIMITS, NOW)));
    expect(outcomes.every((outcome) => outcome.status === "rejected" && outcome.reason.code === "unavailable")).toBe(
      true,
    );
    await hungUp; // the client disconnects from a silent server
    redis.hang(false);
    await expect
      .poll(() =>
        takeDownload(key, LIMITS, NOW).then(
          () => "up",
          () => "down",
        ),
      )
      .toBe("up");
    const left = (await takeQuery(key, LIMITS, NOW)).minute.remaining ?? 0;
    expect(left).toBeGreaterThanOrEqual(60 - 12);
    closeRedis();
    useRedisAt(redis.url);
  });

  test("a wrong password is 503, and no password is logged", async () => {
    closeRedis();
    useRedisAt(redis.url.replace(redis.password, "another-password-that-no-log-may-hold"));
    const lines: string[] = [];
    const logger = pino({}, { write: (line) => void lines.push(line) });
    await takeQuery(subject(), LIMITS, NOW).catch((error) => logger.error({ err: error }, "request failed"));
    useRedisAt(redis.url);
    expect(lines.join()).toContain("unavailable");
    expect(lines.join()).toContain("Redis: WRONGPASS");
    expect(lines.join()).not.toContain("password-that-no-log-may-hold");
  });
});

test("counting takes one command", async () => {
  const calls = async () =>
    Number(/cmdstat_evalsha:calls=(\d+)/.exec(String(await redis.ask("INFO", "commandstats")))?.[1] ?? 0);
  await takeQuery(subject(), LIMITS, NOW);
  const before = await calls();
  for (let count = 0; count < 3; count += 1) await takeQuery(subject(), LIMITS, NOW);
  expect(await calls()).toBe(before + 3);
});
