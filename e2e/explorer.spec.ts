import { expect } from "@playwright/test";
import { formatShare } from "@/lib/kernel/format";
import { expectAccessible, expectFitsPhone } from "./accessibility";
import { tableOf } from "./catalogue";
import { cell, FLIGHTS, QUERY, status } from "./explorer-page";
import { held } from "./held-requests";
import { readerKey } from "./service";
import { test } from "./test";

test("a bar clicked in a column's head filters, groups are counted and charted, Back undoes each step", async ({
  page,
}) => {
  await page.goto(FLIGHTS);
  await expect(status(page)).toHaveText("Showing the first 100 of 3,000,000 rows");
  await page.getByRole("button", { name: "Histogram of distance" }).click({ position: { x: 20, y: 20 } });
  await expect(page).toHaveURL(/filter=distance:between:\d+,\d+/);
  await expect(page.getByText(/^All rows of Flights where distance is between/)).toBeVisible();
  await page.getByRole("button", { name: "About origin" }).click();
  await page.getByRole("dialog", { name: "origin" }).getByRole("button", { name: "Group by" }).click();
  await expect(page).toHaveURL(/group=origin&agg=count::rows&sort=-rows/);
  await expect(page.getByRole("columnheader", { name: /rows/ })).toHaveAttribute("aria-sort", "descending");
  await page.getByRole("button", { name: "Chart" }).click();
  await expect(page.getByRole("region", { name: "Chart" }).locator("svg").first()).toBeVisible();
  await page.goBack();
  await page.goBack();
  await expect(page).not.toHaveURL(/group=/);
  await page.goBack();
  await expect(page).toHaveURL(new RegExp(`${FLIGHTS}$`));
  await expect(status(page)).toHaveText("Showing the first 100 of 3,000,000 rows");
});

test("heads and cards of a filtered view count its rows beside the whole table's", async ({ page, request }) => {
  const { tableId } = await tableOf(request, "us-flights-2001", "flights");
  const count = async (filters: object[]) => {
    const body = { columns: ["origin"], filters, limit: 1, total: true };
    return (await (await request.post(`/api/public/tables/${tableId}/query`, { data: body })).json()).execution
      .total_rows;
  };
  const late = { column: "delay", operator: "gte", value: 60 };
  const share = async (name: string, of: readonly object[]) => {
    const here = await count([...of, { column: "origin", operator: "eq", value: name }]);
    return formatShare(here / (await count([...of])));
  };
  await page.goto(`${FLIGHTS}?filter=delay:gte:60`);
  const head = page.getByRole("columnheader", { name: /origin/ });
  await expect(head).toContainText("these rows");
  await expect(head.getByTitle(/ORD/)).toHaveAttribute(
    "title",
    `ORD: ${await share("ORD", [late])} of the matching rows, ${await share("ORD", [])} of the whole table. ` +
      "Click to show only these rows.",
  );
  await page.getByRole("button", { name: "About origin" }).click();
  const values = page.getByRole("dialog", { name: "origin" }).getByRole("list", { name: "Values in these rows" });
  await expect(values.getByRole("button", { name: /^ORD/ })).toContainText(await share("ORD", []));
  await page.keyboard.press("Escape");
  // without filters, or if the service does not say, the whole table is shown alone
  await page.getByRole("link", { name: /^Remove: delay/ }).click();
  await expect(head.getByTitle(/ORD/)).toHaveAttribute("title", /^ORD: [\d.]+% of the whole table\. /);
  await page.route("**/api/public/tables/*/profile", (route) => route.abort());
  await page.goto(`${FLIGHTS}?filter=delay:gte:61`);
  await expect(head).toContainText("whole table");
  await expect(head).not.toContainText("these rows");
});

test(
  "the filter editor offers a column's own operators, says in words what is wrong, and loses nothing that was " +
    "typed",
  async ({ page }) => {
    await page.goto("/datasets/bird-strikes/strikes");
    await page.getByRole("button", { name: /^Filter/ }).click();
    const form = page.getByRole("form", { name: "Filters" });
    await form.getByLabel("Column").selectOption("Flight Date");
    await expect(form.getByLabel("Condition").getByRole("option", { name: "contains" })).toHaveCount(0);
    await form.getByLabel("Condition").selectOption("gte");
    await form.getByLabel("Value").fill("1990-02-30");
    await form.getByRole("button", { name: "Apply" }).click();
    await expect(form.getByRole("alert")).toContainText("Expected a date, YYYY-MM-DD");
    await expect(form.getByLabel("Value")).toHaveValue("1990-02-30");
    await form.getByLabel("Calendar").fill("1999-12-31");
    await expect(form.getByLabel("Value")).toHaveValue("1999-12-31");
    await form.getByRole("button", { name: "Apply" }).click();
    await expect(page).toHaveURL(/filter=Flight\+Date:gte:1999-12-31/);
    await expect(cell(page, 0, 3)).toHaveText(/^(1999-12-31|20\d\d-\d\d-\d\d)$/);
    await page.reload();
    await expect(page.getByRole("list", { name: "Active filters" })).toContainText(
      "Flight Date is on or after 1999-12-31",
    );
  },
);

