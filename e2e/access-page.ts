import { expect, type Locator, type Page } from "@playwright/test";
import { noteFound } from "./used-secrets";

export const KEY = /^svc_use_[0-9A-Za-z]{46}$/;

/** A newly created key, which is shown only once. */
export const revealed = (page: Page): Locator => page.getByRole("region", { name: /Copy this key now/ });
/** Where they are created: beside them, members with live keys have fields of the same names. */
export const useKeys = (page: Page): Locator => page.getByRole("region", { name: "Use keys" });
export const workingKeys = (page: Page): Locator => page.getByRole("table", { name: "Active keys" });

/** Creates a key on the access page and returns it. */
export async function makeKey(page: Page, name: string): Promise<string> {
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByRole("button", { name: "Create key" }).click();
  const key = (await revealed(page).locator("code").first().textContent()) ?? "";
  expect(key).toMatch(KEY);
  noteFound(key, "a key on the access page");
  return key;
}
