import { expect, type Page } from "@playwright/test";
import { FLIGHTS, QUERY, rejectQueries } from "./explorer-page";
import { held } from "./held-requests";
import { expectLive } from "./live";
import { test } from "./test";

const CHART = "chart=histogram:delay:";

test.use({ viewport: { width: 390, height: 844 } });

const FAILURES: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  413: (page) => rejectQueries(page, 413, "result_too_large"),
  429: (page) => rejectQueries(page, 429, "rate_limited", { "retry-after": "37" }),
  503: (page) => rejectQueries(page, 503, "busy", { "retry-after": "37" }),
  504: (page) => rejectQueries(page, 504, "query_timeout"),
  offline: (page) => page.context().setOffline(true),
};

/** Nothing of an earlier answer can be read or saved, and the reason is visible. */
async function expectNothingOld(page: Page): Promise<void> {
  const alert = page.locator(".rejected-view").getByRole("alert");
  await expect(alert).toBeInViewport();
  await expect(alert).toContainText("sorted by delay");
  await expect(page.locator("[data-cell]")).toHaveCount(0);
  await expect(page.locator(".chart-svg, .explorer-sentence, .answer-facts dl")).toHaveCount(0);
  await expect(page.getByRole("button", { name: /^(PNG|SVG)$/ })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Embed" })).toBeDisabled();
  await expect(page.getByRole("button", { name: "Download" })).toBeDisabled();
  await expect(page.locator("summary", { hasText: "Download" })).toHaveCount(0);
}

for (const [failure, fail] of Object.entries(FAILURES))
  for (const search of ["", `?${CHART}`])
    test(`${failure}: a rejected query leaves no previous ${search ? "chart" : "rows"}; one click leads back`, async ({
      page,
      context,
    }) => {
      await page.goto(`${FLIGHTS}${search}`);
      await expect(page.locator("[data-cell='0:0']")).toHaveText(/2001/);
      if (search) await expect(page.getByRole("button", { name: "PNG", exact: true })).toBeEnabled();
      await fail(page);
      await page.getByRole("link", { name: "delay" }).click();
      await expectNothingOld(page);
      await context.setOffline(false);
      await page.unroute(QUERY);
      await page.getByRole("button", { name: "Back to the last view that worked" }).click();
      await expect(page).toHaveURL(new RegExp(`${FLIGHTS}${search ? "\\?chart" : "$"}`));
      await expect(page.locator("[data-cell='0:0']")).toHaveText(/2001/);
      await expect(page.locator(".rejected-view")).toHaveCount(0);
    });

test("a result that is really too large leaves nothing of the previous one", async ({ page }) => {
  const path = "/datasets/spdx-licenses/licenses";
  await page.goto(`${path}?group=is_osi_approved&agg=count::rows&chart=auto::`);
  await expect(page.locator(".chart-svg").first()).toBeVisible();
  await page.getByRole("button", { name: /^Group/ }).click();
  await page.getByRole("form", { name: "Groups" }).getByLabel("Group by", { exact: true }).selectOption("license_text");
  await page.getByRole("button", { name: "Apply" }).click();
  const alert = page.locator(".rejected-view").getByRole("alert");
  await expect(alert).toBeInViewport();
  await expect(alert).toContainText("The result is too large");
  await expect(page.locator("[data-cell], .chart-svg, .answer-facts dl")).toHaveCount(0);
});

test("while another view loads, rows and chart fade and cannot be saved or reached", async ({ page }) => {
  await page.goto(`${FLIGHTS}?${CHART}`);
  const chart = page.locator(".chart-drawn");
  await expect(page.getByRole("button", { name: "PNG", exact: true })).toBeEnabled();
  await expectLive(chart);
  const next = await held(page, /\/api\/public\/tables\/[^/]+\/(?:query|chart)$/);
  await page.getByPlaceholder("Find in rows").fill("ORD");
  await page.keyboard.press("Enter");
  await expect(chart).toHaveAttribute("inert", "");
  await expect(page.locator(".result-grid")).toHaveAttribute("aria-busy", "true");
  await expect(page.locator(".chart-save button").first()).toBeDisabled();
  await expect(page.getByRole("button", { name: "Embed" })).toBeDisabled();
  await expect(page.locator(".answer-facts dl")).toHaveCount(0);
  await next.release();
  await expect(page.locator(".chart-save button").first()).toBeEnabled();
  await expect(chart).not.toHaveAttribute("inert", "");
});
