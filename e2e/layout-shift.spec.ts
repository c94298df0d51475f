import { expect, type Page } from "@playwright/test";
import { test } from "./test";

const EXPLORER = "/datasets/us-flights-2001/flights";
const PAGES = ["/", "/datasets", "/datasets/us-flights-2001", EXPLORER, "/docs"];
const SHIFT_MAX = 0.05;

/** What Chrome calls slow 3G. */
const SLOW = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };

/** Everything that moved until the page was quiet and its fonts were there. */
async function shiftOf(page: Page, path: string): Promise<number> {
  await page.addInitScript(() => {
    const seen = window as unknown as { shift: number };
    seen.shift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.shift += (entry as unknown as { value: number }).value;
    }).observe({ type: "layout-shift", buffered: true });
  });
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", SLOW);
  await page.goto(path, { waitUntil: "networkidle", timeout: 240_000 });
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  return page.evaluate(() => (window as unknown as { shift: number }).shift);
}

test("on a phone with a slow line, the five main pages hardly move while they load", async ({ browser }) => {
  const shifts = PAGES.map(async (path) => {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
    return [path, await shiftOf(await context.newPage(), path)] as const;
  });
  const moved = (await Promise.all(shifts)).filter(([, shift]) => shift >= SHIFT_MAX);
  expect(moved).toEqual([]);
});
