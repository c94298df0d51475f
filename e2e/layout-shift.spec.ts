import { expect, type Page } from "@playwright/test";
import { held } from "./held-requests";
import { test } from "./test";

/** Unexpected layout shifts, as the sum of Chromium's scores. 0.1 is its limit for good pages. */
const SHIFT_MAX = 0.05;
const PAGES = ["/", "/datasets", "/datasets/us-flights-2001", "/datasets/us-flights-2001/flights", "/docs"];
const PHONE = { width: 390, height: 844 };

interface Shift {
  score: number;
  moved: string;
}

/** Makes each page of the tab record layout shifts. */
const noteShifts = (page: Page) =>
  page.addInitScript(() => {
    const shifts: Shift[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, sources } = entry as PerformanceEntry & { value: number; sources: { node: Node | null }[] };
        const moved = sources.map(({ node }) => (node instanceof Element ? node.outerHTML.slice(0, 120) : ""));
        shifts.push({ score: value, moved: moved.join("\n") });
      }
    }).observe({ type: "layout-shift", buffered: true });
  });

async function shiftsOf(page: Page): Promise<{ total: number; moved: string }> {
  await painted(page);
  const shifts = await page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts);
  return {
    total: shifts.reduce((sum, { score }) => sum + score, 0),
    moved: shifts.map(({ moved }) => moved).join("\n"),
  };
}

/** Waits for two frames, so that what has arrived is laid out and painted. */
const painted = (page: Page) =>
  page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );

for (const viewport of [undefined, PHONE])
  test(`no page shifts when fonts, scripts and rows arrive late${viewport ? " to a phone" : ""}`, async ({ page }) => {
    if (viewport) await page.setViewportSize(viewport);
    await noteShifts(page);
    for (const path of PAGES) {
      const late = await Promise.all(
        [/\.woff2/, /\/_next\/static\/.*\.js/, /\/api\//].map((addresses) => held(page, addresses)),
      );
      await page.goto(path, { waitUntil: "commit" });
      await expect(page.locator("h1")).toBeVisible();
      for (const { release } of late) {
        await painted(page);
        await release();
      }
      await page.waitForLoadState("networkidle");
      const { total, moved } = await shiftsOf(page);
      expect(total, `${path}: ${moved}`).toBeLessThan(SHIFT_MAX);
      await page.unrouteAll();
    }
  });

/** With a chart, whose scripts, data and outlines arrive last of all. */
const CHARTS = [
  "/datasets/earthquakes-2018/events?chart=map:longitude:latitude:mag",
  "/datasets/us-zip-codes/zip-codes?chart=auto::",
  "/datasets/daily-weather/days?chart=auto::",
  "/datasets/us-flights-2001/flights?group=origin&agg=count::flights&sort=-flights&limit=10&chart=auto::",
];
const CHART_SHIFT_MAX = 0.02;

/** Each theme on one of the devices, since themes differ in colours only. */
const SEEN = [
  { name: "light", colorScheme: "light", viewport: undefined },
  { name: "dark, on a phone", colorScheme: "dark", viewport: PHONE },
] as const;

for (const { name, colorScheme, viewport } of SEEN)
  test(`no chart or map shifts its page, ${name}`, async ({ page }) => {
    if (viewport) await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await noteShifts(page);
    for (const path of CHARTS) {
      await page.route(/\.woff2/, (route) => route.abort()); // fonts have their own test
      const late = await Promise.all([/\/_next\/static\/.*\.js/, /\/chart$/].map((addresses) => held(page, addresses)));
      await page.goto(path, { waitUntil: "commit" });
      await expect(page.locator("h1")).toBeVisible();
      for (const { release } of late) {
        await painted(page);
        await release();
      }
      await expect(page.getByRole("slider", { name: /Arrow keys read its values/ })).toBeVisible();
      await page.waitForLoadState("networkidle");
      const { total, moved } = await shiftsOf(page);
      expect.soft(total, `${path}: ${moved}`).toBeLessThanOrEqual(CHART_SHIFT_MAX);
      await page.unrouteAll();
    }
  });

test("on a phone the buttons above a table stay in place while the end of the toolbar is still arriving", async ({
  page,
}) => {
  await page.setViewportSize(PHONE);
  for (const path of ["/datasets/us-zip-codes/zip-codes", "/datasets/mauna-loa-co2/monthly"]) {
    await page.goto(path);
    const place = () => page.getByRole("button", { name: "Filter", exact: true }).boundingBox();
    const whole = await place();
    await page.locator(".explorer-tools").evaluate((tools) => tools.remove());
    expect(await place(), path).toEqual(whole);
  }
});
