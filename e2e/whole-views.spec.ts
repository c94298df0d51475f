import { readFileSync } from "node:fs";
import { type Browser, expect, type Locator, type Page } from "@playwright/test";
import { parquetMetadata } from "hyparquet";
import { expectAccessible, expectFitsPhone } from "./accessibility";
import { BrowserPerson } from "./browser-person";
import { FLIGHTS, status } from "./explorer-page";
import { test } from "./test";

const FROM_CHICAGO = "?filter=origin:eq:ORD&columns=origin,destination,delay";

async function openMenu(page: Page, search: string): Promise<Locator> {
  await page.goto(`${FLIGHTS}${search}`);
  await expect(status(page)).toContainText(/row|group/);
  await page.locator("summary", { hasText: "Download" }).click();
  return page.locator(".explorer-menu");
}

const reader = async (browser: Browser, options = {}) =>
  (await BrowserPerson.signedIn(browser, "whole-views", options)).page;

async function save(page: Page, button: Locator): Promise<Buffer> {
  const saving = page.waitForEvent("download");
  await button.click();
  return readFileSync(await (await saving).path());
}

test("all rows of a filtered view, as many as the menu says, in each format", async ({ browser }) => {
  const page = await reader(browser);
  const menu = await openMenu(page, FROM_CHICAGO);
  const all = menu.getByRole("group", { name: /^All [\d,]+ rows of this view$/ });
  const [, said = ""] = /All ([\d,]+) rows/.exec((await all.textContent()) ?? "") ?? [];
  const rows = Number(said.replaceAll(",", ""));
  expect(rows).toBeGreaterThan(100_000);
  const csv = String(await save(page, all.getByRole("button", { name: "CSV" })))
    .trimEnd()
    .split("\r\n");
  expect([csv[0], csv.length]).toEqual(["origin,destination,delay", rows + 1]);
  expect(csv.slice(1).every((line) => line.split(",")[0] === "ORD")).toBe(true);
  const parquet = await save(page, all.getByRole("button", { name: "Parquet" }));
  const metadata = parquetMetadata(new Uint8Array(parquet).buffer);
  expect(Number(metadata.num_rows)).toBe(rows);
  const excel = await save(page, all.getByRole("button", { name: "Excel" }));
  expect(String(excel.subarray(0, 2))).toBe("PK");
  expect(excel.byteLength).toBeGreaterThan(rows * 4);
});

test("more rows than Excel holds are not offered for it, and all groups are", async ({ browser }) => {
  const page = await reader(browser);
  const menu = await openMenu(page, "");
  const all = menu.getByRole("group", { name: "All 3,000,000 rows of this view" });
  await expect(all.getByRole("button", { name: "Excel: at most 1,048,575 rows" })).toBeDisabled();
  await expect(all.getByRole("button", { name: "CSV" })).toBeEnabled();
  const groups = await openMenu(page, "?group=origin,destination&agg=count::n");
  const allGroups = groups.getByRole("group", { name: /^All [\d,]+ groups of this view$/ });
  const [, said = ""] = /All ([\d,]+) groups/.exec((await allGroups.textContent()) ?? "") ?? [];
  const csv = String(await save(page, allGroups.getByRole("button", { name: "CSV" })));
  expect(csv.trimEnd().split("\r\n")).toHaveLength(Number(said.replaceAll(",", "")) + 1);
});

test("what fails is said in the page, where a browser that saves a file would say nothing", async ({ browser }) => {
  const page = await reader(browser);
  const menu = await openMenu(page, FROM_CHICAGO);
  const message = "All 4 rows are being counted.";
  const error = { schema_version: "service-error.v1", error: "busy", request_id: "req_test0001", message };
  await page.route("**/rows.csv?*", (route) =>
    route.fulfill({ status: 503, headers: { "content-type": "application/json" }, body: JSON.stringify(error) }),
  );
  await menu.getByRole("group", { name: /^All/ }).getByRole("button", { name: "CSV" }).click();
  await expect(page.getByText(message)).toBeVisible();
});

test("a visitor reads how many rows there are, signs in, and returns to the view", async ({ page }) => {
  const menu = await openMenu(page, FROM_CHICAGO);
  await expect(menu).toContainText(/All [\d,]+ rows of this view: sign in to save them\./);
  await expect(menu.getByRole("group", { name: /^All/ })).toHaveCount(0);
  await menu.getByRole("link", { name: "sign in" }).click();
  await expect(page.getByRole("heading", { name: "Sign in", exact: true })).toBeVisible();
  const back = new URL(new URL(page.url()).searchParams.get("callbackUrl") ?? "", page.url());
  expect([back.pathname, back.searchParams.get("filter")]).toEqual([FLIGHTS, "origin:eq:ORD"]);
});

test("the menu is accessible, fits 320 pixels, and works by keyboard", async ({ browser }) => {
  const page = await reader(browser, { viewport: { width: 320, height: 640 } });
  await openMenu(page, FROM_CHICAGO);
  await expectAccessible(page, { within: ".explorer-menu" });
  await expectFitsPhone(page);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Enter");
  const csv = page.getByRole("group", { name: /^All/ }).getByRole("button", { name: "CSV" });
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(csv).toBeFocused();
  const saving = page.waitForEvent("download");
  await page.keyboard.press("Enter");
  expect((await saving).suggestedFilename()).toMatch(/^us-flights-2001-flights-[0-9a-f]{8}-rows\.csv$/);
});
