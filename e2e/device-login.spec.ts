import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { expectAccessible, expectAccessibleStructure } from "./accessibility";
import { BrowserPerson } from "./browser-person";
import { tableOf } from "./catalogue";
import { rowsOf } from "./service";
import { Terminal } from "./terminal";
import { test } from "./test";
import { used } from "./used-secrets";

let terminal: Terminal;
test.beforeEach(({ baseURL }) => {
  terminal = new Terminal(baseURL ?? "");
});
test.afterEach(() => terminal.close());

const arrive = async (browser: Parameters<typeof BrowserPerson.arrive>[0]): Promise<Page> =>
  (await BrowserPerson.signedIn(browser, "devices")).page;

const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const devices = (page: Page) => page.getByRole("table", { name: "Signed-in devices" });

async function type(page: Page, code: string): Promise<void> {
  await page.goto("/device");
  await page.getByLabel("Code").fill(code);
  await page.getByRole("button", { name: "Continue" }).click();
}

async function allow(page: Page, code: string): Promise<void> {
  await type(page, code);
  await page.getByRole("button", { name: "Allow", exact: true }).click();
  await expect(heading(page)).toHaveText("The device is signed in");
}

/** A code as a program without a terminal gets it. */
async function codes(request: APIRequestContext, name: string): Promise<{ device: string; user: string }> {
  const reply = await request.post("/api/oauth/device_authorization", {
    form: { client_id: "parquetry-cli", device_name: name },
  });
  const { device_code: device, user_code: user } = await reply.json();
  for (const [secret, what] of [
    [device, "a device code"],
    [user, "a device's code to type"],
  ])
    used(secret, what);
  return { device, user };
}

async function poll(request: APIRequestContext, code: string): Promise<string> {
  const form = {
    client_id: "parquetry-cli",
    grant_type: "urn:ietf:params:oauth:grant-type:device_code",
    device_code: code,
  };
  return (await (await request.post("/api/oauth/token", { form })).json()).error;
}

test(
  "a person signs a computer in by its code, reads with it, sees it, and revokes it: the next call is rejected in " +
    "plain words",
  async ({ browser, request, baseURL }) => {
    const page = await arrive(browser);
    const { code, finished } = await terminal.login("lab-7");
    await type(page, ` ${code.toLowerCase().replace("-", " ")}`);
    await expect(heading(page)).toHaveText("Allow this device?");
    for (const words of [code, "lab-7", "just now", "Continue only if you started this yourself", "datasets:read"])
      await expect(page.getByRole("main")).toContainText(words);
    await page.getByRole("button", { name: "Allow", exact: true }).click();
    const login = await finished;
    const { credential, mode } = terminal.kept;
    expect([login.code, login.stderr, mode, login.stdout.includes(credential)]).toEqual([0, "", 0o600, false]);
    expect(login.stdout).toContain(`Signed in to ${baseURL} as devices-`);

    const who = JSON.parse((await terminal.run("whoami", "--json")).stdout);
    expect(who).toMatchObject({
      service: baseURL,
      device: "lab-7",
      scopes: ["datasets:read"],
      credential: `${credential.slice(0, 12)}…${credential.slice(-4)}`,
    });
    const { tableId } = await tableOf(request, "palmer-penguins");
    const count = JSON.stringify({ table_id: tableId, columns: [], aggregates: [{ function: "count", as: "n" }] });
    const called = await terminal.run("call", "query_table", count, "--json");
    expect([called.code, JSON.parse(called.stdout)]).toMatchObject([0, { rows: [[344]] }]);
    expect((await terminal.run("call", "connect_dataset", '{"slug":"palmer-penguins"}')).code).toBe(0);
    expect((await terminal.run("call", "query_table", '{"table_id":"x"}')).code).toBe(1);
    const rejected = await request.post(`/api/v2/public/tables/${tableId}/query`, {
      data: { columns: [] },
      headers: { "x-api-key": credential },
    });
    expect([rejected.status(), (await rejected.json()).error]).toEqual([401, "key_wrong_type"]);

    await page.goto("/settings/access");
    await expect(devices(page).getByRole("row", { name: /lab-7/ })).toContainText(
      `svc_cli_${credential.slice(8, 12)}…${credential.slice(-4)}`,
    );
    await expect(page.getByRole("table", { name: /^Usage by key/ })).toContainText("lab-7");
    await devices(page)
      .getByRole("button", { name: /Revoke/ })
      .click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke device" }).click();
    await expect(page.getByText("No signed-in devices")).toBeVisible();
    const ended = {
      code: 2,
      stdout: "",
      stderr:
        `${baseURL} rejected this device. It was revoked or has expired. Sign in again with: parquetry login --url ` +
        `${baseURL}\n`,
    };
    expect(await terminal.run("call", "query_table", count)).toEqual(ended);
    expect(await terminal.run("whoami")).toEqual(ended);
    await page.goto("/settings/workspace");
    await expect(page.getByRole("main")).toContainText("approved the device “lab-7”");
    await expect(page.getByRole("main")).toContainText("signed out the device “lab-7”");
  },
);

