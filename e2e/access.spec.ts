import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { type Browser, expect, type Locator, type Page, type Request } from "@playwright/test";
import { KEY, makeKey, revealed, workingKeys } from "./access-page";
import { expectFitsPhone } from "./accessibility";
import { BrowserPerson } from "./browser-person";
import { tableOf } from "./catalogue";
import { invite, newEmail, Person } from "./people";
import { parquetry } from "./service";
import { test } from "./test";
import { noteFound } from "./used-secrets";

const run = promisify(execFile);

/** Somebody new, signed in, on their access page. */
async function newcomer(browser: Browser, name: string): Promise<BrowserPerson> {
  const person = await BrowserPerson.signedIn(browser, name);
  await person.page.goto("/settings/access");
  return person;
}

/** The browser of a person who has only used HTTP so far. */
const browserOf = async (browser: Browser, person: Person): Promise<Page> =>
  (await BrowserPerson.of(browser, person)).page;

const figure = (page: Page, name: string): Locator => page.getByRole("main").locator("dl > div", { hasText: name });

/** The part of a key that is shown again. */
const endsOf = (key: string): string => `${key.slice(0, 12)}…${key.slice(-4)}`;

/** Status and body of a call with curl. */
async function curl(...args: readonly string[]): Promise<{ status: number; body: string }> {
  const { stdout } = await run("curl", ["-s", "-w", "\n%{http_code}", ...args], {
    encoding: "latin1",
    maxBuffer: 2 ** 28,
  });
  const end = stdout.lastIndexOf("\n");
  return { status: Number(stdout.slice(end + 1)), body: stdout.slice(0, end) };
}

test("a key limited to a dataset and to queries reads it, and says why it does nothing else", async ({
  browser,
  request,
  baseURL,
}) => {
  const { page } = await newcomer(browser, "limited");
  const form = page.locator("form").filter({ has: page.getByRole("button", { name: "Create key" }) });
  await form.getByText("Limit what it may do").click();
  await form.getByLabel("Name").fill("dashboard");
  await form.getByLabel("Datasets").fill("mauna-loa-co2, no-such-dataset");
  await form.getByLabel("It may").selectOption({ label: "only query" });
  await form.getByRole("button", { name: "Create key" }).click();
  await expect(form.getByLabel("Datasets")).toHaveAccessibleDescription(/Unknown dataset: no-such-dataset/);
  await expectFitsPhone(page, "a limited key");
  await form.getByLabel("Datasets").fill("mauna-loa-co2");
  await form.getByRole("button", { name: "Create key" }).click();
  const key = (await revealed(page).locator("code").first().textContent()) ?? "";
  noteFound(key, "a limited key on the access page");
  await revealed(page).getByRole("button", { name: "I have stored it" }).click();
  await expect(workingKeys(page).getByRole("row", { name: /dashboard/ })).toContainText(
    "Only queries, only mauna-loa-co2",
  );
  const [own, other] = await Promise.all(["mauna-loa-co2", "palmer-penguins"].map((slug) => tableOf(request, slug)));
  const asked = async (tableId: string | undefined, path: string, ...more: string[]) => {
    const url = `${baseURL}/api/v2/public/tables/${tableId}/${path}`;
    const { status, body } = await curl(url, "-H", `x-api-key: ${key}`, ...more);
    return [status, status === 200 ? "" : JSON.parse(body).message];
  };
  const body = [
    "-H",
    "content-type: application/json",
    "-d",
    '{"columns":[],"aggregates":[{"function":"count","as":"n"}]}',
  ];
  expect(await asked(own?.tableId, "query", ...body)).toEqual([200, ""]);
  expect(await asked(other?.tableId, "query", ...body)).toEqual([403, expect.stringContaining("palmer-penguins")]);
  expect(await asked(own?.tableId, "current")).toEqual([
    403,
    "This key may query, but not download whole files. Use a key that may.",
  ]);
});

