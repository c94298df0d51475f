import { expect, type Page } from "@playwright/test";
import { expectAccessible, expectFitsPhone } from "./accessibility";
import { BrowserPerson } from "./browser-person";
import { test } from "./test";
import { used } from "./used-secrets";

/** A host name that no name server knows. */
const RECEIVER = "https://hooks.invalid/parquetry";

const webhookForm = (page: Page) => page.locator("details", { has: page.getByText("Add a webhook", { exact: true }) });

async function addWebhook(page: Page, url: string): Promise<void> {
  const form = webhookForm(page);
  await form.locator("summary").click();
  await form.getByLabel("URL", { exact: true }).fill(url);
  await form.getByRole("checkbox", { name: /^Went stale/ }).check();
  await form.getByRole("button", { name: "Add webhook" }).click();
}

test("a webhook is added, tested, listed with its deliveries, disabled and deleted", async ({ browser }) => {
  const { page } = await BrowserPerson.signedIn(browser, "watches");
  await page.goto("/settings/watches");
  await expect(page.getByText("No watches yet")).toBeVisible();
  await addWebhook(page, RECEIVER);

  const secret = page.getByText(/^whsec_/);
  await expect(secret).toBeVisible();
  used((await secret.textContent()) ?? "", "signing secret of a webhook");
  const listed = page.getByRole("listitem").filter({ hasText: RECEIVER });
  await expect(listed).toContainText("Released, Went stale: all datasets of the workspace");
  await expectAccessible(page);
  await expectFitsPhone(page);

  await listed.getByRole("button", { name: "Send a test" }).click();
  await expect(page.getByText("Message queued.")).toBeVisible();
  await listed.getByRole("link", { name: "Deliveries" }).click();
  const deliveries = page.getByRole("table", { name: "Deliveries" });
  await expect(deliveries.getByRole("row", { name: /Test/ })).toContainText(/Waiting|Failed/);
  await expectAccessible(page);

  await listed.getByRole("button", { name: "Disable" }).click();
  await expect(listed).toContainText("Disabled");
  await listed.getByRole("button", { name: "Enable" }).click();
  await expect(listed).not.toContainText("Disabled");
  await listed.getByText("New secret", { exact: true }).click();
  await listed.getByRole("button", { name: "Replace secret" }).click();
  const replaced = listed.getByText(/^whsec_/);
  await expect(replaced).toBeVisible();
  used((await replaced.textContent()) ?? "", "signing secret of a webhook");
  await listed.getByRole("button", { name: /^Delete/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete watch" }).click();
  await expect(page.getByText("No watches yet")).toBeVisible();
});

test("an address inside the network, or without https, is rejected and not stored", async ({ browser }) => {
  const { page } = await BrowserPerson.signedIn(browser, "watches-inside");
  await page.goto("/settings/watches");
  const address = page.getByLabel("URL", { exact: true });
  await addWebhook(page, "https://127.0.0.1/hook");
  await expect(address).toHaveAccessibleDescription(/Use a public address/);
  await address.fill("hooks.invalid/parquetry");
  await page.getByRole("button", { name: "Add webhook" }).click();
  await expect(address).toHaveAccessibleDescription(/Use a URL that starts with/);
  await address.fill("http://hooks.invalid/parquetry");
  await page.getByRole("button", { name: "Add webhook" }).click();
  await expect(address).toHaveAccessibleDescription(/Use a public address/);
  await page.reload();
  await expect(page.getByText("No watches yet")).toBeVisible();
});
