import { expect, type Page } from "@playwright/test";
import { used } from "./used-secrets";

/** The connection test of the docs. */
export const form = (page: Page) => page.getByRole("form", { name: "Test the connection" });
/** The verdict on each step. */
export const verdicts = (page: Page) => form(page).getByRole("listitem");
const failing = (page: Page) => verdicts(page).filter({ has: page.getByRole("img", { name: "Fails:" }) });

/** Waits until every step has succeeded; a failure shows what the step said. */
export async function works(page: Page): Promise<void> {
  await expect(form(page).getByRole("button", { name: "Copy report" })).toBeVisible();
  expect(await failing(page).allInnerTexts()).toEqual([]);
  await expect(form(page).getByText("Everything a client needs works.")).toBeVisible();
}

/** Opens the test with these choices. */
export async function open(page: Page, query: string): Promise<void> {
  await page.goto(`/docs/connect?${query}#test`);
  await expect(form(page)).toBeVisible();
}

/** Pastes a key or token and tests it. */
export async function paste(page: Page, credential: string, at = ""): Promise<void> {
  await open(page, `test=credential${at}`);
  await form(page)
    .getByLabel("Key or token", { exact: true })
    .fill(used(credential, "what is pasted into the connection test"));
  await page.keyboard.press("Enter");
}

/** Waits until exactly one step has failed, with these words. */
export const failsWith = async (page: Page, step: string, words: string, todo: string) => {
  const failed = failing(page);
  await expect(failed).toHaveCount(1);
  await expect(failed).toContainText(step);
  await expect(failed).toContainText(words);
  await expect(form(page).getByRole("alert")).toContainText(todo);
};

/** What the page leaves in places that others could read. */
export const leftBehind = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const databases = await indexedDB.databases();
    return JSON.stringify([
      location.href,
      { ...localStorage },
      { ...sessionStorage },
      document.cookie,
      databases,
      history.state,
    ]);
  });
