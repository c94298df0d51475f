import { type Browser, type BrowserContext, type CDPSession, expect, type Page } from "@playwright/test";
import { BrowserPerson } from "./browser-person";
import { rowsOf } from "./service";
import { test } from "./test";
import { used } from "./used-secrets";

/** Chromium's own authenticator in this browser, as of a computer. */
async function withAuthenticator(page: Page): Promise<{ cdp: CDPSession; authenticatorId: string }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const options = {
    protocol: "ctap2" as const,
    transport: "internal" as const,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  };
  return { cdp, ...(await cdp.send("WebAuthn.addVirtualAuthenticator", { options })) };
}

const addButton = (page: Page) => page.getByRole("button", { name: "Add passkey" });
const useButton = (page: Page) => page.getByRole("button", { name: "Use a passkey" });

/** Adds a passkey on the account page; returns the recovery codes that it shows. */
async function addPasskey(page: Page, name: string): Promise<string[]> {
  await page.goto("/settings/account");
  await page.getByLabel("Name of the new passkey").fill(name);
  await addButton(page).click();
  await expect(page.getByRole("list", { name: "Passkeys" })).toContainText(name);
  const codes = await page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem").allTextContents();
  return codes.map((code) => used(code, "a recovery code"));
}

/** Somebody with a passkey, whose authenticator is in their browser, and their recovery codes. */
async function withPasskey(browser: Browser, name: string) {
  const person = await BrowserPerson.signedIn(browser, name);
  const authenticator = await withAuthenticator(person.page);
  return { person, authenticator, codes: await addPasskey(person.page, "laptop") };
}

async function enterPassword(person: BrowserPerson, path?: string): Promise<void> {
  await person.trySignIn(person.password, path);
  await expect(person.page.getByRole("heading", { name: "Confirm with a passkey" })).toBeVisible();
}

/** What a session reads that waits for its second step: nothing. */
async function expectNothingRead(context: BrowserContext): Promise<void> {
  for (const path of ["/api/account", "/api/account/passkeys", "/api/account/sessions", "/api/account/audit"])
    expect(`${path} ${(await context.request.get(path)).status()}`).toBe(`${path} 401`);
  for (const path of ["/settings/account", "/settings/access", "/settings/workspace", "/studio", "/device", "/sql"]) {
    const reply = await context.request.get(path);
    expect(`${path} ${new URL(reply.url()).pathname}`).toBe(`${path} /sign-in/passkey`);
  }
}

test("a person adds a passkey, signs out, and signs in with it", async ({ browser }) => {
  const { person, codes } = await withPasskey(browser, "passkey");
  expect(codes).toHaveLength(10);
  const { page } = person;
  await page.reload();
  await expect(page.getByRole("list", { name: "Recovery codes" })).toBeHidden();
  await expect(page.getByText("10 recovery codes left")).toBeVisible();
  await page.context().clearCookies();
  await enterPassword(person, "/sign-in?callbackUrl=%2Fsettings%2Fviews");
  await expectNothingRead(person.context);
  await useButton(page).click();
  await page.waitForURL(/\/settings\/views$/);
  expect(await person.accountStatus()).toBe(200);
  await page.goto("/settings/account");
  await expect(page.getByRole("list", { name: "Passkeys" })).toContainText("last used");
});

test("another authenticator confirms nothing, nor does none", async ({ browser }) => {
  const { person } = await withPasskey(browser, "stranger");
  const thief = await person.elsewhere(browser);
  await withAuthenticator(thief.page);
  await enterPassword(thief);
  await useButton(thief.page).click();
  await expect(thief.problem).toContainText("No passkey was used");
  expect(await thief.accountStatus()).toBe(401);
});

test("without JavaScript the page says what needs it, and a recovery code confirms one sign-in", async ({
  browser,
}) => {
  const { person, codes } = await withPasskey(browser, "recovery");
  for (const [attempt, code] of [codes[0], codes[0], codes[1]].entries()) {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto("/sign-in");
    await page.getByLabel("Email").fill(person.email);
    await page.locator("[name=password]").fill(person.password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await expect(page.getByRole("heading", { name: "Confirm with a passkey" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Use a passkey" })).toBeHidden();
    expect(await page.locator("main noscript").first().innerHTML()).toContain("requires JavaScript");
    await page.getByText("Use a recovery code").click();
    await page.getByLabel("Recovery code").fill(code ?? "");
    await page.getByRole("button", { name: "Use this code" }).click();
    if (attempt === 1) {
      await expect(page.getByRole("alert")).toContainText("wrong or was used before");
      await expectNothingRead(context);
    } else {
      await expect(page.getByRole("heading", { name: "Confirm with a passkey" })).toBeHidden();
      expect((await context.request.get("/api/account")).status()).toBe(200);
    }
    await context.close();
  }
});

test("keys go on working while a sign-in waits, and another site cannot confirm it", async ({ browser }) => {
  const { person, codes } = await withPasskey(browser, "keys");
  const { page } = person;
  const account = await (await page.request.get("/api/account")).json();
  const origin = new URL(page.url()).origin;
  const made = await page.request.post(`/api/account/workspaces/${account.workspaces[0].id}/keys`, {
    data: { name: "program" },
    headers: { origin },
  });
  const { key } = await made.json();
  used(key, "a key");
  await page.context().clearCookies();
  await enterPassword(person);
  const read = await page.request.get("/api/v2/public/datasets?limit=1", { headers: { "x-api-key": key } });
  expect(read.status()).toBe(200);
  for (const path of ["/api/account/second-step/recovery-code", "/sign-in/passkey/answer"]) {
    const forged = await page.request.post(path, {
      data: { code: codes[0] },
      headers: { origin: "https://evil.example" },
    });
    expect(forged.status()).toBe(403);
  }
  // a form that was not on our page in this session
  const bare = await page.request.post("/sign-in/passkey/answer", {
    form: { code: codes[0] ?? "", callbackUrl: "/settings/account" },
    headers: { origin },
  });
  expect(new URL(bare.url()).pathname).toBe("/sign-in/passkey");
  expect(await person.accountStatus()).toBe(401);
});

test("the last passkey is removed after a new proof only, and signing in has one step again", async ({ browser }) => {
  const { person } = await withPasskey(browser, "removed");
  const { page } = person;
  await rowsOf(
    `UPDATE "Session" SET "createdAt" = now() - interval '1 hour', "provedAt" = NULL WHERE "userId" = ` +
      `(SELECT id FROM "User" WHERE email = $1)`,
    [person.email],
  );
  await page.goto("/settings/account");
  await expect(page.getByRole("button", { name: "Remove laptop" })).toBeHidden();
  await page.getByRole("link", { name: "Confirm it’s you to change passkeys" }).click();
  await useButton(page).click();
  await page.waitForURL(/\/settings\/account/);
  await page.getByRole("button", { name: "Remove laptop" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(page.getByText("No passkeys yet.")).toBeVisible();
  await page.context().clearCookies();
  await person.signIn();
  expect(await person.accountStatus()).toBe(200);
});

test("whoever waits for the second step can sign out", async ({ browser }) => {
  const { person } = await withPasskey(browser, "leaving");
  await person.context.clearCookies();
  await enterPassword(person);
  await person.page.getByRole("button", { name: "Sign out" }).click();
  await expect(person.page.getByRole("heading", { name: "Sign in", exact: true })).toBeVisible();
});
