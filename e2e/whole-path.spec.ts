import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, type Page } from "@playwright/test";
import { clipboardOf } from "./clipboard";
import { test } from "./test";

const run = promisify(execFile);

/** Origins and numbers of rows as the grid shows them, first rows first. */
async function shownGroups(page: Page): Promise<[string, number][]> {
  const texts = (column: number) => page.locator(`tbody [data-cell$=':${column}']`).allTextContents();
  const [origins, counts] = await Promise.all([texts(0), texts(1)]);
  return origins
    .map((origin, row) => [origin, Number((counts[row] ?? "").replaceAll(",", ""))] as [string, number])
    .filter(([origin]) => origin !== "");
}

test("from the home page to numbers in one's own terminal", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-write"]);
  await page.goto("/");
  await page.getByRole("searchbox").first().fill("flights");
  await page.keyboard.press("Enter");
  await page
    .getByRole("main")
    .getByRole("link", { name: /US domestic flights/ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/datasets\/us-flights-2001$/);
  await page
    .getByRole("link", { name: /^Explore/ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/datasets\/us-flights-2001\/flights$/);

  await page.getByRole("button", { name: "Histogram of distance" }).click({ position: { x: 30, y: 20 } });
  await expect(page.getByRole("list", { name: "Active filters" })).toContainText("distance");
  await page.getByRole("button", { name: "About origin" }).click();
  await page.getByRole("dialog", { name: "origin" }).getByRole("button", { name: "Group by" }).click();
  await expect(page.getByRole("columnheader", { name: /rows/ })).toBeVisible();
  await page.getByRole("button", { name: "Chart" }).click();
  await expect(page.getByRole("region", { name: "Chart" }).locator("svg").first()).toBeVisible();

  const shown = await shownGroups(page);
  expect(shown.length).toBeGreaterThan(5);
  const curl = page.locator("#explorer-code-curl + label + .panel");
  await curl.getByRole("button", { name: /copy/i }).click();
  const command = await clipboardOf(page);
  const { stdout } = await run("sh", ["-c", command]);
  const reply = JSON.parse(stdout) as { rows: { origin: string; rows: number }[] };
  expect(reply.rows.slice(0, shown.length).map(({ origin, rows }) => [origin, rows])).toEqual(shown);
});
