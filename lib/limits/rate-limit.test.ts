import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test, vi } from "vitest";
import { forgetProcessWide, processWide } from "@/lib/kernel/process-wide";
import { database } from "@/lib/store/postgres/database";
import { pruneCounters } from "@/lib/store/usage/counters";
import { useTestState } from "@/lib/testing/database";
import { enforce, readLeft, takeAttempt, takeDownload, takeQuery } from "./rate-limit";
import { type LimitState, rateLimitHeaders } from "./rate-limit-headers";

import { addressSubject, emailSubject, keySubject } from "./subject";

const state = useTestState();
const NOW = new Date("2026-11-20T12:00:18.500Z");
const LIMITS = { minute: 60, day: 5000 };
const subject = () => keySubject(randomUUID());

const passed = (states: LimitState[]) => states.filter((one) => one.rejectedBy === null).length;

test("the first query of a key shows the headers of the contract", async () => {
  const first = await takeQuery(subject(), LIMITS, NOW);
  expect(rateLimitHeaders(first)).toEqual({
    "RateLimit-Policy": '"minute";q=60;w=60, "day";q=5000;w=86400',
    RateLimit: '"minute";r=59;t=42',
  });
});

test(
  "100 parallel queries against 60 a minute: exactly 60 pass, and no " + "rejected one counts against the day",
  async () => {
    const key = subject();
    const states = await Promise.all(Array.from({ length: 100 }, () => takeQuery(key, LIMITS, NOW)));
    expect(passed(states)).toBe(60);
    const nextMinute = await takeQuery(key, LIMITS, new Date(NOW.getTime() + 60_000));
    expect(nextMinute.day?.remaining).toBe(5000 - 61);
  },
);

test("a used-up daily quota rejects until midnight UTC, and says so", async () => {
  const key = subject();
  for (let i = 0; i < 3; i += 1) await takeQuery(key, { minute: 60, day: 3 }, NOW);
  const rejected = await takeQuery(key, { minute: 60, day: 3 }, NOW);
  expect(rejected.rejectedBy).toBe("day");
  expect(rateLimitHeaders(rejected).RateLimit).toBe('"minute";r=56;t=42, "day";r=0;t=43182');
  expect(() => enforce(rejected)).toThrow(
    expect.objectContaining({ code: "daily_quota_exhausted", retryAfterSeconds: 43_182 }),
  );
  expect((await takeQuery(key, { minute: 60, day: 3 }, new Date("2026-11-21T00:00:00Z"))).rejectedBy).toBeNull();
});

test("downloads, queries and subjects have separate windows", async () => {
  const key = subject();
  await takeQuery(key, { minute: 1, day: 1 }, NOW);
  expect((await takeDownload(key, { minute: 1, day: 1 }, NOW)).rejectedBy).toBeNull();
  expect((await takeQuery(subject(), { minute: 1, day: 1 }, NOW)).rejectedBy).toBeNull();
  expect((await takeQuery(key, { minute: 1, day: 1 }, NOW)).rejectedBy).toBe("minute");
});

test("two other processes and this one share one count", async () => {
  const key = subject();
  const [here, ...there] = await Promise.all([
    Promise.all(Array.from({ length: 50 }, () => takeQuery(key, LIMITS, NOW))).then(passed),
    passedElsewhere(key, 50),
    passedElsewhere(key, 50),
  ]);
  expect(here + there.reduce((sum, count) => sum + count, 0)).toBe(60);
});

test("a restart does not reset daily quotas", async () => {
  const key = subject();
  expect(await passedElsewhere(key, 2, { minute: 60, day: 3 })).toBe(2);
  expect(await passedElsewhere(key, 2, { minute: 60, day: 3 })).toBe(1);
  expect((await takeQuery(key, { minute: 60, day: 3 }, NOW)).rejectedBy).toBe("day");
});

