import { execFile } from "node:child_process";
import { promisify } from "node:util";
import AxeBuilder from "@axe-core/playwright";
import { type Browser, expect, type Locator, type Page, type Response } from "@playwright/test";
import { BrowserPerson } from "./browser-person";
import { tableOf } from "./catalogue";
import { invite, newEmail, Person } from "./people";
import { parquetry, rowsOf } from "./service";
import { test } from "./test";
import { noteFound } from "./used-secrets";

const run = promisify(execFile);
const KEY = /^svc_use_[0-9A-Za-z]{46}$/;

/** Somebody new, signed in, on their access page. */
const newcomer = async (browser: Browser, name: string): Promise<BrowserPerson> =>
  (await BrowserPerson.arrive(browser, name)).signUp("/sign-up?callbackUrl=%2Fsettings%2Faccess");

/** The browser of somebody who speaks HTTP so far. */
const browserOf = async (browser: Browser, { email, password }: Person): Promise<Page> =>
  (await (await BrowserPerson.arrive(browser, "", { email, password })).signIn()).page;

const revealed = (page: Page): Locator => page.getByRole("region", { name: /Copy this key now/ });
const workingKeys = (page: Page): Locator => page.getByRole("table", { name: "Active keys" });
const figure = (page: Page, name: string): Locator => page.getByRole("main").locator("dl > div", { hasText: name });

/** What is shown of a key again. */
const endsOf = (key: string): string => `${key.slice(0, 12)}…${key.slice(-4)}`;

async function makeKey(page: Page, name: string): Promise<string> {
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Create key" }).click();
  const key = (await revealed(page).locator("code").first().textContent()) ?? "";
  expect(key).toMatch(KEY);
  noteFound(key, "a key on the access page");
  return key;
}

/** Status and body of a call with curl. */
async function curl(...args: readonly string[]): Promise<{ status: number; body: string }> {
  const { stdout } = await run("curl", ["-s", "-w", "\n%{http_code}", ...args], {
    encoding: "latin1",
    maxBuffer: 2 ** 28,
  });
  const end = stdout.lastIndexOf("\n");
  return { status: Number(stdout.slice(end + 1)), body: stdout.slice(0, end) };
}

test(
  "a person signs up, makes a key, reads with it, sees the use move, revokes it, and the very next call is " +
    "refused",
  async ({ browser, request, baseURL }) => {
    const { page } = await newcomer(browser, "main");
    await expect(page).toHaveURL(/\/settings\/access$/);
    await expect(page.getByText("No active keys")).toBeVisible();
    const key = await makeKey(page, "laptop");
    await expect(workingKeys(page).getByRole("row", { name: /laptop/ })).toContainText("never");

    const command = (await revealed(page).locator("pre").textContent()) ?? "";
    const pasted = await run("sh", ["-c", command]);
    expect(JSON.parse(pasted.stdout).rows.length).toBeGreaterThan(0);
    // by itself: nobody asked for a new page
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

test("a key that was put away stands nowhere: not in the page, its storage or its address, nor in any reply", async ({
  browser,
}) => {
  const { page } = await newcomer(browser, "nowhere");
  const key = await makeKey(page, "once");
  const replies: Promise<string>[] = [];
  page.on("response", (reply) => replies.push(bodyOf(reply)));
  await revealed(page).getByRole("button", { name: "I have stored it" }).click();
  await expect(page.getByText(key)).toBeHidden();
  await page.reload();
  await page.getByRole("button", { name: "Refresh" }).click();
  await expect(workingKeys(page)).toContainText(endsOf(key));
  const workspace = JSON.parse(await page.evaluate(async () => (await fetch("/api/account")).text())).workspaces[0].id;
  for (const path of ["keys", "usage", "audit", "datasets"])
    await page.evaluate((url) => fetch(url), `/api/account/workspaces/${workspace}/${path}`);
  const kept = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, location.href, document.cookie]),
  );
  const all = [await page.content(), kept, ...(await Promise.all(replies))].join("\n");
  expect(all).toContain("once");
  expect(all.includes(key)).toBe(false);
});

/** A body that the browser dropped halfway never comes. */
const bodyOf = (reply: Response): Promise<string> =>
  Promise.race([reply.text().catch(() => ""), new Promise<string>((resolve) => setTimeout(resolve, 5000, ""))]);

test("keys are made, copied, put away and revoked by keyboard alone; the focus is never lost", async ({ browser }) => {
  const { page, context } = await newcomer(browser, "keyboard");
  await context.grantPermissions(["clipboard-write"]);
  await page.goto("/settings/access");
  await tabTo(page, page.getByLabel("Name"));
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
  await tabTo(page, page.getByLabel("Name"));
  await page.keyboard.press("Control+V");
  await expect(page.getByLabel("Name")).toHaveValue(KEY);
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

test("a member sees their own keys alone, and other people's use as a sum without names; an owner sees everybody's", async ({
  browser,
  request,
}) => {
  const [owner, member] = [await new Person(newEmail("owner")).signUp(), await new Person(newEmail("member")).signUp()];
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
});

test("names of keys are text wherever they stand", async ({ browser }) => {
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
  await page.setViewportSize({ width: 360, height: 780 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  expect(alerts).toEqual([]);
});

test("what is wrong with a new key stands at its field", async ({ browser }) => {
  const { page } = await newcomer(browser, "faults");
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByLabel("Name")).toHaveAccessibleDescription("Enter a name.");
  await page.getByLabel("Name").fill("\u202egnp.exe");
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByLabel("Name")).toHaveAccessibleDescription(/text direction marks/);
  await page.getByLabel("Name").fill("yesterday's");
  await page.getByLabel("Expires").selectOption("on a date…");
  await page.getByLabel("Last day (UTC)").fill("2020-02-29");
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByLabel("Last day (UTC)")).toHaveAccessibleDescription(/The expiry is in the past/);
  await page.getByLabel("Last day (UTC)").fill(new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10));
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(revealed(page)).toBeVisible();
  await expect(workingKeys(page)).toContainText("in 3 days");
});

