import { randomBytes } from "node:crypto";
import { type Browser, expect, type Locator, type Page } from "@playwright/test";
import { expectAccessible, expectFitsPhone } from "./accessibility";
import { BrowserPerson } from "./browser-person";
import { invite, newEmail, Person } from "./people";
import { test } from "./test";
import { used } from "./used-secrets";

const secret = (): string => used(`s3cr3t-${randomBytes(15).toString("base64url")}`, "source credential");
const list = (page: Page): Locator => page.getByRole("table", { name: "Source credentials" });
const dialog = (page: Page): Locator => page.getByRole("dialog");

/** Somebody new, signed in, on their secrets page. */
async function newcomer(browser: Browser, name: string): Promise<Page> {
  const { page } = await BrowserPerson.signedIn(browser, name);
  await page.goto("/settings/secrets");
  return page;
}

/** Stores a credential with the form; `fields` by their labels. */
async function store(page: Page, name: string, kind: string, fields: Readonly<Record<string, string>>): Promise<void> {
  await page.getByRole("button", { name: "Add a secret" }).click();
  await dialog(page).getByLabel("Name", { exact: true }).fill(name);
  await dialog(page).getByLabel("Kind").selectOption({ label: kind });
  for (const [label, value] of Object.entries(fields))
    await dialog(page).getByLabel(label, { exact: true }).fill(value);
  await page.getByRole("button", { name: "Store secret" }).click();
  await expect(dialog(page)).toBeHidden();
}

test("credentials of every kind are stored, replaced and deleted on the page, and no value is ever returned", async ({
  browser,
}) => {
  const page = await newcomer(browser, "vault");
  const values = Array.from({ length: 7 }, secret);
  const [header = "", bearer = "", password = "", query = "", s3 = "", session = "", renewed = ""] = values;
  await expect(page.getByText("No secrets yet")).toBeVisible();
  await store(page, "weather", "Header", { "Header name": "X-Api-Key", Value: header });
  await store(page, "github", "Bearer token", { Token: bearer });
  await store(page, "archive", "User name and password", { "User name": "ada", Password: password });
  await store(page, "maps", "Query parameter", { "Parameter name": "api_key", Value: query });
  await store(page, "bucket", "S3 keys", {
    "Access key ID": "AKIDEXAMPLE",
    "Secret access key": s3,
    "Session token (optional)": session,
    "Region (optional)": "eu-west-1",
  });
  await expect(list(page).getByRole("row")).toHaveCount(6);
  await expect(list(page).getByRole("row", { name: /weather/ })).toContainText("Header X-Api-Key");
  await expect(list(page).getByRole("row", { name: /maps/ })).toContainText(
    /Query parameter api_key.*created just now.*never/s,
  );

  await page.getByRole("button", { name: "Replace weather" }).click();
  await expect(dialog(page).getByLabel("Header name")).toHaveValue("X-Api-Key");
  await dialog(page).getByLabel("Value").fill(renewed);
  await page.getByRole("button", { name: "Replace value" }).click();
  await expect(list(page).getByRole("row", { name: /weather/ })).toContainText("replaced just now");

  await page.reload();
  const workspace = JSON.parse(await page.evaluate(async () => (await fetch("/api/account")).text())).workspaces[0].id;
  const replies = await page.evaluate(
    (base) => Promise.all(["secrets", "audit", "usage"].map(async (part) => (await fetch(`${base}/${part}`)).text())),
    `/api/account/workspaces/${workspace}`,
  );
  const shown = [await page.content(), ...replies].join("\n");
  expect(shown).toContain("weather");
  expect(values.filter((value) => shown.includes(value))).toEqual([]);

  await page.getByRole("button", { name: "Delete weather" }).click();
  await expect(dialog(page)).toContainText("Recipes that use it fail");
  await page.getByRole("button", { name: "Delete secret" }).click();
  await expect(list(page).getByRole("row")).toHaveCount(5);
  await expect(page.getByRole("heading", { name: "Source credentials" })).toBeFocused();
});

test("values are masked while typing, and not left in the form", async ({ browser }) => {
  const page = await newcomer(browser, "unseen");
  await page.getByRole("button", { name: "Add a secret" }).click();
  const value = secret();
  await dialog(page).getByLabel("Value").fill(value);
  await expect(dialog(page).getByLabel("Value")).toHaveAttribute("type", "password");
  await expect(dialog(page).getByLabel("Value")).toHaveAttribute("autocomplete", "off");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Add a secret" }).click();
  await expect(dialog(page).getByLabel("Value")).toHaveValue("");
});

