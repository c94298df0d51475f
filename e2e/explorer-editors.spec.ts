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

test("groups are compared with others, what is compared follows new names, and is missed when it is removed", async ({
  page,
}) => {
  await page.goto(`${FLIGHTS}?group=date:month:month,origin&agg=count::rows&sort=month`);
  await page.getByRole("button", { name: /^Group/ }).click();
  const groups = page.getByRole("form", { name: "Groups" });
  await groups.getByRole("button", { name: "Compare groups" }).press("Enter");
  await groups.getByRole("button", { name: "Compare groups" }).click();
  await groups.getByLabel("Comparison").nth(1).selectOption("rank");
  await groups.getByRole("checkbox", { name: "origin" }).press("Space");
  await groups.getByRole("button", { name: "Compare groups" }).click();
  await groups.getByLabel("Comparison").nth(2).selectOption("moving_average");
  await groups.getByLabel("Groups in each average").fill("1");
  await expectGoodEditor(page, "compared groups");
  await groups.getByRole("button", { name: "Apply" }).click();
  await expect(groups.getByRole("alert").filter({ hasText: /./ })).toHaveText(
    "The size must be an integer from 2 to 365.",
  );
  await groups.getByLabel("Groups in each average").fill("2");
  await groups.getByLabel("Groups in each average").press("Enter");
  await expect(page).toHaveURL(
    /&derive=change:rows:month:change_rows&derive=rank%40origin:rows::rank_rows&derive=moving_average%402:rows:month:moving_average_rows/,
  );
  await expect(page.locator(".explorer-sentence")).toContainText("the change of rows by month of date");
  await expect(page.getByRole("columnheader", { name: /rank_rows/ })).toBeVisible();
  // new names are followed
  await page.getByRole("button", { name: /^Group/ }).click();
  await groups.getByLabel("Name of the result").first().fill("flights");
  await groups.getByLabel("Group date by").selectOption("year");
  await groups.getByRole("button", { name: "Apply" }).click();
  await expect(page).toHaveURL(/derive=change:flights:date_year:change_rows&derive=rank%40origin:flights::rank_rows/);
  await expect(page).toHaveURL(/sort=date_year/);
  // what is needed is missed
  await page.getByRole("button", { name: /^Group/ }).click();
  await groups.getByRole("button", { name: "Add a result" }).click();
  await groups.getByRole("button", { name: "Remove flights" }).click();
  await expect(groups.getByRole("alert").filter({ hasText: /./ }).first()).toHaveText(
    "change_rows needs flights, which was removed. Choose another, or remove change_rows.",
  );
  const before = page.url();
  await groups.getByRole("button", { name: "Apply" }).click();
  await expect(groups).toBeVisible();
  expect(page.url()).toBe(before);
  for (const at of [0, 1, 2]) await groups.getByLabel("Of the result", { exact: true }).nth(at).selectOption("rows");
  await groups.getByRole("button", { name: "Apply" }).click();
  await expect(page).toHaveURL(/derive=change:rows:date_year:/);
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

test("columns of another table are added by its key, of the same dataset and of others, and removed again", async ({
  page,
}) => {
  const own = "/datasets/browser-compatibility/support";
  await page.goto(`${own}?filter=browser:eq:safari&columns=feature,supported`);
  await page.getByRole("button", { name: /^Columns/ }).click();
  await page.getByRole("button", { name: "Add columns of another table" }).click();
  const form = page.getByRole("form", { name: "Columns of another table" });
  const table = form.getByLabel("Table");
  await expect(table).toBeFocused();
  for (const [name, fault] of [
    ["no-such/table", "There is no public dataset “no-such”."],
    ["us-zip-codes/rows-of", "Name a table of “us-zip-codes”"],
    ["palmer-penguins", "has no key by which its rows could be found"],
  ] as const) {
    await table.fill(name);
    await table.press("Enter");
    await expect(form.getByRole("alert")).toContainText(fault);
  }
  await table.fill("browser-compatibility/features");
  await form.getByRole("button", { name: "Find its columns" }).click();
  await expect(form.getByLabel("feature is")).toHaveValue("feature");
  await form.getByRole("button", { name: "Add columns" }).click();
  await expect(form.getByRole("alert")).toHaveText("Choose at least one column of features.");
  await expectGoodEditor(page, "columns of another table");
  await form.getByRole("checkbox", { name: "deprecated" }).press("Space");
  await form.getByRole("button", { name: "Add columns" }).click();
  await expect(page).toHaveURL(
    /lookup=features:[0-9a-f-]{36}:feature,feature:deprecated&columns=feature,supported,features\.deprecated/,
  );
  await expect(page.getByRole("columnheader", { name: /features\.deprecated/ })).toBeVisible();
  await expect(chips(page)).toContainText("features");
  // a key that no column of the same name has
  await page.goto(own);
  await page.getByRole("button", { name: /^Columns/ }).click();
  await page.getByRole("button", { name: "Add columns of another table" }).click();
  await table.fill("nodejs-releases");
  await table.press("Enter");
  await expect(form.getByLabel("version is")).toHaveValue("");
  await form.getByRole("checkbox", { name: "release_date" }).check();
  await form.getByRole("button", { name: "Add columns" }).click();
  await expect(form.getByRole("alert")).toHaveText("Choose the column with the values of version.");
  await form.getByLabel("version is").selectOption("version_added");
  await form.getByRole("button", { name: "Add columns" }).click();
  await expect(page).toHaveURL(/lookup=releases:/);
  await expect(page.getByRole("columnheader", { name: /releases\.release_date/ })).toBeVisible();
  await chips(page)
    .getByRole("link", { name: /^Remove: .*releases/ })
    .click();
  await expect(page.getByRole("columnheader", { name: /releases\.release_date/ })).toHaveCount(0);
});
