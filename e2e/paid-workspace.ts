import { type Browser, expect, type Page } from "@playwright/test";
import { BrowserPerson } from "./browser-person";
import { payFor } from "./service";
import type { Terminal } from "./terminal";

/** Somebody signed in, in a browser, whose own workspace is on the paid plan. */
export async function paidPerson(browser: Browser, name: string): Promise<{ page: Page; workspace: string }> {
  const { page } = await BrowserPerson.signedIn(browser, name);
  const account = await (await page.context().request.get("/api/account")).json();
  const workspace: string = account.workspaces[0]?.id ?? "";
  await payFor(workspace);
  return { page, workspace };
}

/** Signs in a computer with build access, by its code in the person's browser. */
export async function signInToBuild(page: Page, terminal: Terminal): Promise<void> {
  const { code, finished } = await terminal.login("builder", "--build");
  await page.goto("/device");
  await page.getByLabel("Code").fill(code);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("main")).toContainText("Build, change and publish datasets in the workspace");
  await page.getByRole("button", { name: "Allow", exact: true }).click();
  expect((await finished).code).toBe(0);
}
