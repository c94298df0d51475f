import { expect, type Page } from "@playwright/test";
import { WORKSPACE_COOKIE } from "@/components/settings/workspace-address";
import { expectAccessible, expectAccessibleStructure, expectFitsPhone } from "./accessibility";
import { BrowserPerson, newPassword } from "./browser-person";
import { tableOf } from "./catalogue";
import { test } from "./test";

const SESSION = "parquetry-session";

test("signing out everywhere asks once, says what is lost, and ends the other session on its next request", async ({
  browser,
}) => {
  const here = await BrowserPerson.signedIn(browser, "everywhere");
  const there = await (await here.elsewhere(browser)).signIn();
  await there.page.goto("/settings/account");
  await here.page.goto("/settings/account");
  await expect(here.page.getByRole("region", { name: "Signed-in browsers" }).getByRole("listitem")).toHaveCount(2);
  await here.page.getByRole("button", { name: "Sign out everywhere" }).click();
  await expect(here.page.getByRole("dialog")).toContainText("Use keys keep working");
  expect(await there.accountStatus(), "until it is confirmed").toBe(200);
  await here.page.getByRole("dialog").getByRole("button", { name: "Sign out everywhere" }).click();
  await expect(here.page).toHaveURL(/\/sign-in\?after=everywhere$/);
  await expect(here.page.getByRole("status").first()).toHaveText("You are signed out everywhere.");
  expect(await here.accountStatus()).toBe(401);
  expect(await there.accountStatus()).toBe(401);
  await there.page.getByRole("textbox", { name: "Name", exact: true }).fill("Too late");
  await there.page.getByRole("button", { name: "Save" }).click();
  await expect(there.page).toHaveURL(/\/sign-in\?error=SessionEnded&callbackUrl=%2Fsettings%2Faccount$/);
  await expect(there.problem).toHaveText("This browser was signed out. Sign in to continue where you left off.");
  await expect(there.page.getByRole("banner").getByRole("link", { name: "Sign in" })).toBeVisible();
});

test("one browser is signed out from another, whose list is then shorter and has the focus", async ({ browser }) => {
  const here = await BrowserPerson.signedIn(browser, "one");
  const there = await (await here.elsewhere(browser)).signIn();
  await here.page.goto("/settings/account");
  const list = here.page.getByRole("region", { name: "Signed-in browsers" });
  await list.getByRole("button", { name: /^Sign out Chrom/ }).click();
  await here.page.keyboard.press("Escape");
  await expect(here.page.getByRole("dialog")).toBeHidden();
  await expect(
    list.getByRole("button", { name: /^Sign out Chrom/ }),
    "the focus returns to the button that asked",
  ).toBeFocused();
  await here.page.keyboard.press("Enter");
  await here.page.getByRole("dialog").getByRole("button", { name: "Sign out", exact: true }).click();
  await expect(list.getByRole("listitem")).toHaveCount(1);
  await expect(here.page.getByRole("heading", { name: "Signed-in browsers" })).toBeFocused();
  expect(await there.accountStatus()).toBe(401);
  expect(await here.accountStatus()).toBe(200);
});

test("a new password requires the current one, and ends every session except this one", async ({ browser }) => {
  const here = await BrowserPerson.signedIn(browser, "rekeyed");
  const there = await (await here.elsewhere(browser)).signIn();
  const { page } = here;
  await page.goto("/settings/account");
  const [current, next] = [page.getByLabel("Current password"), page.getByLabel("New password")];
  const change = async (from: string, to: string) => {
    await current.fill(from);
    await next.fill(to);
    await page.getByRole("button", { name: "Change password" }).click();
  };
  await change(newPassword(), newPassword());
  await expect(current).toHaveAccessibleDescription("The current password is wrong.");
  await expect(current).toBeFocused();
  await change(here.password, "password123");
  await expect(next).toHaveAccessibleDescription(/easy to guess/);
  const chosen = newPassword();
  await change(here.password, chosen);
  await expect(page.getByText("Password changed. Every other browser was signed out.")).toBeVisible();
  expect(await there.accountStatus()).toBe(401);
  expect(await here.accountStatus()).toBe(200);
  await there.trySignIn(here.password);
  await expect(there.problem).toHaveText("Wrong email address or password.");
  there.password = chosen;
  await there.signIn();
});

