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

beforeEach(() => forgetProcessWide("light-requests"));

test("the limit's last read passes and the next is refused until the minute ends", async () => {
  const states = await Promise.all(Array.from({ length: 5 }, () => read("203.0.113.9", 4)));
  expect(states.map((state) => state.refusedBy)).toEqual([null, null, null, null, "minute"]);
  expect((await read("203.0.113.9", 4, new Date("2026-11-20T12:01:00Z"))).refusedBy).toBeNull();
});

test("addresses of one IPv6 /64 share, others do not, and neither do kinds of requests", async () => {
  await read("2001:db8::1", 1);
  expect((await read("2001:db8::2", 1)).refusedBy).toBe("minute");
  expect((await read("2001:db8:0:1::1", 1)).refusedBy).toBeNull();
  expect((await takeLight("account", addressSubject("2001:db8::1"), 1, NOW)).refusedBy).toBeNull();
});

test("memory is bounded: of 100,000 addresses the latest are counted and the first forgotten", async () => {
  const addresses = Array.from({ length: 100_000 }, (_, i) => `10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`);
  for (const address of addresses) await read(address, 300);
  const { younger, older } = processWide("light-requests", () => ({ younger: new Map(), older: new Map() }));
  expect(younger.size + older.size).toBeLessThanOrEqual(50_000);
  expect((await read(addresses.at(-1) ?? "", 300)).minute.remaining).toBe(298);
  expect((await read(addresses[0] ?? "", 300)).minute.remaining).toBe(299);
});

test("a refusal carries Retry-After and the headers", async () => {
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
