import { expect } from "@playwright/test";
import { expectAccessible, expectFitsPhone } from "./accessibility";
import { BrowserPerson } from "./browser-person";
import { test } from "./test";
import { used } from "./used-secrets";

const RECEIVER = "https://hooks.invalid/views"; // a host name that no name server knows
const QUERY = "filter=CO2:gt:400&agg=avg:CO2:mean&agg=count::months&title=Months+above+400";

for (const javaScriptEnabled of [true, false])
  test(`a saved view is watched with a threshold${javaScriptEnabled ? "" : ", also without script"}`, async ({
    browser,
  }) => {
    const { page } = await BrowserPerson.signedIn(browser, "view-watches", { javaScriptEnabled });
    await save(page, QUERY);
    await page.goto("/settings/views");
    const row = page.getByRole("row", { name: /Months above 400/ });
    await row.getByRole("link", { name: /^Tell me when it changes/ }).click();
    await expect(page.getByText("is compared with the last one whenever its table has a new version")).toBeVisible();
    const form = page.locator("details", { has: page.getByText("Add a webhook", { exact: true }) });
    const url = form.getByLabel("URL", { exact: true });
    await url.fill(RECEIVER);
    await expect(form.getByLabel("Tell me of").getByRole("option")).toHaveText([
      "every change of the result",
      "mean, when it crosses a value",
      "months, when it crosses a value",
    ]);
    await form.getByLabel("Tell me of").selectOption("mean");
    await form.getByLabel("Value", { exact: true }).fill("many");
    await form.getByRole("button", { name: "Add webhook" }).click();
    const value = page.getByLabel("Value", { exact: true }).first();
    await expect(value).toHaveAccessibleDescription(/Give a number/);
    await expect(value).toHaveValue("many");
    await expect(url).toHaveValue(RECEIVER);
    await expect(form.getByLabel("Tell me of")).toHaveValue("mean");
    if (javaScriptEnabled) await expectAccessible(page);
    await expectFitsPhone(page);
    await value.fill("430.5");
    await form.getByLabel("Tell me of").selectOption("");
    await form.getByRole("button", { name: "Add webhook" }).click();
    await expect(value).toHaveAccessibleDescription(/Choose the column that the value is of/);
    await form.getByLabel("Tell me of").selectOption("mean");
    await form.getByRole("button", { name: "Add webhook" }).click();
    const secret = page.getByText(/^whsec_/);
    await expect(secret).toBeVisible();
    used((await secret.textContent()) ?? "", "signing secret of a webhook");

    const listed = page.getByRole("listitem").filter({ hasText: RECEIVER });
    await expect(listed).toContainText("When mean comes above 430.5: Months above 400, mauna-loa-co2/monthly");
    await expect(listed).toContainText(/Last result: mean 4\d\d\.\d+, months \d+ \(version/);
    if (javaScriptEnabled) await expectAccessible(page);
    await expectFitsPhone(page);
    await listed.getByRole("link", { name: "Months above 400" }).click();
    await expect(page).toHaveURL(/\/datasets\/mauna-loa-co2\/monthly\?.*title=Months\+above\+400/);
  });

test("a view that cannot be watched says why, and what to do", async ({ browser }) => {
  const { page } = await BrowserPerson.signedIn(browser, "view-watches-not");
  const whole = await save(page, "title=All+of+it", "us-flights-2001");
  await page.goto(`/settings/watches?view=${whole}`);
  const form = page.locator("details", { has: page.getByText("Add a webhook", { exact: true }) });
  await form.getByLabel("URL", { exact: true }).fill(RECEIVER);
  await form.getByRole("button", { name: "Add webhook" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "too large to be watched" })).toContainText("Filter");
  await page.goto("/settings/watches?view=0000000000");
  await expect(page.getByText("You have no saved view with this link")).toBeVisible();
  const unfitting = await save(page, "filter=Gone:gt:1&title=Gone");
  await page.goto(`/settings/watches?view=${unfitting}`);
  await expect(page.getByText("The view does not fit the table: filter=Gone:gt:1")).toBeVisible();
  await expectAccessible(page);
});

/** Saves a view, and returns the last part of its short link. */
async function save(page: BrowserPerson["page"], query: string, dataset = "mauna-loa-co2"): Promise<string> {
  const found = await page.request.get(`/api/v2/public/datasets/${dataset}`);
  const { tableId } = (await found.json()).tables[0];
  await page.goto("/settings/views");
  const headers = { origin: new URL(page.url()).origin };
  const saved = await page.request.post("/api/account/views", { headers, data: { table_id: tableId, query } });
  expect(saved.status()).toBe(201);
  return (await saved.json()).view.id;
}