test(
  "an invited person signs up and comes back to accept; removed, they lose session and key at the next " + "request",
  async ({ browser, request }) => {
    const host = await BrowserPerson.signedIn(browser, "host");
    const workspaceId = await host.makeWorkspace("River team");
    const link = await host.invite(workspaceId);
    const guest = await BrowserPerson.arrive(browser, "guest");
    await guest.page.goto(link);
    await expect(guest.page.getByRole("main")).toContainText("River team");
    await expect(guest.page, "the token leaves the address bar").toHaveURL(/\/invitation$/);
    await guest.page.getByRole("link", { name: "Sign up" }).click();
    await guest.page.waitForURL(/\/sign-up\?/);
    await guest.signUp(guest.page.url());
    await guest.page.getByRole("button", { name: "Accept" }).click();
    await expect(guest.page).toHaveURL(new RegExp(`/settings/workspace\\?workspace=${workspaceId}$`));
    await expect(guest.page.getByRole("region", { name: "Invitations" }), "members invite nobody").toBeHidden();
    const other = await BrowserPerson.signedIn(browser, "late");
    await other.page.goto(link);
    await expect(other.problem).toHaveText(/has been used/);

    const keys = `/api/account/workspaces/${workspaceId}/keys`;
    const { key } = await (
      await guest.context.request.post(keys, {
        data: { name: "mine" },
        headers: { origin: new URL(guest.page.url()).origin },
      })
    ).json();
    const { tableId } = await tableOf(request, "mauna-loa-co2");
    const query = () =>
      request.post(`/api/v2/public/tables/${tableId}/query`, {
        data: { columns: ["CO2"], limit: 1 },
        headers: { "x-api-key": key },
      });
    expect((await query()).status()).toBe(200);

    await host.page.reload();
    await host.page.getByRole("button", { name: `Remove ${guest.email}` }).click();
    await expect(host.page.getByRole("dialog")).toContainText("the keys they created in it stop working permanently");
    await host.page.getByRole("button", { name: "Remove member" }).click();
    await expect(host.page.getByText(`${guest.email} was removed.`)).toBeVisible();
    const rejected = await query();
    expect([rejected.status(), (await rejected.json()).error]).toEqual([401, "key_revoked"]);
    expect((await guest.context.request.get(keys)).status()).toBe(404);
    expect((await guest.page.goto(`/settings/workspace?workspace=${workspaceId}`))?.status()).toBe(404);
    const log = host.page.getByRole("region", { name: "Workspace log" });
    await expect(log).toContainText(`You removed ${guest.email}`);
    await expect(log).toContainText("You revoked the key “mine”, because its creator is no longer a member");
    await expect(log).toContainText(`${guest.email} joined as a member`);
  },
);

test("owners make owners, and the last one can neither leave nor step down", async ({ browser }) => {
  const host = await BrowserPerson.signedIn(browser, "first");
  const workspaceId = await host.makeWorkspace("Shared");
  const guest = await BrowserPerson.signedIn(browser, "second");
  await guest.page.goto(await host.invite(workspaceId));
  await guest.page.getByRole("button", { name: "Accept" }).click();
  await guest.page.waitForURL(/workspace=/);
  await host.page.reload();
  await expect(host.page.getByText("You are the only owner")).toBeVisible();
  await host.page.getByRole("button", { name: `Make owner of ${guest.email}` }).click();
  await host.page.getByRole("dialog").getByRole("button", { name: "Make owner" }).click();
  await expect(host.page.getByText(`${guest.email} is now an owner.`)).toBeVisible();
  await host.page.getByRole("button", { name: "Leave workspace" }).click();
  await host.page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
  await expect(host.page).toHaveURL(/\/settings\/workspace$/);
  await guest.page.reload();
  await expect(guest.page.getByText("You are the only owner")).toBeVisible();
});

