import { readFileSync } from "node:fs";
import { expect, type Locator, type Page } from "@playwright/test";
import { expectAccessible, expectFitsPhone } from "./accessibility";
import { BrowserPerson } from "./browser-person";
import { cell, FLIGHTS, status } from "./explorer-page";
import { test } from "./test";

const editor = (page: Page, name: string) => page.getByRole("form", { name });
const apply = (page: Page, name: string) => editor(page, name).getByRole("button", { name: "Apply" }).click();

test("flights per month and the hour with the worst delay, by the group editor's first suggestions", async ({
  page,
}) => {
  await page.goto(FLIGHTS);
  await page.getByRole("button", { name: /^Group/ }).click();
  await expect(editor(page, "Groups").getByLabel("Group date by")).toHaveValue("month");
  await expectAccessible(page);
  await apply(page, "Groups");
  await expect(cell(page, 0, 0)).toHaveText("2001-01-01");
  await expect(cell(page, 0, 1)).toHaveText("508,239");
  await page.getByRole("button", { name: /^Group/ }).click();
  await editor(page, "Groups").getByLabel("Group date by").selectOption("hour_of_day");
  await editor(page, "Groups").getByLabel("Function").selectOption("avg");
  await editor(page, "Groups").getByLabel("Of the column").selectOption("delay");
  await apply(page, "Groups");
  await expect(cell(page, 0, 0)).toHaveText("3");
});

test("the busiest day leads to its flights, and the count is next to the filters", async ({ page }) => {
  await page.goto(`${FLIGHTS}?group=date:day:day&agg=count::rows&sort=-rows`);
  await expect(cell(page, 0, 1)).toHaveText("17,548");
  await cell(page, 0, 0).click();
  await page.getByRole("button", { name: /rows of this group/i }).click();
  await expect(page).toHaveURL(/filter=date:gte:2001-06-29T00:00:00Z&filter=date:lt:2001-06-30T00:00:00Z/);
  await expect(page.getByText("17,548 of 3,000,000 rows match", { exact: true })).toBeVisible();
});

test("a link shows what is derived from other groups, and the group editor keeps it", async ({ page }) => {
  const years = "/datasets/mauna-loa-co2/monthly?group=Date:year:year&agg=max:CO2:highest";
  await page.goto(`${years}&derive=change:highest:year:rise&having=rise:gte:3&sort=-rise`);
  await expect(cell(page, 0, 0)).toHaveText("2016-01-01");
  await expect(cell(page, 0, 2)).toHaveText("3.56");
  await expect(page.getByText(/the change of highest by year of Date/)).toBeVisible();
  await page.getByRole("button", { name: /^Group/ }).click();
  await apply(page, "Groups");
  await expect(editor(page, "Groups")).toBeHidden();
  await expect(page).toHaveURL(/derive=change:highest:year:rise&having=rise:gte:3/);
});

test("each band of a float leads to exactly its rows, and is named by its decimal", async ({ page }) => {
  const bands = "/datasets/earthquakes-2018/events?group=mag:0.1:from&agg=count::rows&sort=-rows&limit=12";
  for (const at of [0, 3, 7, 11]) {
    await page.goto(bands);
    await expect(cell(page, at, 0)).toHaveText(/^-?\d\.\d$/);
    const rows = (await cell(page, at, 1).textContent()) ?? "";
    await cell(page, at, 0).click();
    await page.getByRole("button", { name: /rows of this group/i }).click();
    await expect(page.getByText(new RegExp(`^${rows} of [\\d,]+ rows match$`))).toBeVisible();
  }
});

test("the wettest month in Seattle", async ({ page }) => {
  const view = "filter=location:eq~:seattle&group=date:month_of_year:month&agg=sum:precipitation:rain&sort=-rain";
  await page.goto(`/datasets/daily-weather/days?${view}`);
  await expect(cell(page, 0, 0)).toHaveText("11");
  await expect(page.locator(".explorer-sentence")).toContainText("For each month of the year (1 to 12) of date");
});

