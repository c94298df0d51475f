import { expect } from "@playwright/test";
import { expectAccessible, expectAccessibleStructure, expectFitsPhone, expectRoomyTargets } from "./accessibility";
import { test } from "./test";

/** The directory, dataset pages, the explorer, the docs and the account have their own specs. */
const PAGES = ["/", "/topics/climate", "/datasets/spdx-licenses/licenses/rows/300", "/status", "/no-such-page"];
/** Their specs check their colours. */
const OF_OTHERS = [
  "/datasets",
  "/datasets/us-flights-2001",
  "/datasets/bird-strikes",
  "/publishers/us-geological-survey",
];

test.describe("every page", () => {
  for (const address of [...PAGES, ...OF_OTHERS]) {
    test(`${address}: accessible, no sideways scrolling on a phone, no error in the console`, async ({ page }) => {
      const problems: string[] = [];
      page.on("pageerror", (error) => problems.push(error.message));
      page.on("console", (message) => {
        if (message.type() === "error" && !message.text().includes("404")) problems.push(message.text());
      });
      await page.goto(address);
      await (OF_OTHERS.includes(address) ? expectAccessibleStructure : expectAccessible)(page);
      await expectRoomyTargets(page);
      await expectFitsPhone(page);
      expect(problems).toEqual([]);
    });
  }
});

test("the home page suggests datasets while typing, by keyboard and by pointer", async ({ page }) => {
  await page.goto("/");
  const field = page.getByRole("combobox", { name: "Search titles" });
  const options = page.getByRole("option");
  await field.fill("eart");
  await expect(options.first()).toContainText("Earthquakes");
  await expectAccessible(page, { within: "main search" });
  await field.press("Escape");
  await expect(options).toHaveCount(0);
  await expect(field).toHaveValue("eart");
  await field.press("ArrowDown");
  await expect(options.first()).toBeVisible();
  await field.press("ArrowDown");
  await expect(options.first()).toHaveAttribute("aria-selected", "true");
  await field.press("Enter");
  await expect(page).toHaveURL(/\/datasets\/earthquakes-2018$/);

  await page.goto("/");
  await field.fill("a");
  await field.fill("fligh");
  await options.filter({ hasText: "US domestic flights" }).click();
  await expect(page).toHaveURL(/\/datasets\/us-flights-2001$/);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("a row's page leads to its neighbours and to any row by its number", async ({ page }) => {
    await page.goto("/datasets/us-flights-2001/flights/rows/1");
    await expect(page.getByRole("link", { name: "Previous" })).toHaveCount(0);
    await page.getByRole("textbox", { name: "Go to row" }).fill("3,000,000");
    await page.getByRole("button", { name: "Go", exact: true }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Row 3,000,000 of 3,000,000");
    await expect(page).toHaveURL(/\/rows\/3000000\?version=[0-9a-f-]{36}$/);
    await page.getByRole("link", { name: "Previous" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Row 2,999,999 of 3,000,000");
    const beyond = await page.goto("/datasets/us-flights-2001/flights/rows/3000001");
    expect(beyond?.status()).toBe(404);
    await expect(page.getByText("This version has 3,000,000 rows")).toBeVisible();
  });

  test("a person finds a dataset by search and reads its rows and columns", async ({ page }) => {
    await page.goto("/");
    await page.getByRole("searchbox").first().fill("flights");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/datasets\?.*q=flights/);
    await page
      .getByRole("link", { name: /US domestic flights/ })
      .first()
      .click();
    await expect(page).toHaveURL(/\/datasets\/us-flights-2001$/);
    await expect(page.getByRole("heading", { level: 1 })).toContainText("flights");
    await expect(page.getByRole("table").first()).toContainText("LAS");
    await expect(page.getByText("3,000,000").first()).toBeVisible();
    await expect(page.locator("body")).toContainText(/sha256:[0-9a-f]{8}/);
  });

  test("topics, publishers and datasets lead to each other", async ({ page }) => {
    await page.goto("/datasets/mauna-loa-co2");
    const related = page.getByRole("region", { name: "Related datasets" }).getByRole("article");
    await expect(related.first().getByRole("heading")).toHaveText("Daily weather, Seattle and New York");
    await page.getByRole("list", { name: "Topics" }).first().getByRole("link", { name: "time series" }).click();
    await expect(page).toHaveURL(/\/topics\/time%20series$/);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("time series");
    const listed = page.getByRole("region", { name: /^\d+ datasets, newest first$/ }).getByRole("article");
    expect(await listed.count()).toBeGreaterThan(3);
    await page
      .getByRole("complementary")
      .getByRole("link", { name: /^US Geological Survey/ })
      .click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("US Geological Survey");
    await page.getByRole("link", { name: "Search and filter these datasets" }).click();
    await expect(page).toHaveURL(/\/datasets\?publisher=us-geological-survey$/);
  });

  test("an unknown URL is a complete page, with 404 and further links", async ({ page }) => {
    for (const address of [
      "/no-such-page",
      "/datasets/no-such-dataset",
      "/datasets/no-such-dataset/versions",
      "/docs/no-such-page",
      "/docs/api/no-such-operation",
      "/v/2345678923",
      "/topics/nothing-is-about-this",
      "/publishers/nobody",
    ]) {
      const reply = await page.goto(address);
      expect([address, reply?.status(), reply?.headers()["cache-control"]]).toEqual([address, 404, "no-store"]);
      await expect(page).toHaveTitle("Not found · Parquetry");
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page not found");
      await expect(page.getByRole("main").getByRole("combobox")).toBeVisible();
      await expect(page.getByRole("contentinfo")).toBeVisible();
    }
  });

  test("the status page says what is up and which data is served", async ({ page }) => {
    await page.goto("/status");
    await expect(page.getByRole("main")).toContainText("All systems operational");
    await expect(page.getByRole("table", { name: "Components" }).getByRole("row")).toHaveCount(4);
    await expect(page.getByRole("main")).toContainText(/\d+ datasets/);
  });

  test("search and filters are links and forms whose state is in the URL", async ({ page }) => {
    await page.goto("/datasets?sort=title");
    const titles = await page.getByRole("main").getByRole("article").getByRole("heading").allTextContents();
    expect(titles.length).toBeGreaterThan(5);
    expect([...titles].sort((a, b) => a.toLowerCase().localeCompare(b.toLowerCase(), "en"))).toEqual(titles);
  });
});