test("the workspace that was opened last is remembered, and can be switched by keyboard", async ({ browser }) => {
  const person = await BrowserPerson.signedIn(browser, "keyboard");
  const workspaceId = await person.makeWorkspace("Second");
  const { page } = person;
  await page.goto(`/settings/access?workspace=${workspaceId}`);
  const remembered = async () => (await page.context().cookies()).find(({ name }) => name === WORKSPACE_COOKIE)?.value;
  await expect.poll(remembered).toBe(workspaceId);
  await page.goto("/settings/access");
  const menu = page.locator("summary", { hasText: "Second" });
  const own = page.getByRole("link", { name: /personal$/ });
  await menu.focus();
  await page.keyboard.press("Enter");
  await expect(own).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(own).toBeHidden();
  await expect(menu).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/settings\/access\?workspace=[0-9a-f-]{36}$/);
  await expect(page.locator("summary", { hasText: "Personal workspace" })).toBeVisible();
  await expect(own, "folded again").toBeHidden();
});

test("another person's workspace is not found, like one that does not exist", async ({ browser }) => {
  const host = await BrowserPerson.signedIn(browser, "private");
  const workspaceId = await host.makeWorkspace("Private");
  const stranger = await BrowserPerson.signedIn(browser, "stranger");
  const texts = [];
  for (const id of [workspaceId, "00000000-0000-4000-8000-000000000000", "nonsense"]) {
    const reply = await stranger.page.goto(`/settings/workspace?workspace=${id}`);
    expect(reply?.status()).toBe(404);
    texts.push(await stranger.page.getByRole("main").textContent());
  }
  expect(new Set(texts).size).toBe(1);
});

test("the log is read page by page, and its URL survives a reload", async ({ browser, baseURL }) => {
  const person = await BrowserPerson.signedIn(browser, "logged");
  const { page } = person;
  const origin = baseURL ?? "";
  for (let n = 1; n <= 25; n++)
    await person.context.request.patch("/api/account", { data: { name: `Name ${n}` }, headers: { origin } });
  await page.goto("/settings/account");
  const log = page.getByRole("region", { name: "Account log" });
  await expect(log.getByRole("listitem")).toHaveCount(20);
  await expect(log.getByRole("listitem").first()).toContainText("You changed the name");
  await expect(log.getByRole("time").first()).toHaveAttribute("title", /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
  await log.getByRole("link", { name: "Older" }).click();
  await expect(log).toContainText("You created the account");
  await page.reload();
  await expect(log).toContainText("You created the account");
  await page.goto("/settings/account?before=nonsense");
  await expect(page).toHaveURL(/\/settings\/account$/);
});

test.describe("every page of the account", () => {
  const VISITOR = [
    "/sign-in",
    "/sign-in?sent=1",
    "/sign-up",
    "/forgot-password",
    "/reset-password#token=x",
    "/verify-email#token=x",
    "/invitation#token=x",
  ];
  const SIGNED_IN = ["/settings/account", "/settings/workspace"];

  test("is accessible in light and dark, fits a phone, and breaks no policy", async ({ browser }) => {
    const visitor = await BrowserPerson.arrive(browser, "visitor");
    for (const address of VISITOR) await inspect(visitor.page, address, expectAccessibleStructure);
    await inspect(visitor.page, "/sign-in?error=CredentialsSignin");
    const person = await BrowserPerson.signedIn(browser, `with-quite-a-long-address-${"x".repeat(20)}`);
    const workspaceId = await person.makeWorkspace(
      "A workspace with a name that goes on for rather longer than anybody would wish it to",
    );
    await person.invite(workspaceId);
    for (const address of [...SIGNED_IN, `/settings/workspace?workspace=${workspaceId}`])
      await inspect(person.page, address);
    await person.page.getByRole("button", { name: "Revoke the invitation for anyone with the link" }).click();
    await expect(person.page.getByRole("dialog")).toBeVisible();
    await expectAccessible(person.page, { when: "asking" });
    expect(await person.cookie(SESSION)).toBeDefined();
  });
});

async function inspect(page: Page, address: string, accessible = expectAccessible): Promise<void> {
  const problems: string[] = [];
  const note = (message: { type(): string; text(): string }) => {
    if (message.type() === "error" && !/status of 4\d\d/.test(message.text())) problems.push(message.text());
  };
  page.on("console", note);
  await page.goto("about:blank");
  await page.goto(address);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await accessible(page);
  await expectFitsPhone(page);
  page.off("console", note);
  expect(problems, address).toEqual([]);
}