test("licences that mention patents in any case, found in rows and by a filter; on a phone", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/datasets/spdx-licenses/licenses");
  await page.getByRole("searchbox", { name: "Find in rows" }).fill("PATENT");
  await page.getByRole("searchbox", { name: "Find in rows" }).press("Enter");
  await expect(page.getByText(/^214 of [\d,]+ rows match$/)).toBeVisible();
  await expectFitsPhone(page);
  await page.goto("/datasets/spdx-licenses/licenses?filter=license_text:contains~:Patent");
  await expect(page.getByText(/^214 of [\d,]+ rows match$/)).toBeVisible();
  await expect(page.getByRole("list", { name: "Active filters" })).toContainText("(ignoring case)");
});

test("features of CSS in Chrome and not in Safari, by conditions inside results and on groups", async ({ page }) => {
  const inBrowser = (name: string) =>
    `agg=count::${name}&aggfilter=${name}:browser:eq:${name}&aggfilter=${name}:supported:eq:true`;
  const having = "having=chrome:gt:0&having=safari:eq:0";
  await page.goto(
    `/datasets/browser-compatibility/support?filter=category:eq:css&group=feature&${inBrowser("chrome")}&` +
      `${inBrowser("safari")}&${having}`,
  );
  await expect(status(page)).toContainText("of 528 groups");
  await page.getByRole("button", { name: /^Group/ }).click();
  const groups = editor(page, "Groups");
  await expect(groups.getByRole("button", { name: "Remove the filter on browser" })).toHaveCount(2);
  await groups.getByRole("button", { name: "Add a condition on the groups" }).click();
  await apply(page, "Groups");
  await expect(groups.getByRole("alert").filter({ hasText: "Enter a value." })).toBeVisible();
});

test("a share whose condition lacks its value is not applied: it would be 0 in every group", async ({ page }) => {
  await page.goto(FLIGHTS);
  await page.getByRole("button", { name: /^Group/ }).click();
  const groups = editor(page, "Groups");
  await groups.getByLabel("Function").selectOption("share");
  await groups.getByLabel("Column", { exact: true }).selectOption("origin");
  await apply(page, "Groups");
  await expect(groups.getByRole("alert").filter({ hasText: "Enter a value." })).toBeVisible();
  expect(new URL(page.url()).search).toBe("");
  await groups.getByLabel("Value", { exact: true }).fill("ORD");
  await apply(page, "Groups");
  await expect(cell(page, 0, 1)).toHaveText(/^0\.0[1-9]/);
});

test("the menu of files says how many rows of the view a file holds, and the file holds as many", async ({
  page,
  browser,
}) => {
  const menuOf = async (of: Page, search: string) => {
    await of.goto(`${FLIGHTS}${search}`);
    await expect(status(of)).toContainText("row");
    await of.locator("summary", { hasText: "Download" }).click();
    return of.locator(".explorer-menu");
  };
  const menu = await menuOf(page, "?filter=origin:eq:ORD");
  const [, total = ""] = /of ([\d,]+) rows of this view/.exec((await menu.textContent()) ?? "") ?? [];
  expect(Number(total.replaceAll(",", ""))).toBeGreaterThan(10_000);
  await expect(menu).toContainText(`First 100 of ${total} rows of this view`);
  const saving = page.waitForEvent("download");
  await menu.getByRole("button", { name: "CSV" }).click();
  const csv = readFileSync(await (await saving).path(), "utf8");
  expect(csv.trim().split("\r\n")).toHaveLength(101);
  const small = "?filter=origin:eq:ORD&filter=delay:gt:600";
  await expect(await menuOf(page, small)).toContainText(/All \d+ rows of this view/);
  await expect(await menuOf(page, "?filter=origin:eq:ORD&row=201")).toContainText(
    `Rows 201 to 300 of ${total} of this view`,
  );
  const person = (await BrowserPerson.signedIn(browser, "saves")).page;
  await expect(await menuOf(person, "?filter=origin:eq:ORD")).toContainText(
    `First 10,000 of ${total} rows of this view`,
  );
});

