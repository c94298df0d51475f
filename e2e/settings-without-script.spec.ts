import { randomUUID } from "node:crypto";
import { expect, type Locator, type Page } from "@playwright/test";
import { expectFitsPhone } from "./accessibility";
import { BrowserPerson } from "./browser-person";
import { test } from "./test";
import { used } from "./used-secrets";

const PLAIN = { javaScriptEnabled: false };
const credentials = (page: Page): Locator => page.getByRole("table", { name: "Source credentials" });

/** Expands what other browsers see in a dialog. */
async function unfold(page: Page, label: string, title = label): Promise<Locator> {
  await page
    .locator("summary")
    .filter({ hasText: new RegExp(`^${label}$`) })
    .first()
    .click();
  const panel = page.getByRole("region", { name: title });
  await expect(panel).toBeVisible();
  return panel;
}

test("without script credentials are stored, replaced and deleted, with faults at their fields", async ({
  browser,
}) => {
  const { page } = await BrowserPerson.signedIn(browser, "plain-secrets", PLAIN);
  const value = used("plain-s3cr3t-of-a-source", "source credential");
  await page.goto("/settings/secrets");
  const header = page.getByRole("banner");
  await expect(header.getByRole("link", { name: "Account" })).toBeVisible();
  await expect(header.getByRole("link", { name: "Sign in" })).toBeHidden();
  await expectFitsPhone(page);

  const adding = await unfold(page, "Add a secret");
  await adding.getByText("Bearer token", { exact: true }).click();
  await adding.getByLabel("Name", { exact: true }).and(page.locator(":visible")).fill("Not a name");
  await adding.getByLabel("Token", { exact: true }).fill(value);
  await adding.getByRole("button", { name: "Store secret" }).click();

  const again = page.getByRole("region", { name: "Add a secret" });
  const name = again.getByLabel("Name", { exact: true }).and(page.locator(":visible"));
  await expect(name).toHaveValue("Not a name");
  await expect(name).toHaveAccessibleDescription(/lowercase letters/);
  await expect(name).toHaveAttribute("aria-invalid", "true");
  await expect(again.getByLabel("Token", { exact: true })).toHaveValue("");
  expect(page.url()).not.toContain(value);
  await expectFitsPhone(page);
  await name.fill("github");
  await again.getByLabel("Token", { exact: true }).fill(value);
  await again.getByRole("button", { name: "Store secret" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Secret stored." })).toBeVisible();
  await expect(credentials(page)).toContainText("No hosts: recipes cannot use it.");
  expect(await page.content()).not.toContain(value);

  const hosts = await unfold(page, "Hosts", "Hosts of “github”");
  await hosts.getByLabel("Host names").fill("not a host");
  await hosts.getByRole("button", { name: "Save hosts" }).click();
  await expect(hosts.getByLabel("Host names")).toHaveValue("not a host");
  await expect(hosts.getByLabel("Host names")).toHaveAccessibleDescription(/host/);
  await hosts.getByLabel("Host names").fill("api.github.com, *.example.org");
  await hosts.getByRole("button", { name: "Save hosts" }).click();
  await expect(credentials(page)).toContainText("for api.github.com, *.example.org");

  const replacing = await unfold(page, "Replace", "Replace “github”");
  await replacing.getByLabel("Token", { exact: true }).fill(`${value}-2`);
  await replacing.getByRole("button", { name: "Replace value" }).click();
  await expect(credentials(page)).toContainText("replaced");
  const deleting = await unfold(page, "Delete", "Delete “github”?");
  await expect(deleting).toContainText("Recipes that use it fail");
  await deleting.getByRole("button", { name: "Delete secret" }).click();
  await expect(page.getByText("No secrets yet")).toBeVisible();
});

test("without script a key is made, renamed, replaced and revoked, a watch added, names and address changed", async ({
  browser,
}) => {
  const { page, password } = await BrowserPerson.signedIn(browser, "plain-settings", PLAIN);
  await page.goto("/settings/access");
  const keys = page.getByRole("region", { name: "Use keys" });
  await keys.getByLabel("Expires").selectOption("never");
  await keys.getByRole("button", { name: "Create key" }).click();
  await expect(keys.getByLabel("Name", { exact: true })).toHaveAttribute("aria-invalid", "true");
  await expect(keys.getByLabel("Expires")).toHaveValue("never");
  await keys.getByLabel("Name", { exact: true }).fill("notebook");
  await keys.getByRole("button", { name: "Create key" }).click();
  const key = keys.locator("[data-secret]");
  await expect(key).toHaveText(/^svc_use_/);
  used((await key.textContent()) ?? "", "use key");
  await expectFitsPhone(page);
  await page.goto("/settings/access");
  await expect(key).toBeHidden();
  await keys.getByText("Rename or replace").click();
  await keys.getByLabel("Rename to").fill("desk");
  await keys.getByRole("button", { name: "Rename", exact: true }).click();
  await expect(page.getByRole("status").filter({ hasText: "Key renamed." })).toBeVisible();
  await keys.getByText("Rename or replace").click();
  await keys.getByLabel("The old key works for another").selectOption("168");
  await keys.getByRole("button", { name: "Replace", exact: true }).click();
  await expect(key).toHaveText(/^svc_use_/);
  used((await key.textContent()) ?? "", "use key");
  await expectFitsPhone(page);
  await page.goto("/settings/access");
  await expect(keys.getByRole("table", { name: "Active keys" }).getByRole("row")).toHaveCount(3);
  const revoking = await unfold(page, "Revoke", "Revoke “desk”?");
  await revoking.getByRole("button", { name: "Revoke key" }).click();
  await expect(page.getByRole("status").filter({ hasText: "The key “desk” is revoked." })).toBeVisible();

  await page.goto("/settings/watches");
  await page.getByText("Add a webhook", { exact: true }).click();
  await page.getByLabel("URL", { exact: true }).fill("https://127.0.0.1/hook");
  await page.getByRole("checkbox", { name: /^Went stale/ }).check();
  await page.getByRole("button", { name: "Add webhook" }).click();
  await expect(page.getByLabel("URL", { exact: true })).toHaveValue("https://127.0.0.1/hook");
  await expect(page.getByLabel("URL", { exact: true })).toHaveAccessibleDescription(/Use a public address/);
  await expect(page.getByRole("checkbox", { name: /^Went stale/ })).toBeChecked();
  await page.getByLabel("URL", { exact: true }).fill("https://hooks.invalid/plain");
  await page.getByRole("button", { name: "Add webhook" }).click();
  const signing = page.getByText(/^whsec_/);
  await expect(signing).toBeVisible();
  const first = (await signing.textContent()) ?? "";
  used(first, "signing secret of a webhook");
  await page.goto("/settings/watches");
  await page.getByRole("button", { name: "Send a test" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Message queued." })).toBeVisible();
  await page.getByRole("button", { name: "Disable" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Watch disabled." })).toBeVisible();
  await page.getByText("New secret", { exact: true }).click();
  await page.getByRole("button", { name: "Replace secret" }).click();
  await expect(signing).not.toHaveText(first);
  used((await signing.textContent()) ?? "", "signing secret of a webhook");
  const deleting = await unfold(page, "Delete", "Delete the watch of https://hooks.invalid/plain?");
  await deleting.getByRole("button", { name: "Delete watch" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Watch deleted." })).toBeVisible();

  await page.goto("/settings/account");
  await page.getByLabel("Name", { exact: true }).fill("Ada without script");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Name saved." })).toBeVisible();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Ada without script");
  await expectFitsPhone(page);
  await page.getByText("Change email address").click();
  await page.getByLabel("New email address").fill(`moved-${randomUUID()}@example.org`);
  await page.getByRole("button", { name: "Change address" }).click();
  await expect(page.getByText("The password is wrong.")).toBeVisible();
  const form = page.locator("form").filter({ hasText: "New email address" });
  await form.getByLabel("Your password").fill(password);
  await form.getByRole("button", { name: "Change address" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Email address changed." })).toBeVisible();

  await page.goto("/settings/workspace");
  await page.getByLabel("Name of the new workspace").fill("River team");
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await expect(page).toHaveURL(/\/settings\/workspace\?workspace=/);
  await page.getByRole("button", { name: "Create link" }).click();
  await expect(page.getByText("Copy this link now.", { exact: false })).toBeVisible();
  used((await page.getByText(/\/invitation#/).textContent()) ?? "", "invitation");
  await expectFitsPhone(page);
});