test(
  "a person signs up, makes a key, reads with it, sees the use move, revokes it, and the very next call is " +
    "rejected",
  async ({ browser, request, baseURL }) => {
    const { page } = await (await BrowserPerson.arrive(browser, "main")).signUp();
    await expect(page).toHaveURL(/\/settings\/access$/);
    await expect(page.getByText("No active keys")).toBeVisible();
    const key = await makeKey(page, "laptop");
    await expect(workingKeys(page).getByRole("row", { name: /laptop/ })).toContainText("never");

    const command = (await revealed(page).locator("pre").textContent()) ?? "";
    const pasted = await run("sh", ["-c", command]);
    expect(JSON.parse(pasted.stdout).rows.length).toBeGreaterThan(0);
    // on its own: nobody requested a new page
    await expect(figure(page, "Queries")).toContainText("1 today");

    const { tableId, bytes } = await tableOf(request, "mauna-loa-co2");
    const table = `${baseURL}/api/v2/public/tables/${tableId}`;
    const query = () =>
      curl(
        `${table}/query`,
        "-H",
        `x-api-key: ${key}`,
        "-H",
        "content-type: application/json",
        "-d",
        '{"columns":["CO2"],"limit":7}',
      );
    expect((await query()).status).toBe(200);
    const whole = await curl(`${table}/current`, "-H", `x-api-key: ${key}`);
    expect([whole.status, whole.body.length]).toEqual([200, bytes]);
    await page.getByRole("button", { name: "Refresh" }).click();
    await expect(figure(page, "Queries")).toContainText("2 today");
    await expect(figure(page, "Downloads")).toContainText("1 today");
    await expect(page.getByRole("meter", { name: "Queries today, laptop" })).toHaveAttribute("value", "2");
    await expect(
      page.getByRole("table", { name: /Usage by table/ }).getByRole("row", { name: /Mauna Loa/ }),
    ).toContainText("1");
    await expect(page.getByRole("table", { name: "Connected datasets" })).toContainText("Mauna Loa");

    await revealed(page).getByRole("button", { name: "I have stored it" }).click();
    await page.getByRole("button", { name: "Revoke laptop" }).click();
    await expect(page.getByRole("dialog")).toContainText("key_revoked");
    await expect(page.getByRole("dialog")).toContainText("today for 2 queries and 1 download");
    await page.getByRole("button", { name: "Revoke key" }).click();
    await expect(workingKeys(page)).toBeHidden();
    for (const answer of [await query(), await curl(`${table}/current`, "-H", `x-api-key: ${key}`)]) {
      expect([answer.status, JSON.parse(answer.body).error]).toEqual([401, "key_revoked"]);
    }
    await expect(page.getByText("Revoked and expired (1)")).toBeVisible();
  },
);

test("a key that was closed is nowhere: not in the page, its storage or its URL, nor in any reply", async ({
  browser,
}) => {
  const { page } = await newcomer(browser, "nowhere");
  const key = await makeKey(page, "once");
  const replies: Promise<string>[] = [];
  page.on("requestfinished", (asked) => replies.push(bodyOf(asked)));
  await revealed(page).getByRole("button", { name: "I have stored it" }).click();
  await expect(page.getByText(key)).toBeHidden();
  await page.reload();
  await page.getByRole("button", { name: "Refresh" }).click();
  await expect(workingKeys(page)).toContainText(endsOf(key));
  const workspace = JSON.parse(await page.evaluate(async () => (await fetch("/api/account")).text())).workspaces[0].id;
  for (const path of ["keys", "usage", "audit", "datasets"])
    await page.evaluate(async (url) => (await fetch(url)).text(), `/api/account/workspaces/${workspace}/${path}`);
  const kept = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, location.href, document.cookie]),
  );
  const all = [await page.content(), kept, ...(await Promise.all(replies))].join("\n");
  expect(all).toContain("once");
  expect(all.includes(key)).toBe(false);
});

/** A body that its page abandoned before it was read is gone. */
const bodyOf = async (asked: Request): Promise<string> =>
  (await (await asked.response())?.text().catch(() => "")) ?? "";