test("legacy keys and the subscription are shown where there are any, and nowhere else", async ({ browser }) => {
  const person = await new Person(newEmail("legacy")).signUp();
  const [{ id: workspace } = { id: "" }] = (await person.account()).workspaces;
  const page = await browserOf(browser, person);
  await page.goto("/settings/access");
  await expect(page.getByRole("heading", { name: /Legacy keys/ })).toBeHidden();
  parquetry("key", "create", "--workspace", workspace, "--kind", "live", "--name", "from long ago");
  parquetry("workspace", "plan", workspace, "paid", "--subscription", "past_due");
  await page.reload();
  await expect(page.getByRole("table", { name: "Legacy keys" })).toContainText("from long ago");
  await expect(page.getByText("A subscription payment is overdue.")).toBeVisible();
  await page.getByRole("button", { name: "Revoke from long ago" }).click();
  await page.getByRole("button", { name: "Revoke key" }).click();
  await expect(page.getByRole("table", { name: "Legacy keys" })).toContainText("revoked");
});

/** A person with three keys whose last quarter is written into the database. */
async function busyPerson(browser: Browser): Promise<Page> {
  const person = await new Person(newEmail("busy")).signUp();
  const [{ id: workspace } = { id: "" }] = (await person.account()).workspaces;
  const keys = [
    await person.createKey(workspace, "one"),
    await person.createKey(workspace, "two"),
    await person.createKey(workspace, "three"),
  ];
  rowsOf(
    `INSERT INTO "Usage" (day, "workspaceId", "keyId", "tableId", queries, downloads, rows, bytes)
     SELECT current_date - back, $1::uuid, key::uuid, t.id, (back * 7) % 90 + 1, back % 4, back * 100, back * 54321
     FROM generate_series(0, 91) back, unnest(string_to_array($2, ',')) key, (SELECT id FROM "Table" ORDER BY id LIMIT
       11) t`,
    [workspace, keys.map(({ id }) => id).join(",")],
  );
  return browserOf(browser, person);
}

test(
  "the access page is accessible in light and dark, with much use and with a key just made; nothing scrolls " +
    "sideways on a phone",
  async ({ browser }) => {
    const page = await busyPerson(browser);
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto("/settings/access?days=92");
      await expect(page.getByRole("img", { name: /^Queries per day, .* in all, most on / })).toBeVisible();
      await page.evaluate(() => {
        for (const fold of document.querySelectorAll("main details")) fold.setAttribute("open", "");
      });
      await expectAccessible(page, colorScheme);
      await makeKey(page, colorScheme);
      await page.getByRole("button", { name: "Revoke one" }).click();
      await expectAccessible(page, `${colorScheme}, asking`);
    }
    await page.setViewportSize({ width: 360, height: 780 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    expect(problems).toEqual([]);
  },
);

async function expectAccessible(page: Page, when: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${when} ${id}: ${nodes[0]?.html}`)).toEqual([]);
}

test("the chart says in a table what it draws, and the sums are those of the days", async ({ browser }) => {
  const page = await busyPerson(browser);
  await page.goto("/settings/access");
  await page.getByText("The days as a table").click();
  const cells = await page.getByRole("region", { name: "Usage by day" }).getByRole("row").allTextContents();
  expect(cells).toHaveLength(32);
  const drawn = await page.locator(".day-chart svg").first().locator("path.fill-bar").getAttribute("d");
  expect(drawn?.match(/M/g)).toHaveLength(30);
  const sum = await page.getByRole("img", { name: /^Queries per day/ }).getAttribute("aria-label");
  const days = Array.from({ length: 31 }, (_, back) => 33 * (((back * 7) % 90) + 1));
  expect(sum).toContain(`${days.reduce((a, b) => a + b).toLocaleString("en-US")} in all`);
});

test("without script the page still tells how things stand", async ({ browser }) => {
  const page = await busyPerson(browser);
  const context = await browser.newContext({
    javaScriptEnabled: false,
    storageState: await page.context().storageState(),
  });
  const plain = await context.newPage();
  await plain.goto("/settings/access");
  await expect(workingKeys(plain)).toContainText("three");
  await expect(plain.getByRole("img", { name: /^Queries per day/ })).toBeVisible();
  await expect(plain.locator("noscript p")).toBeVisible();
  await expect(plain.getByRole("button", { name: "Create key" })).toBeHidden();
});