test("columns are cleared and chosen again, and another table of the dataset is one click away", async ({ page }) => {
  await page.goto("/datasets/browser-compatibility/support");
  await page.getByRole("button", { name: "Columns", exact: true }).click();
  const columns = page.getByRole("region", { name: "Columns" });
  await columns.getByRole("button", { name: "Clear all" }).click();
  await expect(columns.getByRole("checkbox", { checked: true })).toHaveCount(0);
  await columns.getByRole("checkbox", { name: /^browser string/ }).check();
  await expect(page).toHaveURL(/\?columns=browser$/);
  const tables = page.getByRole("navigation", { name: "Tables of this dataset" });
  await expect(tables.locator("[aria-current=page]")).toHaveText("Support");
  await tables.getByRole("link", { name: "Features" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Features");
});

test("by keyboard only: cells, the end of a row, a column's card and its order", async ({ page }) => {
  await page.goto(FLIGHTS);
  await cell(page, 0, 0).focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("End");
  await expect(cell(page, 1, 4)).toBeFocused();
  await expect(page.locator(".cell-bar")).toContainText("Row 2, destination");
  for (let step = 0; step < 4; step++) await page.keyboard.press("PageDown");
  await expect(page.locator("[data-cell]:focus")).toBeInViewport();
  await page.keyboard.press("Control+Home");
  await expect(cell(page, 0, 0)).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  const card = page.getByRole("dialog", { name: "date" });
  await expect(card).toBeVisible();
  await card.getByRole("button", { name: "Descending" }).press("Enter");
  await expect(page).toHaveURL(/sort=-date/);
  await expect(cell(page, 0, 0)).toContainText("2001-07-01");
});

for (const live of [true, false])
  test(`scrolling ${live ? "" : "before the page is live "}loads more by cursor and keeps its position`, async ({
    page,
  }) => {
    const scripts = live ? undefined : await held(page, /\/_next\/static\/.*\.js/);
    await page.goto(FLIGHTS, { waitUntil: live ? "load" : "commit" });
    const grid = page.getByRole("region", { name: "Rows of Flights" });
    await grid.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    const reached = await grid.evaluate((element) => element.scrollTop);
    expect(reached).toBeGreaterThan(0);
    await scripts?.release();
    await expect(status(page)).toHaveText("Showing the first 200 of 3,000,000 rows");
    expect(await grid.evaluate((element) => element.scrollTop)).toBe(reached);
  });

test("a row is reached by its number, paging continues from it, and another order begins at its first row", async ({
  page,
}) => {
  await page.goto(FLIGHTS);
  await expect(status(page)).toHaveText("Showing the first 100 of 3,000,000 rows");
  const rows = page.getByRole("navigation", { name: "Rows", exact: true });
  await rows.getByRole("textbox", { name: "Go to row" }).fill("1000001");
  await rows.getByRole("textbox", { name: "Go to row" }).press("Enter");
  await expect(status(page)).toHaveText("Showing rows 1,000,001 to 1,000,100 of 3,000,000");
  await expect(page.locator("tr", { has: cell(page, 0, 0) })).toHaveAttribute("aria-rowindex", "1000002");
  await rows.getByRole("link", { name: "Previous rows" }).click();
  await expect(status(page)).toHaveText("Showing rows 999,901 to 1,000,000 of 3,000,000");
  await page.reload();
  await expect(status(page)).toHaveText("Showing rows 999,901 to 1,000,000 of 3,000,000");
  await page.getByRole("link", { name: "delay" }).click();
  await expect(page).toHaveURL(/flights\?sort=delay$/);
});

test("a key that is entered is used, reads larger pages, and is in no address or storage", async ({ page }) => {
  const key = readerKey();
  await page.goto(FLIGHTS);
  await page.getByRole("button", { name: "API key" }).click();
  await page.getByRole("textbox", { name: "API key" }).fill(key);
  const keyed = page.waitForRequest(/\/api\/v2\/public\/tables\/.*\/query/);
  await page.getByRole("button", { name: "Use key" }).click();
  await expect(page.getByRole("button", { name: "Your API key" })).toBeVisible();
  await page.getByRole("region", { name: "Rows of Flights" }).evaluate((grid) => grid.scrollTo(0, grid.scrollHeight));
  expect((await keyed).headers()["x-api-key"]).toBe(key);
  await expect(status(page)).toHaveText(/the first [5-9],\d00 of 3,000,000 rows/);
  const kept = await page.evaluate(() =>
    [location.href, document.cookie, JSON.stringify(localStorage), JSON.stringify(sessionStorage)].join(" "),
  );
  expect(kept).not.toContain(key);
});

test("closing or applying an editor returns the focus to its button, and Escape closes it", async ({ page }) => {
  await page.goto(FLIGHTS);
  for (const name of ["Filter", "Group", "Sort", "Columns", "API key"]) {
    const button = page.getByRole("button", { name, exact: true });
    await button.press("Enter");
    await expect(page.getByRole("form").or(page.locator(".editor")).first()).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.locator(".editor")).toHaveCount(0);
    await expect(button).toBeFocused();
  }
  await page.getByRole("button", { name: "Filter", exact: true }).press("Enter");
  await page.getByRole("form", { name: "Filters" }).getByLabel("Column").selectOption("delay");
  await page.getByRole("form", { name: "Filters" }).getByLabel("Value").fill("60");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/filter=delay:gte:60/);
  await expect(page.locator('[data-editor="filter"]')).toBeFocused();
});

