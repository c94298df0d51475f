import { expect } from "@playwright/test";
import { tableOf } from "./catalogue";
import { LimitedService, statuses, times, withinOneMinute } from "./limited-service";
import { newUseKey } from "./people";
import { rowsOf } from "./service";
import { test } from "./test";

const service = new LimitedService("limits", { LIMIT_DOWNLOAD_DAY: "5" });
let tableId = "";

test.beforeAll(async ({ request }) => {
  ({ tableId } = await tableOf(request, "mauna-loa-co2"));
  await service.start();
});

test.afterAll(() => service.stop());

test("of 100 queries at once with one key exactly 60 are answered", () =>
  withinOneMinute(async (attempt) => {
    const { key } = await newUseKey(`limited ${attempt}`);
    expect(await statuses(times(100, () => service.query(tableId, { key })))).toEqual({ 200: 60, 429: 40 });
    const rejected = await service.query(tableId, { key });
    expect(rejected.status).toBe(429);
    expect(Number(rejected.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(Number(rejected.headers.get("retry-after"))).toBeLessThanOrEqual(60);
    expect(rejected.headers.get("ratelimit")).toMatch(/^"minute";r=0;t=\d+/);
    expect((await rejected.json()).error).toBe("rate_limited");
  }));

test("an address without a key has 30 queries a minute, and cannot pose as another with its own header", () =>
  withinOneMinute(async (attempt) => {
    // The proxy is trusted, so the right-most address is the client's. What the client wrote to the left of it is
    // ignored.
    const replies = times(45, (n) => service.query(tableId, { address: `10.9.8.${n}, 203.0.${113 + attempt}.7` }));
    expect(await statuses(replies)).toEqual({ 200: 30, 429: 15 });
  }));

test("the addresses of one IPv6 /64 share one quota; the next /64 has its own", () =>
  withinOneMinute(async (attempt) => {
    const site = `2001:db8:${attempt + 1}`;
    const from = (subnet: string) =>
      times(40, (n) => service.query(tableId, { address: `${site}:${subnet}::${n.toString(16)}:1` }));
    expect(await statuses([...from("a"), ...from("b")])).toEqual({ 200: 60, 429: 20 });
    expect((await service.query(tableId, { address: `${site}:a:ffff:ffff:ffff:ffff` })).status).toBe(429);
  }));

test("reading the catalogue is limited to 300 a minute for an address", () =>
  withinOneMinute(async (attempt) => {
    const address = `203.0.${113 + attempt}.9`;
    const counts: Record<string, number> = {};
    for (let batch = 0; batch < 8; batch++) {
      for (const [status, n] of Object.entries(await statuses(times(40, () => service.catalogue(address)))))
        counts[status] = (counts[status] ?? 0) + n;
    }
    expect(counts).toEqual({ 200: 300, 429: 20 });
  }));

test("a restart does not reset the daily quota, and does not lose the latest usage", async () => {
  const { id, key } = await newUseKey("restarted");
  expect(await statuses(times(3, () => service.download(tableId, key)))).toEqual({ 200: 3 });
  await service.stop();
  expect(await rowsOf(`SELECT downloads FROM "Usage" WHERE "keyId" = $1`, [id])).toEqual([{ downloads: 3 }]);
  await service.start();
  expect(await statuses(times(3, () => service.download(tableId, key)))).toEqual({ 200: 2, 429: 1 });
  const rejected = await service.download(tableId, key);
  expect((await rejected.json()).error).toBe("daily_quota_exhausted");
  expect(Number(rejected.headers.get("retry-after"))).toBeGreaterThan(60);
  expect(rejected.headers.get("ratelimit")).toContain('"day";r=0;t=');
});

test("every reply of the API shows the remaining quota, including rejections and unknown paths", async () => {
  const { key } = await newUseKey("told");
  const etag = (await service.download(tableId, key)).headers.get("etag") ?? "";
  const table = `/api/v2/public/tables/${tableId}`;
  const ask = (path: string, init: RequestInit = {}) => fetch(`${service.base}${path}`, init);
  const keyed = { "x-api-key": key };
  const post = (headers: Record<string, string>, body = '{"columns":["CO2"]}') => ({
    method: "POST",
    body,
    headers: { "content-type": "application/json", ...headers },
  });
  const asked: readonly (readonly [number, Promise<Response>])[] = [
    [200, ask(`${table}/query`, post(keyed))],
    // no other test uses this address
    [200, ask(`/api/public/tables/${tableId}/query`, post({ "x-forwarded-for": "203.0.113.77" }))],
    [206, ask(`${table}/current`, { headers: { ...keyed, range: "bytes=0-3" } })],
    [304, ask(`${table}/current`, { headers: { ...keyed, "if-none-match": etag } })],
    [200, ask(`${table}/current`, { method: "HEAD", headers: keyed })],
    [200, ask(`${table}/schema`)],
    [200, ask("/api/v2/public/openapi.json")],
    [400, ask(`${table}/query`, post(keyed, "{"))],
    [401, ask(`${table}/query`, post({}))],
    [401, ask(`${table}/current`, { headers: { "x-api-key": "svc_use_guess" } })],
    [404, ask(`/api/v2/public/tables/${crypto.randomUUID()}/schema`)],
    [404, ask(`/api/v2/public/tables/${crypto.randomUUID()}/query`, post(keyed))],
    [404, ask("/api/no/such/path")],
    [404, ask("/api")],
    [405, ask(`${table}/schema`, { method: "DELETE" })],
    [406, ask(`${table}/query`, post({ ...keyed, accept: "image/png" }))],
    [415, ask(`${table}/query`, post({ ...keyed, "content-type": "text/plain" }))],
    [401, ask("/api/account")],
  ];
  for (const [status, reply] of asked) {
    const { status: answered, headers, url } = await reply;
    expect([url, answered, headers.get("ratelimit-policy")]).toEqual([
      url,
      status,
      expect.stringMatching(/^"minute";q=\d+;w=60/),
    ]);
    expect(headers.get("ratelimit")).toMatch(/^"minute";r=\d+;t=\d+/);
  }
});