test("errors in a credential are shown at their fields, and reveal nothing of the value", async ({ browser }) => {
  const page = await newcomer(browser, "faulty");
  const value = secret();
  await page.getByRole("button", { name: "Add a secret" }).click();
  await dialog(page).getByLabel("Name", { exact: true }).fill("Not A Name");
  await dialog(page).getByLabel("Header name").fill("no header");
  await dialog(page).getByLabel("Value").fill(`${value} `);
  await page.getByRole("button", { name: "Store secret" }).click();
  await expect(dialog(page).getByLabel("Name", { exact: true })).toHaveAccessibleDescription(/lowercase letter/);
  await expect(dialog(page).getByLabel("Name", { exact: true })).toBeFocused();
  await expect(dialog(page).getByLabel("Value")).toHaveAccessibleDescription(/no leading or trailing spaces/);
  await expect(dialog(page)).not.toContainText(value);
  await page.keyboard.press("Escape");
  await store(page, "taken", "Bearer token", { Token: secret() });
  await page.getByRole("button", { name: "Add a secret" }).click();
  await dialog(page).getByLabel("Name", { exact: true }).fill("taken");
  await dialog(page).getByLabel("Kind").selectOption({ label: "Bearer token" });
  await dialog(page).getByLabel("Token").fill(secret());
  await page.getByRole("button", { name: "Store secret" }).click();
  await expect(dialog(page).getByRole("alert")).toContainText("taken");
});

test("a member adds and replaces, but has no delete button; the page says who can delete", async ({ browser }) => {
  const [owner, member] = [
    await new Person(newEmail("vault-owner")).signUp(),
    await new Person(newEmail("vault-member")).signUp(),
  ];
  const workspace = (await owner.call("POST", "/api/account/workspaces", { name: "vault" })).json.workspace.id;
  await invite(owner, member, workspace);
  const { page } = await BrowserPerson.of(browser, member);
  await page.goto(`/settings/secrets?workspace=${workspace}`);
  await store(page, "shared", "Bearer token", { Token: secret() });
  await expect(list(page)).toContainText(member.email);
  await expect(page.getByRole("button", { name: "Delete shared" })).toBeHidden();
  await expect(page.getByText(/owners can delete them/)).toBeVisible();
  const { page: ownersPage } = await BrowserPerson.of(browser, owner);
  await ownersPage.goto(`/settings/secrets?workspace=${workspace}`);
  await expect(ownersPage.getByRole("button", { name: "Delete shared" })).toBeVisible();
});

test(
  "the secrets page is accessible in light and dark, empty, filled and asking; nothing scrolls sideways on a " +
    "phone",
  async ({ browser }) => {
    const page = await newcomer(browser, "vault-axe");
    await expectAccessible(page, { when: "empty" });
    await store(page, "a-name-as-long-as-names-may-be-of-letters-and-digits-and-hyphens", "Query parameter", {
      "Parameter name": "p".repeat(100),
      Value: secret(),
    });
    await expectAccessible(page, { when: "filled" });
    await page.getByRole("button", { name: "Add a secret" }).click();
    await dialog(page).getByLabel("Kind").selectOption({ label: "S3 keys" });
    await expectAccessible(page, { when: "asking" });
    await page.keyboard.press("Escape");
    await expectFitsPhone(page);
  },
);

test("a credential is tested only at one of its own hosts, and the page shows the outcome", async ({ browser }) => {
  const page = await newcomer(browser, "tried");
  await store(page, "weather", "Bearer token", { Token: secret() });
  await expect(page.getByRole("button", { name: "Hosts of weather" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Test weather" })).toBeHidden();
  await page.getByRole("button", { name: "Hosts of weather" }).click();
  await dialog(page).getByLabel("Host names").fill("weather.invalid");
  await dialog(page).getByRole("button", { name: "Save hosts" }).click();
  await page.getByRole("button", { name: "Test weather" }).click();
  await expect(dialog(page).getByLabel("URL")).toHaveValue("https://weather.invalid/");
  await dialog(page).getByRole("button", { name: "Send request" }).click();
  await expect(dialog(page).getByRole("alert")).toContainText("weather.invalid");
  await expectAccessible(page);
  await expectFitsPhone(page);
  await dialog(page).getByLabel("URL").fill("https://elsewhere.invalid/");
  await dialog(page).getByRole("button", { name: "Send request" }).click();
  await expect(dialog(page)).toContainText("may not be sent to elsewhere.invalid");
});
