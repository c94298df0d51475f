import { expect } from "@playwright/test";
import { expectAccessible, expectFitsPhone } from "./accessibility";
import { BrowserPerson } from "./browser-person";
import { test } from "./test";

const CURVE = "/datasets/mauna-loa-co2/monthly?filter=CO2:gt:400&chart=line:Date:CO2";

for (const javaScriptEnabled of [true, false])
  test(`saved views are listed, renamed and deleted${javaScriptEnabled ? "" : ", also without script"}`, async ({
    browser,
  }) => {
    const person = await BrowserPerson.signedIn(browser, "views", { javaScriptEnabled });
    const { page } = person;
    await page.goto("/settings/views");
    await expect(page.getByText("No saved views yet")).toBeVisible();
    const short = javaScriptEnabled ? await saveInExplorer(person) : await saveByRequest(person);

    await page.goto("/settings/views");
    const row = page.getByRole("row", { name: /Above 400/ });
    await expect(row).toContainText("Mauna Loa CO2, Monthly means");
    if (javaScriptEnabled) await expectAccessible(page);
    await expectFitsPhone(page);
    await row
      .locator("summary")
      .filter({ hasText: /^Rename/ })
      .click();
    await row.getByRole("textbox", { name: "Title" }).fill("Over 400 ppm");
    await row.getByRole("button", { name: "Rename" }).click();
    await expect(page.getByRole("status").filter({ hasText: "View renamed." })).toBeVisible();

    const renamed = page.getByRole("row", { name: /Over 400 ppm/ });
    await renamed.getByRole("link", { name: "Over 400 ppm", exact: true }).click();
    await expect(page).toHaveURL(/\/datasets\/mauna-loa-co2\/monthly\?.*title=Over\+400\+ppm/);
    await page.goto("/settings/views");
    if (javaScriptEnabled) await renamed.getByRole("button", { name: /^Delete/ }).click();
    else
      await renamed
        .locator("summary")
        .filter({ hasText: /^Delete$/ })
        .click();
    await page.getByRole("button", { name: "Delete view" }).click();
    await expect(page.getByText("No saved views yet")).toBeVisible();
    expect((await page.request.get(short)).status()).toBe(404);
  });

async function saveInExplorer({ page }: BrowserPerson): Promise<string> {
  await page.goto(CURVE);
  await page.getByRole("button", { name: "Share" }).click();
  const dialog = page.getByRole("dialog", { name: "Share this view" });
  await dialog.getByRole("textbox", { name: "Title" }).fill("Above 400");
  await dialog.getByRole("button", { name: "Create short link" }).click();
  const short = await dialog.getByRole("textbox", { name: "Short link", exact: true }).inputValue();
  await dialog.getByRole("link", { name: "All your saved views" }).click();
  await expect(page).toHaveURL(/\/settings\/views$/);
  return short;
}

async function saveByRequest({ page }: BrowserPerson): Promise<string> {
  const found = await page.request.get("/api/v2/public/datasets/mauna-loa-co2");
  const { tableId } = (await found.json()).tables[0];
  const query = `${CURVE.slice(CURVE.indexOf("?") + 1)}&title=Above+400`;
  const origin = new URL(page.url()).origin;
  const saved = await page.request.post("/api/account/views", {
    headers: { origin },
    data: { table_id: tableId, query },
  });
  expect(saved.status()).toBe(201);
  return (await saved.json()).view.url;
}

test("a dataset's page leads to a watch of it, for visitors by the sign-in", async ({ browser, page }) => {
  await page.goto("/datasets/mauna-loa-co2");
  const watch = { role: "link", name: "Watch", exact: true } as const;
  await page.getByRole(watch.role, watch).click();
  await expect(page).toHaveURL(/\/sign-in\?callbackUrl=%2Fsettings%2Fwatches%3Fdataset%3Dmauna-loa-co2/);

  const person = await BrowserPerson.signedIn(browser, "watching");
  await person.page.goto("/datasets/mauna-loa-co2");
  await person.page.getByRole(watch.role, watch).click();
  const form = person.page.locator("details[open]");
  await expect(form.getByLabel("Dataset")).toHaveValue("mauna-loa-co2");
  await form.getByRole("button", { name: /Email me|Add webhook/ }).waitFor();
});
