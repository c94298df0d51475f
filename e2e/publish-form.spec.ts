import { expect } from "@playwright/test";
import { expectAccessible, expectFitsPhone } from "./accessibility";
import { paidPerson } from "./paid-workspace";
import { recipeField } from "./recipe-field";
import { test } from "./test";

/** Days of which none tells day from month, a number that is a name, a mark for a missing value. */
const FILE = "Gauge;Nr;Level;Day;Note\nA;007;1.234,5;01.02.2026;x\nB;008;-;03.02.2026;y\n";
const DAYS = "Gauge,Day,Level\nA,01/02/2026,1.5\nB,03/04/2026,2.5\n";

test("a person publishes a file without writing a recipe, and changes what was understood", async ({ browser }) => {
  const { page } = await paidPerson(browser, "publish-form");
  await page.goto("/publish");
  await expect(page).toHaveURL(/\/studio\/new\/publish/);
  await expectAccessible(page);
  await page
    .getByLabel("File")
    .setInputFiles({ name: "gauge_days.csv", mimeType: "text/csv", buffer: Buffer.from(DAYS) });
  await page.getByRole("button", { name: "Read the file" }).click();

  const columns = page.getByRole("table", { name: "Columns" });
  await expect(columns.getByRole("row")).toHaveCount(4);
  await expect(page.getByLabel("Title")).toHaveValue("Gauge days");
  await columns.getByLabel("Type of Day").selectOption("date");
  await columns.getByLabel("Format of Day").selectOption("%-m/%-d/%Y");
  await columns.getByLabel("Name of Gauge").fill("gauge");
  await columns.getByLabel("Gauge is a key").check();
  await columns.getByLabel("Type of Level").selectOption("decimal(18,2)");
  await expectAccessible(page);
  await expectFitsPhone(page);
  await page.getByLabel("Licence").fill("CC0-1.0");
  await page.getByLabel("Publisher").fill("Office of gauges");
  await page.getByRole("button", { name: "Make a sample" }).click();

  await page.getByRole("link", { name: "Review and approve" }).click();
  await page.getByRole("button", { name: "Approve and make current" }).click();
  const rows = page.getByRole("region", { name: "Rows of data" });
  await expect(rows).toContainText("2026-01-02");
  await expect(rows).toContainText("2026-03-04");
  await page.getByRole("link", { name: "Gauge days" }).click();
  await page.getByRole("link", { name: "View or edit" }).click();
  await expect(recipeField(page)).toHaveValue(/primary_key: \[gauge\]/);
});

test("what is left out, required or refused is as the person decides", async ({ browser }) => {
  const { page } = await paidPerson(browser, "publish-form-choices");
  await page.goto("/studio");
  await page.getByRole("link", { name: "Publish a file" }).click();
  await page
    .getByLabel("File")
    .setInputFiles({ name: "Ströme 2026.csv", mimeType: "text/csv", buffer: Buffer.from(FILE) });
  await page.getByRole("button", { name: "Read the file" }).click();
  const columns = page.getByRole("table", { name: "Columns" });
  await expect(columns.getByLabel("Type of Nr")).toHaveValue("string"); // leading zeros
  await columns.getByLabel("Leave out Note").check();
  await columns.getByLabel("Name of Level").fill("Nr");
  await page.getByLabel("Licence").fill("CC0-1.0");
  await page.getByLabel("Publisher").fill("Office of gauges");
  await page.getByRole("button", { name: "Make a sample" }).click();
  await expect(page.getByText("/tables/0/").first()).toBeVisible();
  await expect(page.getByRole("button", { name: /^Line/ })).toHaveCount(0); // whose text is not shown
  await columns.getByLabel("Name of Level").fill("Level (cm)");
  await page.getByLabel("Title").fill("Levels of 2026");
  await page.getByRole("button", { name: "Make a sample" }).click();
  await page.getByRole("link", { name: "Review and approve" }).click();
  await expect(page.getByRole("main")).toContainText("Level (cm)");
  await expect(page.getByRole("link", { name: "Levels of 2026" })).toBeVisible();
});
