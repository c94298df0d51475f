import { beforeEach, expect, test } from "vitest";
import { Failure } from "@/lib/errors";
import { forgetProcessWide, processWide } from "@/lib/process-wide";
import { takeCatalogueRead } from "./catalogue-limit";
import { enforce } from "./rate-limit";
import { rateLimitHeaders } from "./rate-limit-headers";

const NOW = new Date("2026-11-20T12:00:18.500Z");

beforeEach(() => forgetProcessWide("catalogue-reads"));

test("the limit's last read passes and the next is refused until the minute ends", () => {
  const states = Array.from({ length: 5 }, () => takeCatalogueRead("203.0.113.9", 4, NOW));
  expect(states.map((state) => state.refusedBy)).toEqual([null, null, null, null, "minute"]);
  expect(takeCatalogueRead("203.0.113.9", 4, new Date("2026-11-20T12:01:00Z")).refusedBy).toBeNull();
});

test("addresses of one IPv6 /64 share, others do not", () => {
  takeCatalogueRead("2001:db8::1", 1, NOW);
  expect(takeCatalogueRead("2001:db8::2", 1, NOW).refusedBy).toBe("minute");
  expect(takeCatalogueRead("2001:db8:0:1::1", 1, NOW).refusedBy).toBeNull();
});

test("memory is bounded: of 200,000 addresses the latest are counted and the first forgotten", () => {
  for (let i = 0; i < 200_000; i += 1) takeCatalogueRead(`10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`, 300, NOW);
  const { younger, older } = processWide("catalogue-reads", () => ({ younger: new Map(), older: new Map() }));
  expect(younger.size + older.size).toBeLessThanOrEqual(50_000);
  expect(takeCatalogueRead("10.3.13.63", 300, NOW).minute.remaining).toBe(298);
  expect(takeCatalogueRead("10.0.0.1", 300, NOW).minute.remaining).toBe(299);
});

test("a refusal carries Retry-After and the headers", () => {
  takeCatalogueRead("203.0.113.9", 1, NOW);
  const state = takeCatalogueRead("203.0.113.9", 1, NOW);
  expect(rateLimitHeaders(state)).toEqual({ "RateLimit-Policy": '"minute";q=1;w=60', RateLimit: '"minute";r=0;t=42' });
  expect(() => enforce(state)).toThrow(Failure);
  try {
    enforce(state);
  } catch (error) {
    expect(error).toMatchObject({ code: "rate_limited", retryAfterSeconds: 42, headers: { RateLimit: '"minute";r=0;t=42' } });
  }
});
