import { readFileSync } from "node:fs";
import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "./accessibility";
import { BrowserPerson } from "./browser-person";
import { test } from "./test";

const QUAKES = "/datasets/earthquakes-2018/events";
const MAP = "chart=map:longitude:latitude";

const extent = (page: Page) => page.locator(".chart-extent");

test("California's earthquakes on a map: brushed, shared by a short link, opened without an account", async ({
  browser,
}) => {
  const { page } = await BrowserPerson.signedIn(browser, "maps");
  await page.goto(QUAKES);
  await page.getByRole("button", { name: "Map", exact: true }).click();
  await expect(page).toHaveURL(/chart=map:longitude:latitude/);
  await expect(extent(page)).toHaveText("All 1,707 rows");
  await expect(page.locator(".map-land")).toHaveAttribute("d", /^M.{1000}/);
  await page.goto(`${QUAKES}?filter=longitude:between:-125,-110&filter=latitude:between:30,45&${MAP}`);
  await expect(extent(page)).toHaveText(/^All 1,059 matching rows$/);
  const map = page.getByRole("slider", { name: /^Map: Places/ });
  const box = await map.boundingBox();
  if (!box) throw new Error("no map");
  const before = page.url();
  await page.mouse.move(box.x + box.width * 0.3, box.y + box.height * 0.3);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y + box.height * 0.7, { steps: 5 });
  await page.mouse.up();
  await expect.poll(() => page.url()).not.toBe(before);
  await expect(page).toHaveURL(/filter=longitude:between:%252D1\d\d.*&filter=latitude:between:3/);
  await expectAccessible(page, { within: ".explorer-chart" });
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByRole("dialog").getByRole("textbox", { name: "Title" }).fill("Shaken in 2018");
  await page.getByRole("button", { name: "Make a short link" }).click();
  const link = await page.getByRole("textbox", { name: "Short link", exact: true }).inputValue();
  expect(link).toMatch(/\/v\/[0-9A-Za-z]{10}$/);

  const reader = await BrowserPerson.arrive(browser, "reader", { viewport: { width: 320, height: 700 } });
  await reader.page.goto(link);
  await expect(reader.page.locator(".chart-heading")).toContainText("Shaken in 2018");
  await expect(reader.page).toHaveURL(/filter=longitude:between:%252D1/);
  expect(await reader.page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});

test("a map is brushed by keyboard, and saved with its land and its source", async ({ page }) => {
  await page.goto(`${QUAKES}?filter=longitude:between:-125,-110&filter=latitude:between:30,45&${MAP}`);
  const map = page.getByRole("slider", { name: /^Map: Places/ });
  await map.focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("Shift+PageDown");
  await page.keyboard.press("Enter");
  await expect(page).not.toHaveURL(/longitude:between:-125,-110/);
  await page.goBack();
  await expect(page.locator(".map-land")).toHaveAttribute("d", /^M/);
  let svg = "";
  // while its values are still on the way, the page asks to save it again
  await expect(async () => {
    const downloading = page.waitForEvent("download", { timeout: 10_000 });
    await Promise.all([downloading, page.getByRole("button", { name: "SVG", exact: true }).click()]);
    svg = readFileSync(await (await downloading).path(), "utf8");
  }).toPass();
  expect(svg).toContain("sha256:");
  expect(svg.match(/<path/g)?.length).toBeGreaterThan(3);
});

test.describe("without script", () => {
  test.use({ javaScriptEnabled: false });
  test("a map with a title and caption of its own is framed", async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 600 });
    await page.goto(`/embed/earthquakes-2018/events?${MAP}&title=Quakes&note=In+one+week.`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Quakes");
    await expect(page.getByText("In one week.")).toBeVisible();
    await expect(page.locator(".map-land").first()).toHaveAttribute("d", /^M/);
    expect(await page.locator("body").evaluate((body) => body.scrollWidth)).toBeLessThanOrEqual(320);
  });
  test("an unknown short link is not found", async ({ page }) => {
    expect((await page.goto("/v/2345678923"))?.status()).toBe(404);
  });
});
