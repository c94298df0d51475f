import { expect } from "@playwright/test";
import { RedisServer } from "@/lib/testing/redis-server";
import { tableOf } from "./catalogue";
import { LimitedService, statuses, times, withinOneMinute } from "./limited-service";
import { newUseKey } from "./people";
import { test } from "./test";

// Two instances that share their counters in one Redis.
let redis: RedisServer;
let one: LimitedService;
let two: LimitedService;
let tableId = "";

test.beforeAll(async ({ request }) => {
  ({ tableId } = await tableOf(request, "mauna-loa-co2"));
  redis = await RedisServer.start();
  const settings = { REDIS_URL: redis.url, LIMIT_CATALOGUE_MINUTE: "80", LIMIT_DOWNLOAD_DAY: "5" };
  one = new LimitedService("redis one", settings);
  two = new LimitedService("redis two", settings);
  await Promise.all([one.start(), two.start()]);
});

test.afterAll(async () => {
  await Promise.all([one.stop(), two.stop()]);
  await redis.remove();
});

test("of 100 queries at once with one key, 50 to each instance, exactly 60 are answered", () =>
  withinOneMinute(async (attempt) => {
    const { key } = await newUseKey(`shared ${attempt}`);
    const asked = [one, two].flatMap((service) => times(50, () => service.query(tableId, { key })));
    expect(await statuses(asked)).toEqual({ 200: 60, 429: 40 });
    expect((await one.query(tableId, { key })).headers.get("ratelimit")).toMatch(/^"minute";r=0;t=\d+/);
  }));

test("metadata requests of an address are shared too", () =>
  withinOneMinute(async (attempt) => {
    const address = `203.0.${113 + attempt}.21`;
    const asked = [one, two].flatMap((service) => times(50, () => service.catalogue(address)));
    expect(await statuses(asked)).toEqual({ 200: 80, 429: 20 });
  }));

test("restarting an instance does not reset the daily quota", async () => {
  const { key } = await newUseKey("restarted with Redis");
  expect(await statuses(times(3, () => one.download(tableId, key)))).toEqual({ 200: 3 });
  await one.stop();
  await one.start();
  expect(await statuses([one, two].flatMap((service) => times(2, () => service.download(tableId, key))))).toEqual({
    200: 2,
    429: 2,
  });
  expect((await (await one.download(tableId, key)).json()).error).toBe("daily_quota_exhausted");
});

test(
  "without Redis nothing passes: 503 with Retry-After; once it is back all is served, and the day stands where " +
    "it stood",
  async () => {
    const { key } = await newUseKey("outage");
    expect(await statuses(times(4, () => two.download(tableId, key)))).toEqual({ 200: 4 });
    await redis.kill();
    const asked = [
      one.query(tableId, { key }),
      two.query(tableId, {}),
      one.download(tableId, key),
      two.catalogue("203.0.113.22"),
      one.query(tableId, { key: "svc_use_guess" }),
    ];
    for (const reply of await Promise.all(asked)) {
      expect([reply.status, (await reply.json()).error]).toEqual([503, "unavailable"]);
      expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    expect(await one.readiness()).toBe(200); // it is about the instance alone
    await redis.restart();
    for (const service of [one, two])
      await expect.poll(async () => (await service.catalogue("203.0.113.23")).status).toBe(200);
    expect(await statuses(times(2, () => one.download(tableId, key)))).toEqual({ 200: 1, 429: 1 });
    expect((await two.query(tableId, { key })).status).toBe(200);
  },
);
