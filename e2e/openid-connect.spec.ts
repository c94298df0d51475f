import { randomUUID } from "node:crypto";
import { type Browser, expect, type Page } from "@playwright/test";
import { LimitedService, roomySignIns } from "./limited-service";
import { foreignKey, OpenIdProvider, type Tampering } from "./openid-provider";
import { newEmail, Person } from "./people";
import { portOf } from "./ports";
import { rowsOf } from "./service";
import { test } from "./test";

const BASE = `http://localhost:${portOf("openid connect")}`;
const CALLBACKS = ["acme", "trusting", "elsewhere"].map((id) => `${BASE}/api/auth/callback/${id}`);
const provider = new OpenIdProvider(CALLBACKS);
const workspaces = { data: randomUUID(), staff: randomUUID() };

/** The settings of a provider, all of which are the one at test. */
const settingsOf = (id: string, more: Record<string, string> = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries({
      ISSUER: provider.issuer,
      CLIENT_ID: provider.clientId,
      CLIENT_SECRET: provider.clientSecret,
      ...more,
    }).map(([name, value]) => [`OIDC_${id}_${name}`, value]),
  );

const service = new LimitedService("openid connect", {
  ...roomySignIns(),
  LIMIT_CATALOGUE_MINUTE: "1000000",
  OIDC_PROVIDERS: "acme,trusting,elsewhere,down",
  ...settingsOf("ACME", {
    LABEL: "Acme",
    GROUPS:
      `data%2Cteam=${workspaces.data}:owner,staff=${workspaces.data}:member,` + `staff=${workspaces.staff}:member`,
  }),
  ...settingsOf("TRUSTING", { EMAILS_VERIFIED: "true" }),
  ...settingsOf("ELSEWHERE", { ISSUER: `${provider.issuer}/` }),
  ...settingsOf("DOWN", { LABEL: "The Old Office", ISSUER: "http://localhost:9" }),
});

test.beforeAll(async () => {
  await Promise.all([provider.start(), service.start()]);
  for (const [name, id] of Object.entries(workspaces))
    await rowsOf(`INSERT INTO "Workspace" (id, name) VALUES ($1::uuid, $2)`, [id, `Acme ${name}`]);
});

test.afterAll(async () => {
  await Promise.all([provider.stop(), service.stop()]);
});

/** Somebody new at the provider, who is signed in there. */
function newAccount(name: string, more: Record<string, unknown> = {}): string {
  const email = newEmail(name);
  provider.account = { sub: `sub-${email}`, email, email_verified: true, name: "Ada", ...more };
  return email;
}

async function press(page: Page, button: string): Promise<void> {
  await page.goto(`${BASE}/sign-in`);
  await page.getByRole("button", { name: button }).click();
}

/** Signs in with the provider in a browser of its own. */
async function signedIn(browser: Browser, button = "Continue with Acme"): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await press(page, button);
  await page.waitForURL(`${BASE}/settings/access`);
  return page;
}

const accountOf = async (page: Page) => (await page.request.get(`${BASE}/api/account`)).json();

/** The roles that a person has in the workspaces of groups. */
async function rolesOf(page: Page): Promise<Record<string, string>> {
  const { workspaces: found } = await accountOf(page);
  return Object.fromEntries(
    found
      .filter(({ personal }: { personal: boolean }) => !personal)
      .map(({ name, role }: { name: string; role: string }) => [name, role]),
  );
}

/** What the log says about a person's memberships, oldest first. */
const eventsOf = async (page: Page): Promise<string[]> =>
  (
    await rowsOf(
      `SELECT action || coalesce(' ' || (details->>'reason'), '') AS line FROM "AuditEvent" WHERE subject = $1 ` +
        "AND action LIKE 'member.%' ORDER BY at, action",
      [(await accountOf(page)).id],
    )
  ).map(({ line }) => String(line));

test("a person signs in with the provider's button and is the same person the next time", async ({ browser }) => {
  const email = newAccount("ada");
  const page = await signedIn(browser);
  const account = await accountOf(page);
  expect(account).toMatchObject({
    email,
    email_verified: true,
    name: "Ada",
    has_password: false,
    identities: ["acme"],
  });
  provider.account.email = newEmail("renamed");
  expect((await accountOf(await signedIn(browser))).id).toBe(account.id);
});

