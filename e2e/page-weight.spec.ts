import { expect, type Page } from "@playwright/test";
import { PAGES } from "./page-list";
import { paidPerson } from "./paid-workspace";
import { recipeEditor } from "./recipe-field";
import { test } from "./test";

const SCRIPT_KB_MAX = 150;
/** All scripts of the page with the recipe editor. */
const EDITOR_KB_MAX = 320;

/** Compressed kilobytes of all scripts that the page has loaded once it is idle, and something else is there. */
async function scriptKb(page: Page, path: string, isThere = async () => {}): Promise<number> {
  const session = await page.context().newCDPSession(page);
  const scripts = new Set<string>();
  let bytes = 0;
  session.on("Network.responseReceived", ({ requestId, type }) => void (type === "Script" && scripts.add(requestId)));
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength;
  });
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  await page.goto(path, { waitUntil: "networkidle" });
  await isThere();
  return bytes / 1000;
}

for (const { name, path } of PAGES.filter(({ isReading }) => isReading)) {
  test(`${name}: a reader loads less than ${SCRIPT_KB_MAX} kB of script`, async ({ page }) => {
    const loaded = await scriptKb(page, path);
    expect(loaded).toBeGreaterThan(50); // otherwise nothing was counted
    expect(loaded).toBeLessThan(SCRIPT_KB_MAX);
  });
}

test("the recipe editor is loaded on its own page alone", async ({ browser }) => {
  const { page } = await paidPerson(browser, "weight");
  await page.goto("/studio/new");
  await page.getByLabel("Title").fill("Levels that weigh");
  await page.getByRole("button", { name: "Create and write a recipe" }).click();
  await expect(recipeEditor(page)).toBeVisible();
  const recipe = page.url();
  const beside = await scriptKb(page, recipe.replace(/\/recipe.*/, ""));
  expect(beside).toBeLessThan(SCRIPT_KB_MAX);
  const loaded = await scriptKb(page, recipe, () => expect(recipeEditor(page)).toBeVisible());
  expect(loaded).toBeGreaterThan(beside + 50); // otherwise the editor was not counted
  expect(loaded).toBeLessThan(EDITOR_KB_MAX);
});
