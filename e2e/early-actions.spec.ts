// What is done before a page is interactive counts once it is.
import { expect, type Page } from "@playwright/test";
import { FLIGHTS } from "./explorer-page";
import { held } from "./held-requests";
import { test } from "./test";

/** Acts on a page before its scripts have arrived, which then do. */
async function early(page: Page, path: string, act: () => Promise<void>): Promise<void> {
  const scripts = await held(page, "**/_next/static/**/*.js");
  await page.goto(path, { waitUntil: "commit" });
  await act();
  await scripts.release();
}

test("a tab chosen by key is in the address, and a click is handled", async ({ page }) => {
  await early(page, "/datasets/mauna-loa-co2", async () => {
    await page.getByRole("radio", { name: "curl", exact: true }).focus();
    await page.keyboard.press("ArrowRight");
    await page.getByRole("button", { name: /^Theme: system/ }).click();
    await expect(page.getByRole("radio", { name: "curl with key" })).toBeChecked();
    expect(page.url()).not.toContain("use=");
  });
  await expect(page).toHaveURL(/\?use=curl-key$/);
  await expect(page.getByRole("radio", { name: "curl with key" })).toBeChecked();
  await expect(page.getByRole("button", { name: /^Theme: light/ })).toBeVisible();
});

test("typed text is searched for, by Enter", async ({ page }) => {
  await early(page, FLIGHTS, async () => {
    await page.getByRole("searchbox", { name: "Find in rows" }).pressSequentially("ORD");
    await page.keyboard.press("Enter");
  });
  await expect(page).toHaveURL(/search=ORD/);
});

test("a checked box is known, not only shown", async ({ page }) => {
  await early(page, FLIGHTS, () => page.getByRole("checkbox", { name: "With an API key" }).check());
  await expect(page.getByText("Uses the use key in PARQUETRY_KEY.", { exact: true })).toBeVisible();
  await expect(page.getByRole("checkbox", { name: "With an API key" })).toBeChecked();
});

test("an option selected by key is applied", async ({ page }) => {
  await early(page, `${FLIGHTS}?group=origin&agg=count::flights&sort=-flights&chart=auto::`, async () => {
    await page.getByRole("combobox", { name: "Chart" }).focus();
    await page.keyboard.press("ArrowUp");
  });
  await expect(page).toHaveURL(/chart=line:/);
});

test("a click on a histogram chooses the bar that was clicked", async ({ page }) => {
  await early(page, FLIGHTS, () =>
    page.getByRole("button", { name: "Histogram of distance" }).click({ position: { x: 60, y: 20 } }),
  );
  await expect(page).toHaveURL(/filter=distance:between:[1-9]\d+,\d+/);
});