test("the full text of GPL-3.0 is read in the cell bar", async ({ page }) => {
  await page.goto("/datasets/spdx-licenses/licenses?filter=license_id:eq:GPL-3.0&columns=license_id,license_text");
  await cell(page, 0, 1).click();
  const text = await page.locator(".cell-whole").textContent();
  expect(text).toHaveLength(34_508);
  expect(text).toMatch(/^GNU GENERAL PUBLIC LICENSE[\s\S]*why-not-lgpl\.html/);
});

test("what changed in MIME types from 1.52 to 1.54, by the version's labels", async ({ page }) => {
  await page.goto("/datasets/mime-types/versions");
  const form = page.getByRole("form", { name: "Compare versions of Media types" });
  await chooseVersion(form.getByLabel("Compare"), "1.52.0");
  await chooseVersion(form.getByLabel("with"), "1.54.0");
  await form.getByRole("button", { name: "Compare" }).click();
  await expect(page.getByRole("heading", { level: 2, name: /1\.52\.0.* compared with 1\.54\.0/ })).toBeVisible();
  const counts = page.getByRole("list", { name: "Rows", exact: true }).getByRole("listitem");
  for (const count of ["248 added", "5 removed", "56 changed"])
    await expect(counts.filter({ hasText: count })).toHaveCount(1);
});

/** Finds it by the text of its option. */
async function chooseVersion(select: Locator, label: string): Promise<void> {
  const option = select.locator("option", { hasText: label });
  await select.selectOption((await option.getAttribute("value")) ?? "");
}

test("a note says why there are no rows, or fewer, and leads to what was meant", async ({ page }) => {
  const notes = page.getByRole("list", { name: "Notes on this result" });
  await page.goto("/datasets/palmer-penguins/penguins?filter=Species:eq:adelie&filter=Island:eq:Dream");
  await expect(notes).toContainText("No row has “adelie” in the column Species. Did you mean “Adelie”?");
  await expectAccessible(page);
  await expectFitsPhone(page);
  await notes.getByRole("button", { name: "Use “Adelie”" }).click();
  await expect(page).toHaveURL(/filter=Species:eq:Adelie&filter=Island:eq:Dream/);
  await expect(cell(page, 0, 0)).toHaveText("Adelie");
  await expect(notes).toHaveCount(0);
  await page.goto("/datasets/palmer-penguins/penguins?filter=Species:contains:gent");
  await notes.getByRole("button", { name: "Ignore case" }).click();
  await expect(page).toHaveURL(/filter=Species:contains(?:~|%7E):gent/);
  await expect(cell(page, 0, 0)).toHaveText("Gentoo");
  await page.goto(`${FLIGHTS}?group=date:hour_of_day:hour&agg=count::rows`);
  await expect(notes).toContainText("The hours of date are in UTC");
});

test("a link with the first of each says so, and they can be all again", async ({ page }) => {
  await page.goto(`${FLIGHTS}?filter=origin:in:LAS,ORD&sort=-delay&top=2:origin`);
  await expect(status(page)).toHaveText("Showing all 4 matching rows");
  const chip = page.getByRole("list", { name: "Active filters" }).getByRole("listitem").filter({ hasText: "first 2" });
  await expect(chip).toHaveText("only the first 2 of each origin");
  await expect(page.getByText("in descending order, only the first 2 of each origin")).toBeVisible();
  await expectAccessible(page);
  await chip.getByRole("link", { name: "Remove: only the first 2 of each origin" }).click();
  await expect(chip).toHaveCount(0);
  await expect(page).toHaveURL(/\?filter=origin:in:LAS,ORD&sort=-delay$/);
});

test("a signed-in person's own session lifts the limit at once, without a key", async ({ browser }) => {
  const person = await BrowserPerson.signedIn(browser, "Ines");
  const { page } = person;
  await page.goto(`${FLIGHTS}?group=origin&agg=count::rows&sort=-rows`);
  await expect(status(page)).toHaveText("Showing all 229 groups");
});