test("without JavaScript the button leads there and back too", async ({ browser }) => {
  const email = newAccount("scriptless");
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await press(page, "Continue with Acme");
  await page.waitForURL(`${BASE}/settings/access`);
  expect((await accountOf(page)).email).toBe(email);
});

test("an address that the provider has not verified signs nobody in, unless the settings vouch for it", async ({
  browser,
  page,
}) => {
  const email = newAccount("unproved", { email_verified: false });
  await press(page, "Continue with Acme");
  await expect(page.getByRole("main").getByRole("alert")).toContainText("Acme has not verified your email address");
  expect((await page.request.get(`${BASE}/api/account`)).status()).toBe(401);
  expect((await accountOf(await signedIn(browser, "Continue with trusting"))).email).toBe(email);
});

test("an account with the same address is not opened; whoever is signed in to it links the provider", async ({
  browser,
  page,
}) => {
  const email = newAccount("taken");
  const holder = await new Person(email, { base: BASE }).signUp();
  await press(page, "Continue with Acme");
  await expect(page.getByRole("main").getByRole("alert")).toContainText("already exists");
  const own = await browser.newContext();
  await own.addCookies(holder.browserCookies);
  const settings = await own.newPage();
  await settings.goto(`${BASE}/settings/account`);
  await settings.getByRole("button", { name: "Add Acme" }).click();
  await settings.waitForURL(/\/settings\/account$/);
  expect((await accountOf(await signedIn(browser))).id).toBe((await accountOf(settings)).id);
});

test.describe("memberships by groups", () => {
  test("follow the groups at each sign-in, and each change is in the log", async ({ browser }) => {
    newAccount("groups", { groups: ["staff"] });
    const page = await signedIn(browser);
    expect(await rolesOf(page)).toEqual({ "Acme data": "member", "Acme staff": "member" });
    // another owner, since the last one would be kept
    const keeper = await new Person(newEmail("keeper"), { base: BASE }).signUp();
    await rowsOf(`INSERT INTO "Membership" ("userId", "workspaceId", role) VALUES ($1::uuid, $2::uuid, 'owner')`, [
      (await keeper.account()).id,
      workspaces.data,
    ]);
    provider.account.groups = ["data,team", "unmapped"];
    await signedIn(browser);
    // the older session too
    expect(await rolesOf(page)).toEqual({ "Acme data": "owner" });
    provider.account.groups = [];
    await signedIn(browser);
    expect(await rolesOf(page)).toEqual({});
    expect((await page.request.get(`${BASE}/api/account/workspaces/${workspaces.data}`)).status()).toBe(404);
    expect(await eventsOf(page)).toEqual([
      "member.joined",
      "member.joined",
      "member.removed group ended",
      "member.role_changed",
      "member.removed group ended",
    ]);
  });

  test("end if the claim is absent or refers elsewhere, and the log says so", async ({ browser }) => {
    newAccount("overage", { groups: ["staff"] });
    const page = await signedIn(browser);
    provider.account.groups = undefined;
    await signedIn(browser);
    expect(await rolesOf(page)).toEqual({});
    provider.account.groups = "staff"; // one group, as some providers write it
    await signedIn(browser);
    expect(await rolesOf(page)).toEqual({ "Acme data": "member", "Acme staff": "member" });
    Object.assign(provider.account, { groups: undefined, _claim_names: { groups: "src1" } });
    await signedIn(browser);
    expect(await rolesOf(page)).toEqual({});
    const ended = (await eventsOf(page)).filter((line) => line.startsWith("member.removed"));
    expect(ended.map((line) => line.slice("member.removed ".length))).toEqual([
      ...Array(2).fill("groups claim absent"),
      ...Array(2).fill("groups claim elsewhere"),
    ]);
  });

  test("leave a membership alone that was given by hand", async ({ browser }) => {
    newAccount("by-hand", { groups: [] });
    const page = await signedIn(browser);
    await rowsOf(`INSERT INTO "Membership" ("userId", "workspaceId", role) VALUES ($1::uuid, $2::uuid, 'member')`, [
      (await accountOf(page)).id,
      workspaces.staff,
    ]);
    provider.account.groups = ["data,team", "staff"];
    await signedIn(browser);
    provider.account.groups = [];
    await signedIn(browser);
    expect(await rolesOf(page)).toEqual({ "Acme staff": "member" });
  });
});