test(
  "signing in again takes the place of the credential before, and signing out revokes it; the skill is installed " +
    "as it is served",
  async ({ browser, request, baseURL }, { outputDir }) => {
    const page = await arrive(browser);
    for (const name of ["first", "second"]) {
      const { link, finished } = await terminal.login(name);
      await page.goto(link);
      await page.getByRole("button", { name: "Allow", exact: true }).click();
      expect((await finished).code).toBe(0);
      expect(terminal.kept.mode).toBe(0o600);
    }
    await page.goto("/settings/access");
    await expect(devices(page).getByRole("row")).toHaveCount(2); // the header and the second device
    await expect(devices(page)).toContainText("second");
    const { stdout } = await terminal.run("skill", "install", "--dir", outputDir);
    const { skills } = await (await request.get("/.well-known/agent-skills/index.json")).json();
    const paths = skills.map(({ name }: { name: string }) => join(outputDir, name, "SKILL.md"));
    expect(stdout).toBe(paths.map((path: string) => `Written: ${path}\n`).join(""));
    for (const [at, path] of paths.entries())
      expect(readFileSync(path, "utf8")).toBe(await (await request.get(skills[at].url)).text());
    expect(await terminal.run("logout")).toEqual({ code: 0, stdout: `Signed out of ${baseURL}.\n`, stderr: "" });
    await page.reload();
    await expect(page.getByText("No signed-in devices")).toBeVisible();
    expect((await terminal.run("whoami", "--url", baseURL ?? "")).stderr).toContain(`Not signed in to ${baseURL}`);
  },
);

test("a person who does not allow it, and a code that expires, end the wait with a clear message", async ({
  browser,
}) => {
  const page = await arrive(browser);
  const [rejected, expired] = [await terminal.login("unwanted"), await terminal.login("too-late")];
  await type(page, rejected.code);
  await page.getByRole("button", { name: "Deny" }).click();
  await expect(heading(page)).toHaveText("Access denied");
  expect(await rejected.finished).toMatchObject({
    code: 2,
    stderr: "The request was denied. Nothing was stored.\n",
  });
  await type(page, expired.code);
  await rowsOf(`UPDATE "DeviceCode" SET "expiresAt" = now() WHERE "deviceName" = 'too-late'`);
  await page.getByRole("button", { name: "Allow", exact: true }).click();
  await expect(page.getByRole("main").getByRole("alert")).toContainText("No request has this code");
  expect(await expired.finished).toMatchObject({
    code: 2,
    stderr: "The code has expired. Run parquetry login again.\n",
  });
});

test("a client that polls too soon is told to slow down, and codes are only for our own command line", async ({
  request,
}) => {
  const { device } = await codes(request, "eager");
  expect([await poll(request, device), await poll(request, device), await poll(request, device)]).toEqual([
    "authorization_pending",
    "slow_down",
    "slow_down",
  ]);
  expect(await rowsOf(`SELECT "intervalSeconds" AS seconds FROM "DeviceCode" WHERE "deviceName" = 'eager'`)).toEqual([
    { seconds: 15 },
  ]);
  const { client_id } = await (
    await request.post("/api/oauth/register", { data: { redirect_uris: ["http://127.0.0.1/callback"] } })
  ).json();
  const reply = await request.post("/api/oauth/device_authorization", { form: { client_id } });
  expect([reply.status(), (await reply.json()).error]).toEqual([400, "unauthorized_client"]);
});

