import type { ChildProcess } from "node:child_process";
import { expect, test } from "@playwright/test";
import { tableOf } from "./catalogue";
import { newUseKey, startService } from "./service";

const PORT = 4174;
const BASE = `http://localhost:${PORT}`;
let service: ChildProcess;

/** A second instance on the same data, with the limits that the contract gives. */
test.beforeAll(async () => {
  const limits = {
    LIMIT_KEY_MINUTE: "60",
    LIMIT_KEY_DAY: "5000",
    LIMIT_ADDRESS_MINUTE: "30",
    LIMIT_ADDRESS_DAY: "600",
    LIMIT_CATALOGUE_MINUTE: "300",
    LIMIT_DOWNLOAD_MINUTE: "60",
    LIMIT_DOWNLOAD_DAY: "2000",
  };
  service = startService({ PORT: String(PORT), PARQUETRY_BASE_URL: BASE, PARQUETRY_TRUSTED_PROXIES: "127.0.0.1,::1", ...limits });
  await expect
    .poll(
      () =>
        fetch(`${BASE}/readyz`).then(
          ({ status }) => status,
          () => 0,
        ),
      { timeout: 60_000 },
    )
    .toBe(200);
});

test.afterAll(async () => {
  service.kill("SIGTERM");
  await new Promise((resolve) => service.once("exit", resolve));
});

/** Waits until a minute has at least 15 seconds left, so that all requests of a test fall into one window. */
async function earlyInMinute(): Promise<void> {
  const left = 60_000 - (Date.now() % 60_000);
  if (left < 15_000) await new Promise((resolve) => setTimeout(resolve, left + 100));
}

async function statuses(count: number, ask: () => Promise<Response>): Promise<Map<number, number>> {
  const replies = await Promise.all(Array.from({ length: count }, ask));
  const counts = new Map<number, number>();
  for (const { status } of replies) counts.set(status, (counts.get(status) ?? 0) + 1);
  return counts;
}

test("of 100 queries at once with one key exactly 60 are answered", async ({ request }) => {
  test.setTimeout(120_000);
  const { tableId } = await tableOf(request, "mauna-loa-co2");
  const { key } = newUseKey("limited");
  const body = JSON.stringify({ columns: ["CO2"], limit: 1 });
  await earlyInMinute();
  const ask = () =>
    fetch(`${BASE}/api/v2/public/tables/${tableId}/query`, { method: "POST", body, headers: { "content-type": "application/json", "x-api-key": key } });
  const counts = await statuses(100, ask);
  expect(Object.fromEntries(counts)).toEqual({ 200: 60, 429: 40 });
  const refused = await ask();
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(60);
  expect(refused.headers.get("ratelimit")).toMatch(/^"minute";r=0;t=\d+/);
  expect((await refused.json()).error).toBe("rate_limited");
});

test("an address without a key has 30 queries a minute, and cannot choose another by a header of its own", async ({ request }) => {
  test.setTimeout(120_000);
  const { tableId } = await tableOf(request, "mauna-loa-co2");
  const body = JSON.stringify({ columns: ["CO2"], limit: 1 });
  await earlyInMinute();
  let n = 0;
  // The proxy is trusted, so the right-most address is the client's; what the client wrote to the left of it counts for nothing.
  const ask = () =>
    fetch(`${BASE}/api/public/tables/${tableId}/query`, {
      method: "POST",
      body,
      headers: { "content-type": "application/json", "x-forwarded-for": `10.9.8.${n++}, 203.0.113.7` },
    });
  expect(Object.fromEntries(await statuses(45, ask))).toEqual({ 200: 30, 429: 15 });
});

test("reading the catalogue is limited to 300 a minute for an address", async () => {
  test.setTimeout(120_000);
  await earlyInMinute();
  const ask = () => fetch(`${BASE}/api/v2/public/datasets?limit=1`, { headers: { "x-forwarded-for": "203.0.113.9" } });
  const counts = new Map<number, number>();
  for (let batch = 0; batch < 8; batch++) for (const [status, n] of await statuses(40, ask)) counts.set(status, (counts.get(status) ?? 0) + n);
  expect(Object.fromEntries(counts)).toEqual({ 200: 300, 429: 20 });
});
