import { expect } from "@playwright/test";
import { makeKey, workingKeys } from "./access-page";
import { expectAccessible, expectAccessibleStructure, expectFitsPhone } from "./accessibility";
import { BrowserPerson } from "./browser-person";
import { newEmail, Person } from "./people";
import { rowsOf } from "./service";
import { test } from "./test";

/** A person with three keys, whose usage of the last quarter is written into the database. */
const busy = new Person(newEmail("busy"));

test.beforeAll(async () => {
  await busy.signUp();
  const [{ id: workspace } = { id: "" }] = (await busy.account()).workspaces;
  const keys = [
    await busy.createKey(workspace, "one"),
    await busy.createKey(workspace, "two"),
    await busy.createKey(workspace, "three"),
  ];
  await rowsOf(
    `INSERT INTO "Usage" (day, "workspaceId", "keyId", "tableId", queries, downloads, rows, bytes)
     SELECT current_date - back, $1::uuid, key::uuid, t.id, (back * 7) % 90 + 1, back % 4, back * 100, back * 54321
     FROM generate_series(0, 91) back, unnest(string_to_array($2, ',')) key, (SELECT id FROM "Table" ORDER BY id LIMIT
       11) t`,
    [workspace, keys.map(({ id }) => id).join(",")],
  );
});

test(
  "the access page is accessible in light and dark, with much use and with a key just made; nothing scrolls " +
    "sideways on a phone",
  async ({ browser }) => {
    const { page } = await BrowserPerson.of(browser, busy);
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    await page.goto("/settings/access?days=92");
    await expect(page.getByRole("img", { name: /^Queries per day, .* in all, most on / })).toBeVisible();
    await page.evaluate(() => {
      for (const fold of document.querySelectorAll("main details")) fold.setAttribute("open", "");
    });
    await expectAccessible(page);
    await makeKey(page, "new");
    await page.getByRole("button", { name: "Revoke one" }).click();
    await expectAccessibleStructure(page, { when: "asking" });
    await page.keyboard.press("Escape");
    await expectFitsPhone(page);
    expect(problems).toEqual([]);
  },
);

test("the chart's values are also in a table, and the sums match the days", async ({ browser }) => {
  const { page } = await BrowserPerson.of(browser, busy);
  await page.goto("/settings/access");
  await page.getByText("Show as a table").click();
  const cells = await page.getByRole("region", { name: "Usage by day" }).getByRole("row").allTextContents();
  expect(cells).toHaveLength(32);
  const drawn = await page.locator(".day-chart svg").first().locator("path.fill-bar").getAttribute("d");
  expect(drawn?.match(/M/g)).toHaveLength(30);
  const sum = await page.getByRole("img", { name: /^Queries per day/ }).getAttribute("aria-label");
  const days = Array.from({ length: 31 }, (_, back) => 33 * (((back * 7) % 90) + 1));
  expect(sum).toContain(`${days.reduce((a, b) => a + b).toLocaleString("en-US")} in all`);
});

test("the page shows the usage without script too", async ({ browser }) => {
  const { page } = await BrowserPerson.of(browser, busy);
  const context = await browser.newContext({
    javaScriptEnabled: false,
    storageState: await page.context().storageState(),
  });
  const plain = await context.newPage();
  await plain.goto("/settings/access");
  await expect(workingKeys(plain)).toContainText("three");
  await expect(plain.getByRole("img", { name: /^Queries per day/ })).toBeVisible();
  await expect(plain.getByRole("button", { name: "Create key" })).toBeVisible();
});
