import { expect } from "@playwright/test";
import { keyChecksum } from "@/lib/auth/key-form";
import { cell, FLIGHTS, QUERY, rejectQueries, status } from "./explorer-page";
import { test } from "./test";

test("429: how long to wait, why, and how to avoid it; it continues automatically", async ({ page }) => {
  await page.goto(FLIGHTS);
  await rejectQueries(page, 429, "rate_limited", { "retry-after": "3" });
  await page.getByRole("link", { name: "delay" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Too many queries in a minute" })).toContainText(
    /We’ll retry automatically in \d second/,
  );
  await expect(page.getByRole("button", { name: "Use an API key" })).toBeVisible();
  await page.unroute(QUERY);
  await expect(cell(page, 0, 1)).toBeVisible();
  await expect(page.getByText("Too many queries in a minute")).toHaveCount(0);
});

for (const [code, error, words] of [
  [503, "busy", "The service is busy"],
  [504, "query_timeout", "The query took too long"],
  [413, "result_too_large", "The result is too large"],
] as const)
  test(`${code}: ${words}, the filters remain, and it can be retried`, async ({ page }) => {
    await page.goto(`${FLIGHTS}?filter=distance:gte:500`);
    await rejectQueries(page, code, error);
    await page.getByRole("link", { name: "delay" }).click();
    await expect(page.getByRole("alert").filter({ hasText: words })).toBeVisible();
    await expect(page.getByRole("list", { name: "Active filters" })).toContainText("distance is at least 500");
    await page.unroute(QUERY);
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(page.getByText(words)).toHaveCount(0);
    await expect(cell(page, 0, 1)).toHaveText(/^-?\d/);
  });

test("offline: the page says so and works again once the network does", async ({ page, context }) => {
  await page.goto(FLIGHTS);
  await context.setOffline(true);
  await page.getByRole("link", { name: "delay" }).click();
  await expect(page.getByText("The service could not be reached")).toBeVisible();
  await context.setOffline(false);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("The service could not be reached")).toHaveCount(0);
});

for (const name of ["Filter", "Chart", "About delay"])
  test(`offline: ${name}, opened for the first time, cannot load, and says so; the page stays as it is`, async ({
    page,
    context,
  }) => {
    await page.setViewportSize({ width: 360, height: 640 });
    await page.goto(FLIGHTS);
    await expect(status(page)).toHaveText("Showing the first 100 of 3,000,000 rows");
    await context.setOffline(true);
    await page.getByRole("button", { name, exact: true }).click();
    const notice = page.getByRole("alert").filter({ hasText: "This part could not be loaded" });
    await expect(notice).toBeInViewport();
    await expect(cell(page, 0, 1)).toHaveText(/^-?\d/);
    await context.setOffline(false);
    await page.getByRole("button", { name: "Reload the page" }).click();
    await page.getByRole("button", { name, exact: true }).click();
    await expect(notice).toHaveCount(0);
  });

test("a mistyped key is rejected immediately, an unknown one before it is used", async ({ page }) => {
  await page.goto(FLIGHTS);
  await page.getByRole("button", { name: "API key" }).click();
  const field = page.getByRole("textbox", { name: "API key" });
  await field.fill(`svc_use_${"x".repeat(46)}`);
  await page.getByRole("button", { name: "Use key" }).click();
  await expect(page.getByText("This key is mistyped or incomplete.")).toBeVisible();
  const unknown = "x".repeat(40);
  await field.fill(`svc_use_${unknown}${keyChecksum(unknown)}`);
  await page.getByRole("button", { name: "Use key" }).click();
  await expect(page.getByText("The service doesn’t accept this key.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Your API key" })).toHaveCount(0);
});
