import { beforeEach, expect, test } from "vitest";
import { Failure } from "@/lib/kernel/errors";
import { forgetProcessWide, processWide } from "@/lib/kernel/process-wide";
import { useTestState } from "@/lib/testing/database";
import { enforce, takeLight } from "./rate-limit";
import { rateLimitHeaders } from "./rate-limit-headers";
import { addressSubject } from "./subject";

useTestState();
const NOW = new Date("2026-11-20T12:00:18.500Z");
const read = (address: string, limit: number, now: Date = NOW) =>
  takeLight("catalogue", addressSubject(address), limit, now);

beforeEach(() => forgetProcessWide("minute-counts"));

test("the last request within the limit passes, and the next is rejected until the minute ends", async () => {
  const states = await Promise.all(Array.from({ length: 5 }, () => read("203.0.113.9", 4)));
  expect(states.map((state) => state.rejectedBy)).toEqual([null, null, null, null, "minute"]);
  expect((await read("203.0.113.9", 4, new Date("2026-11-20T12:01:00Z"))).rejectedBy).toBeNull();
});

test("addresses of one IPv6 /64 share a limit; other addresses and kinds of requests do not", async () => {
  await read("2001:db8::1", 1);
  expect((await read("2001:db8::2", 1)).rejectedBy).toBe("minute");
  expect((await read("2001:db8:0:1::1", 1)).rejectedBy).toBeNull();
  expect((await takeLight("account", addressSubject("2001:db8::1"), 1, NOW)).rejectedBy).toBeNull();
});

test("memory is bounded: of 100,000 addresses, the oldest are forgotten", async () => {
  const addresses = Array.from({ length: 100_000 }, (_, i) => `10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`);
  for (const address of addresses) await read(address, 300);
  const { younger, older } = processWide("minute-counts", () => ({ younger: new Map(), older: new Map() }));
  expect(younger.size + older.size).toBeLessThanOrEqual(50_000);
  expect((await read(addresses.at(-1) ?? "", 300)).minute.remaining).toBe(298);
  expect((await read(addresses[0] ?? "", 300)).minute.remaining).toBe(299);
});

test("a rejection carries Retry-After and the headers", async () => {
  await read("203.0.113.9", 1);
  const state = await read("203.0.113.9", 1);
  expect(rateLimitHeaders(state)).toEqual({ "RateLimit-Policy": '"minute";q=1;w=60', RateLimit: '"minute";r=0;t=42' });
  expect(() => enforce(state)).toThrow(Failure);
  expect(() => enforce(state)).toThrow(
    expect.objectContaining({
      code: "rate_limited",
      retryAfterSeconds: 42,
      headers: { RateLimit: '"minute";r=0;t=42', "RateLimit-Policy": '"minute";q=1;w=60' },
    }),
  );
});