test("the page works without script, by keyboard only, on a phone", async ({ browser, request, baseURL }) => {
  const first = await BrowserPerson.signedIn(browser, "devices");
  const context = await browser.newContext({
    javaScriptEnabled: false,
    viewport: { width: 360, height: 740 },
    storageState: await first.context.storageState(),
    ...(baseURL && { baseURL }),
  });
  const page = await context.newPage();
  const { user } = await codes(request, "no-script");
  await page.goto("/device");
  await page.getByLabel("Code").focus();
  await page.keyboard.type(user.toLowerCase());
  await page.keyboard.press("Enter");
  await expect(heading(page)).toHaveText("Allow this device?");
  expect((await page.locator("html").boundingBox())?.width).toBeLessThanOrEqual(360);
  await page.getByLabel("Workspace").focus();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Allow", exact: true })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(heading(page)).toHaveText("The device is signed in");
});

test("every state of the page is accessible", async ({ browser, request }) => {
  const page = await arrive(browser);
  const { user } = await codes(request, "accessible");
  for (const path of ["/device", `/device?user_code=${user}`]) {
    await page.goto(path);
    await expectAccessible(page);
  }
  for (const state of ["user_code=ABCD", "answered=allowed", "answered=refused"]) {
    await page.goto(`/device?${state}`);
    await expectAccessibleStructure(page);
  }
});

test("a person who is not signed in signs in first and returns to the code", async ({ browser, request }) => {
  const person = await BrowserPerson.signedIn(browser, "devices");
  const later = await person.elsewhere(browser);
  const { user } = await codes(request, "signs-in-first");
  await later.signIn(`/device?user_code=${user}`);
  await expect(heading(later.page)).toHaveText("Allow this device?");
  await expect(later.page.getByRole("main")).toContainText(user);
});

test("another site's page cannot answer, the page cannot be cached or framed, and a code is answered once", async ({
  browser,
  request,
  baseURL,
}) => {
  const page = await arrive(browser);
  const { user, device } = await codes(request, "once");
  const shown = await page.goto(`/device?user_code=${user}`);
  expect(shown?.headers()).toMatchObject({ "cache-control": "no-store", "x-frame-options": "DENY" });
  expect(shown?.headers()["content-security-policy"]).toContain("frame-ancestors 'none'");
  const fields = {
    user_code: user,
    decision: "allow",
    token: await page.locator("input[name=token]").inputValue(),
    workspace_id: await page.getByLabel("Workspace").inputValue(),
  };
  const { request: cookies } = page.context();
  for (const headers of [{ origin: "https://evil.example" }, { "sec-fetch-site": "cross-site" }, {}] as Record<
    string,
    string
  >[]) {
    expect((await cookies.post("/device/answer", { form: fields, headers, maxRedirects: 0 })).status()).toBe(403);
  }
  const headers = { origin: baseURL ?? "" };
  const forged = await cookies.post("/device/answer", {
    form: { ...fields, token: "0".repeat(64) },
    headers,
    maxRedirects: 0,
  });
  expect([forged.status(), forged.headers().location]).toEqual([
    303,
    `${baseURL}/device?user_code=${user}&error=again`,
  ]);
  expect(await poll(request, device)).toBe("authorization_pending");
  const allowed = await cookies.post("/device/answer", { form: fields, headers, maxRedirects: 0 });
  expect(allowed.headers().location).toBe(`${baseURL}/device?answered=allowed`);
  const again = await cookies.post("/device/answer", { form: fields, headers, maxRedirects: 0 });
  expect(again.headers().location).toBe(`${baseURL}/device?error=gone`);
});

test("an impossible code is reported, and so are too many attempts", async ({ browser, request }) => {
  const page = await arrive(browser);
  await type(page, "BCDF GHJ1");
  await expect(page.getByRole("main").getByRole("alert")).toContainText("eight letters");
  await allow(page, (await codes(request, "found-at-last")).user);
  await page.goto("/device?error=throttled&wait=37");
  await expect(page.getByRole("main").getByRole("alert")).toContainText("Too many attempts. Try again in 37 seconds.");
});