test("a slow answer is announced in words, and an outdated one is not shown", async ({ page }) => {
  await page.goto(FLIGHTS);
  const overtaken = await held(page, QUERY, (body) => !body.includes('"desc"'));
  await page.getByRole("link", { name: "delay" }).click();
  await expect(status(page)).toHaveText("Loading…");
  await page.getByRole("link", { name: "delay" }).click();
  await expect(page).toHaveURL(/sort=-delay/);
  await expect(status(page)).toContainText("Showing the first 100 of");
  const first = await cell(page, 0, 1).textContent();
  await overtaken.release();
  await expect(page.locator(".result-grid")).not.toHaveAttribute("aria-busy", "true");
  expect(await cell(page, 0, 1).textContent()).toBe(first);
});

test("an older version is explored as such; an invalid part of a URL is reported", async ({ page, request }) => {
  const { version_id } = await tableOf(request, "palmer-penguins");
  await page.goto(`/datasets/palmer-penguins/penguins?version=${version_id}&filter=Speces:eq:Adelie&sort=Island`);
  await expect(page.getByText('Unknown column "Speces". Did you mean "Species"?')).toBeVisible();
  await expect(status(page)).toContainText("344");
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("rows are read, sorted with links, filtered and counted with forms", async ({ page }) => {
    await page.goto("/datasets/palmer-penguins/penguins");
    await expect(cell(page, 0, 0)).toHaveText("Adelie");
    await page.locator("thead a", { hasText: "Island" }).click();
    await expect(cell(page, 0, 1)).toHaveText("Biscoe");
    await page.locator("select[name=add_column]").selectOption("Species");
    await page.locator("select[name=add_operator]").selectOption("eq");
    await page.locator("input[name=add_value]").fill("Gentoo");
    await page.getByRole("button", { name: "Add filter" }).click();
    await expect(page).toHaveURL(/filter=Species:eq:Gentoo&sort=Island/);
    await expect(cell(page, 0, 0)).toHaveText("Gentoo");
    await page.locator("select[name=add_group]").selectOption("Island");
    await page.getByRole("button", { name: "Count" }).click();
    await expect(cell(page, 0, 1)).toHaveText("124");
  });
});

/** An editor, a column's card or a dialog. */
const OPENED = ".editor, dialog[open], [role=dialog]";

test("accessible in light and dark with editors and cards open, and no sideways scrolling on a phone", async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto("/datasets/palmer-penguins/penguins?filter=Species:eq:Adelie&chart=auto::");
  await expectAccessible(page);
  for (const open of [/^Filter/, /^Group/, /^Sort/, /^Columns/, /^API key/, /^About Island/]) {
    await page.getByRole("button", { name: open }).first().click();
    await expect(page.locator(OPENED).first()).toBeVisible();
    await expectAccessible(page, { when: String(open), within: OPENED });
  }
  await page.goto("/datasets/bird-strikes/strikes?filter=Flight+Date:gte:1999-12-31");
  await expectFitsPhone(page);
});