test.describe("an answer of the provider that is not for this sign-in signs nobody in:", () => {
  const now = () => Math.floor(Date.now() / 1000);
  const tamperings: Record<string, Tampering> = {
    "another issuer": { claims: (claims) => ({ ...claims, iss: "https://evil.example" }) },
    "another nonce": { claims: (claims) => ({ ...claims, nonce: "another" }) },
    "no nonce": { claims: ({ nonce: _, ...claims }) => claims },
    "another key": { key: foreignKey },
    "another client's audience": { claims: (claims) => ({ ...claims, aud: "another-client" }) },
    "several audiences, issued to another": {
      claims: (claims) => ({ ...claims, aud: [provider.clientId, "other"], azp: "other" }),
    },
    expired: { claims: (claims) => ({ ...claims, iat: now() - 100, exp: now() - 15 }) },
    "issued in the future": { claims: (claims) => ({ ...claims, nbf: now() + 120 }) },
    "the user info of somebody else": { claims: (claims) => ({ ...claims, sub: "somebody-else" }) },
  };
  for (const [name, tampering] of Object.entries(tamperings)) {
    test(name, async ({ page }) => {
      newAccount("tampered");
      provider.tampering = tampering;
      await press(page, "Continue with Acme");
      await expect(page.getByRole("main").getByRole("alert")).toContainText("Acme’s answer could not be verified");
      provider.tampering = undefined;
      expect((await page.request.get(`${BASE}/api/account`)).status()).toBe(401);
      expect(page.url()).not.toContain("code=");
    });
  }

  test("within ten seconds of tolerance the clock of the provider may differ", async ({ browser }) => {
    newAccount("skewed");
    provider.tampering = { claims: (claims) => ({ ...claims, iat: now() + 5, exp: now() - 3 }) };
    await signedIn(browser);
    provider.tampering = undefined;
  });

  test("an issuer in the settings that is not the provider's own", async ({ page }) => {
    newAccount("elsewhere");
    await press(page, "Continue with elsewhere");
    await expect(page.getByRole("main").getByRole("alert")).toContainText("could not be verified");
    expect((await page.request.get(`${BASE}/api/account`)).status()).toBe(401);
  });

  test("a callback that was used, or that belongs to another browser", async ({ browser, page }) => {
    newAccount("replayed");
    let callback = "";
    page.on("request", (request) => {
      if (request.url().startsWith(CALLBACKS[0] ?? "")) callback = request.url();
    });
    await press(page, "Continue with Acme");
    await page.waitForURL(`${BASE}/settings/access`);
    expect(callback).toContain("code=");
    await page.context().clearCookies({ name: "parquetry-session" });
    await page.goto(callback);
    await expect(page.getByRole("main").getByRole("alert")).toContainText("Start again");
    const other = await (await browser.newContext()).newPage();
    await press(other, "Continue with Acme");
    await other.waitForURL(`${BASE}/settings/access`);
    await other.context().clearCookies({ name: "parquetry-session" });
    await other.goto(callback);
    await expect(other.getByRole("main").getByRole("alert")).toContainText("Start again");
    for (const each of [page, other]) expect((await each.request.get(`${BASE}/api/account`)).status()).toBe(401);
  });
});

test("a provider that is down leaves the page working, which says so", async ({ page }) => {
  await press(page, "Continue with The Old Office");
  await expect(page.getByRole("main").getByRole("alert")).toContainText("The Old Office cannot be reached");
  newAccount("after-all");
  await page.getByRole("button", { name: "Continue with Acme" }).click();
  await page.waitForURL(`${BASE}/settings/access`);
});