test("reading the remaining quota does not consume it", async () => {
  const key = subject();
  for (let i = 0; i < 4; i += 1) await takeQuery(key, { minute: 3, day: 9 }, NOW);
  const [left, untouched] = await readLeft("query", [key, subject()], { minute: 3, day: 9 }, NOW);
  expect(left).toMatchObject({ minute: { limit: 3, remaining: 0, resetSeconds: 42 }, day: { limit: 9, remaining: 6 } });
  expect(untouched).toMatchObject({ minute: { remaining: 3 }, day: { remaining: 9 } });
  expect(await readLeft("download", [key], { minute: 3, day: 9 }, NOW)).toMatchObject([
    { minute: { remaining: 3 }, day: { remaining: 9 } },
  ]);
  expect(await readLeft("query", [], LIMITS, NOW)).toEqual([]);
});

test("each kind of attempt has its own windows", async () => {
  const once = { minute: 1, day: 5 };
  const person = emailSubject("Ada@example.com");
  expect(emailSubject(" ada@example.com")).toBe(person);
  expect((await takeAttempt("sign-in", person, once, NOW)).rejectedBy).toBeNull();
  expect((await takeAttempt("mail", person, once, NOW)).rejectedBy).toBeNull();
  expect((await takeAttempt("sign-in", person, once, NOW)).rejectedBy).toBe("minute");
});

/** Takes queries in a separate process. Returns how many passed. */
async function passedElsewhere(key: string, count: number, limits = LIMITS): Promise<number> {
  const script = `
    import { takeQuery } from "@/lib/limits/rate-limit";
    import { closeDatabase } from "@/lib/store/postgres/database";
    const takes = Array.from({ length: ${count} }, () => takeQuery("${key}", ${JSON.stringify(limits)}, new \
Date(${NOW.getTime()})));
    const states = await Promise.all(takes);
    process.stdout.write(String(states.filter((state) => state.rejectedBy === null).length));
    await closeDatabase();`;
  const variables = { DATABASE_URL: state.databaseUrl(), PARQUETRY_DATA_DIR: state.dataDir() };
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script], {
    cwd: resolve(import.meta.dirname, "../.."),
    env: variables as unknown as NodeJS.ProcessEnv,
    stdio: ["ignore", "pipe", "inherit"],
  });
  return Number(await text(child.stdout));
}

test("addresses are stored only as keyed hashes", async () => {
  const hashed = addressSubject("198.51.100.77");
  expect(hashed).toMatch(/^address:[0-9a-f]{64}$/);
  expect(addressSubject("::ffff:198.51.100.77")).toBe(hashed);
  await takeQuery(hashed, LIMITS, NOW);
  const { pool } = await database();
  const { rows } = await pool.query('SELECT count(*)::int AS found FROM "Counter" WHERE "subject" LIKE $1', [
    "%198.51.100.77%",
  ]);
  expect(rows[0]).toEqual({ found: 0 });
});

test("old windows are pruned, current ones are kept", async () => {
  const key = subject();
  await takeQuery(key, LIMITS, new Date(Date.now() - 2 * 3_600_000));
  await takeQuery(key, LIMITS);
  await pruneCounters();
  const { pool } = await database();
  const { rows } = await pool.query(
    'SELECT count(*)::int AS minutes FROM "Counter" WHERE "subject" = $1 AND "window" = $2',
    [key, "query-minute"],
  );
  expect(rows[0]).toEqual({ minutes: 1 });
});

test("if the counter store is down, requests fail with 503 and Retry-After, and none passes uncounted", async () => {
  const working = processWide("database", () => null);
  forgetProcessWide("database");
  processWide("database", () => Promise.reject(new Error("connection refused")));
  await expect(takeQuery(subject(), LIMITS, NOW)).rejects.toMatchObject({ code: "unavailable", retryAfterSeconds: 5 });
  forgetProcessWide("database");
  processWide("database", () => working);
});

test("counting takes one statement", async () => {
  const { pool } = await database();
  const statements = vi.spyOn(pool, "query");
  const connections = vi.spyOn(pool, "connect");
  for (let count = 0; count < 3; count += 1) await takeQuery(subject(), LIMITS, NOW);
  expect([statements.mock.calls.length, connections.mock.calls.length]).toEqual([3, 3]); // each query takes one
  vi.restoreAllMocks();
});