test("keys are created, copied, closed and revoked by keyboard only; the focus is never lost", async ({ browser }) => {
  const { page, context } = await newcomer(browser, "keyboard");
  await context.grantPermissions(["clipboard-write"]);
  await page.goto("/settings/access");
  await tabTo(page, page.getByLabel("Name", { exact: true }));
  await page.keyboard.type("by hand");
  await tabTo(page, page.getByLabel("Expires"));
  await page.keyboard.press("ArrowDown");
  await tabTo(page, page.getByRole("button", { name: "Create key" }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: /Copy this key now/ })).toBeFocused();
  await tabTo(page, page.getByRole("button", { name: "Copy key" }));
  await page.keyboard.press("Enter");
  await expect(page.getByText("Copied").first()).toBeVisible();
  await tabTo(page, page.getByRole("button", { name: "I have stored it" }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Use keys" })).toBeFocused();
  await expect(workingKeys(page).getByRole("row", { name: /by hand/ })).toContainText(
    String(new Date(Date.now() + 30 * 86_400_000).getUTCFullYear()),
  );
  await tabTo(page, page.getByLabel("Name", { exact: true }));
  await page.keyboard.press("Control+V");
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue(KEY);
  await tabTo(page, page.getByRole("button", { name: "Revoke by hand" }));
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Revoke by hand" })).toBeFocused();
  await page.keyboard.press("Enter");
  await tabTo(page, page.getByRole("button", { name: "Revoke key" }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Use keys" })).toBeFocused();
  await expect(workingKeys(page)).toBeHidden();
});

async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let step = 0; step < 40; step += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`the keyboard does not reach ${target}`);
}

test(
  "a member sees their own keys alone, and other people's use as a sum without names; an owner sees " + "everybody's",
  async ({ browser, request }) => {
    const [owner, member] = [
      await new Person(newEmail("owner")).signUp(),
      await new Person(newEmail("member")).signUp(),
    ];
    const workspace = (await owner.call("POST", "/api/account/workspaces", { name: "shared" })).json.workspace.id;
    await invite(owner, member, workspace);
    const [ownKey, memberKey] = [
      await owner.createKey(workspace, "key of the owner"),
      await member.createKey(workspace, "key of the member"),
    ];
    const { tableId } = await tableOf(request, "mauna-loa-co2");
    for (const { key } of [ownKey, memberKey]) {
      await request.post(`/api/v2/public/tables/${tableId}/query`, {
        data: { columns: ["CO2"], limit: 1 },
        headers: { "x-api-key": key },
      });
    }
    const [ownersPage, membersPage] = [await browserOf(browser, owner), await browserOf(browser, member)];
    for (const page of [ownersPage, membersPage]) await page.goto(`/settings/access?workspace=${workspace}`);
    await expect(workingKeys(ownersPage)).toContainText("key of the owner");
    await expect(workingKeys(ownersPage).getByRole("row", { name: /key of the member/ })).toContainText(member.email);
    await expect(workingKeys(membersPage)).toContainText("key of the member");
    await expect(membersPage.getByRole("table", { name: /Usage by key/ })).toContainText(
      "Keys and agents of other members",
    );
    await expect(figure(membersPage, "Queries")).toContainText("2 today");
    const source = await membersPage.content();
    expect(["key of the owner", endsOf(ownKey.key)].filter((text) => source.includes(text))).toEqual([]);
    const foreign = await browserOf(browser, await new Person(newEmail("stranger")).signUp());
    expect((await foreign.goto(`/settings/access?workspace=${workspace}`))?.status()).toBe(404);
  },
);

test("names of keys are shown as text everywhere", async ({ browser }) => {
  const { page } = await newcomer(browser, "names");
  const alerts: string[] = [];
  page.on("dialog", (dialog) => dialog.dismiss().then(() => alerts.push(dialog.message())));
  for (const name of [
    "<img src=x onerror=alert(1)>",
    '"><script>alert(2)</script>',
    "'); alert(3); ('",
    "n".repeat(100),
  ]) {
    await makeKey(page, name);
    await revealed(page).getByRole("button", { name: "I have stored it" }).click();
    await expect(workingKeys(page)).toContainText(name.trim());
    await page.getByRole("button", { name: `Revoke ${name}`, exact: true }).click();
    await expect(page.getByRole("dialog")).toContainText(name);
    await page.keyboard.press("Escape");
  }
  await expectFitsPhone(page);
  expect(alerts).toEqual([]);
});

test("errors in a new key are shown at their fields", async ({ browser }) => {
  const { page } = await newcomer(browser, "faults");
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByLabel("Name", { exact: true })).toHaveAccessibleDescription("Enter a name.");
  await page.getByLabel("Name", { exact: true }).fill("\u202egnp.exe");
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByLabel("Name", { exact: true })).toHaveAccessibleDescription(/text direction marks/);
  await page.getByLabel("Name", { exact: true }).fill("yesterday's");
  await page.getByLabel("Expires").selectOption("on a date…");
  await page.getByLabel("Last day (UTC)").fill("2020-02-29");
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByLabel("Last day (UTC)")).toHaveAccessibleDescription(/The expiry is in the past/);
  await page.getByLabel("Last day (UTC)").fill(new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10));
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(revealed(page)).toBeVisible();
  await expect(workingKeys(page)).toContainText("in 3 days");
});

test("live keys and the subscription are shown only if there are any", async ({ browser }) => {
  const person = await new Person(newEmail("live")).signUp();
  const [{ id: workspace } = { id: "" }] = (await person.account()).workspaces;
  const page = await browserOf(browser, person);
  await page.goto("/settings/access");
  await expect(page.getByRole("heading", { name: "Live keys" })).toBeHidden();
  parquetry("workspace", "plan", workspace, "paid");
  await page.reload();
  const section = page.locator("#live-keys, section:has(#live-keys)").first();
  await expect(page.getByText("No tables are active.")).toBeVisible();
  await section.getByLabel("Name", { exact: true }).fill("the pipeline");
  await page.getByRole("button", { name: "Create live key" }).click();
  await expect(revealed(page)).toContainText("svc_live_");
  await page.getByRole("button", { name: "I have stored it" }).click();
  await expect(page.getByRole("table", { name: "Live keys" })).toContainText("the pipeline");
  parquetry("workspace", "plan", workspace, "paid", "--subscription", "past_due");
  await page.reload();
  await expect(page.getByText("The last payment failed. Builds and live keys work until")).toBeVisible();
  await page.getByRole("button", { name: "Revoke the pipeline" }).click();
  await page.getByRole("button", { name: "Revoke key" }).click();
  await expect(page.getByRole("table", { name: "Live keys" })).toContainText("revoked");
  parquetry("workspace", "plan", workspace, "free", "--subscription", "canceled");
  await page.reload();
  await expect(page.getByText("The subscription has ended. Builds don’t start")).toBeVisible();
  await expect(page.getByRole("button", { name: "Create live key" })).toBeHidden();
});
