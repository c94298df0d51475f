import { expect, type Page } from "@playwright/test";
import { expectAccessible, expectFitsPhone } from "./accessibility";
import { cell, FLIGHTS } from "./explorer-page";
import { test } from "./test";

const EDITOR = ".editor";
const chips = (page: Page) => page.getByRole("list", { name: "Active filters" });

/** Light, dark and narrow, with an editor open. */
async function expectGoodEditor(page: Page, when: string): Promise<void> {
  await expectAccessible(page, { when, within: EDITOR });
  await expectFitsPhone(page, when);
}

test("the first of each are chosen where rows are sorted, of rows and of groups, by mouse and by keyboard", async ({
  page,
}) => {
  await page.goto(FLIGHTS);
  await page.getByRole("button", { name: /^Sort/ }).click();
  const order = page.getByRole("region", { name: "Order" });
  await expect(order).toContainText("the order says which come first");
  await order.getByLabel("Sort by another column").selectOption("delay");
  await order.getByLabel("Direction of delay").selectOption("desc");
  await order.getByLabel("The first of each").selectOption("origin");
  await expect(page).toHaveURL(/sort=-delay&top=3:origin$/);
  await expect(chips(page)).toContainText("only the first 3 of each origin");
  await expect(page.locator(".explorer-sentence")).toContainText("only the first 3 of each origin");
  const count = order.getByLabel("Only the first");
  await count.fill("0");
  await count.press("Enter");
  await expect(order.getByRole("alert")).toHaveText("The count must be an integer from 1 to 100.");
  await expect(page).toHaveURL(/top=3:origin$/);
  await count.fill("1");
  await count.press("Enter");
  await expect(page).toHaveURL(/top=1:origin$/);
  await order.getByLabel("The first of each").focus();
  await page.keyboard.press("d");
  await expect(page).toHaveURL(/top=1:origin,date$/);
  await expectGoodEditor(page, "the first of each");
  await order.getByRole("button", { name: "Not of each date" }).press("Enter");
  await expect(page).toHaveURL(/top=1:origin$/);
  await order.getByRole("button", { name: "Not of each origin" }).click();
  await expect(page).toHaveURL(/sort=-delay$/);
  // of groups, not by all of them
  await page.goto(`${FLIGHTS}?group=date:month:month,origin&agg=count::rows&sort=-rows`);
  await page.getByRole("button", { name: /^Sort/ }).click();
  await order.getByLabel("The first of each").selectOption("month");
  await expect(page).toHaveURL(/top=3:month$/);
  await expect(order.getByLabel("The first of each")).toHaveCount(0);
});

test("rows near a place are found by coordinates as they are pasted, the nearest first", async ({ page }) => {
  await page.goto("/datasets/earthquakes-2018/events");
  await page.getByRole("button", { name: /^Filter/ }).click();
  const form = page.getByRole("form", { name: "Filters" });
  await form.getByRole("button", { name: "Near a place" }).press("Enter");
  const place = form.getByLabel("Latitude, longitude");
  await expect(place).toBeFocused();
  await page.keyboard.type("Anchorage");
  await page.keyboard.press("Enter");
  await expect(form.getByRole("alert")).toContainText("such as 40.7128, -74.006");
  await place.fill("91 N, 149.9 W");
  await expect(form.getByRole("alert")).toHaveText("Expected degrees from -90 to 90.");
  await expectGoodEditor(page, "near a place");
  await place.fill("61.2181 N 149.9003 W");
  await form.getByLabel("Within").fill("100");
  await form.getByRole("button", { name: "Apply" }).click();
  await expect(page).toHaveURL(/near=latitude:longitude:61\.2181,-149\.9003:100&sort=distance_km$/);
  await expect(chips(page)).toContainText("latitude and longitude are within 100 km of 61.2181, -149.9003");
  await expect(page.getByRole("columnheader", { name: /distance_km/ })).toHaveAttribute("aria-sort", "ascending");
  await expect(cell(page, 0, 0)).toBeVisible();
  await page.getByRole("button", { name: /^Filter/ }).click();
  await expect(place).toHaveValue("61.2181, -149.9003");
  await form.getByLabel("Nearest first").uncheck();
  await form.getByRole("button", { name: "Apply" }).click();
  await expect(page).toHaveURL(/near=latitude:longitude:61\.2181,-149\.9003:100$/);
  await page.getByRole("button", { name: /^Filter/ }).click();
  await form.getByRole("button", { name: "Remove the place" }).click();
  await form.getByRole("button", { name: "Apply" }).click();
  await expect(page).toHaveURL(/events$/);
  // where there are no places, none is asked for
  await page.goto(FLIGHTS);
  await page.getByRole("button", { name: /^Filter/ }).click();
  await expect(form.getByRole("button", { name: "Add a filter" })).toBeVisible();
  await expect(form.getByRole("button", { name: "Near a place" })).toHaveCount(0);
});
