import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, type Request } from "@playwright/test";
import { newKey } from "@/lib/auth/access-key";
import { GUIDES } from "@/lib/docs/clients/client-guides";
import { BrowserPerson } from "./browser-person";
import { clipboardOf } from "./clipboard";
import { readerKey, rowsOf } from "./service";
import { test } from "./test";
import { used } from "./used-secrets";

const form = (page: Page) => page.getByRole("form", { name: "Test the connection" });
const verdicts = (page: Page) => form(page).getByRole("listitem");
const works = (page: Page) =>
  expect(form(page).getByText("Everything a client needs works.")).toBeVisible({ timeout: 30_000 });

async function open(page: Page, query: string): Promise<void> {
  await page.goto(`/docs/connect?${query}#test`);
  await expect(form(page)).toBeVisible();
}

/** Pastes a key or token and tests it. */
async function paste(page: Page, credential: string, at = ""): Promise<void> {
  await open(page, `test=credential${at}`);
  await form(page)
    .getByLabel("Key or token", { exact: true })
    .fill(used(credential, "what is pasted into the connection test"));
  await page.keyboard.press("Enter");
}

const failsWith = async (page: Page, step: string, words: string, todo: string) => {
  const failed = verdicts(page).filter({ has: page.getByRole("img", { name: "Fails:" }) });
  await expect(failed).toHaveCount(1);
  await expect(failed).toContainText(step);
  await expect(failed).toContainText(words);
  await expect(form(page).getByRole("alert")).toContainText(todo);
};

/** What the page leaves where others could read it. */
const leftBehind = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const databases = await indexedDB.databases();
    return JSON.stringify([
      location.href,
      { ...localStorage },
      { ...sessionStorage },
      document.cookie,
      databases,
      history.state,
    ]);
  });

test.describe("how to connect", () => {
  test("each client's tab is at its own address, its files are JSON, and its commands name this service's connector", async ({
    page,
    baseURL,
  }) => {
    for (const { id, title } of GUIDES) {
      await page.goto(`/docs/connect?client=${id}`);
      await expect(page.getByRole("radio", { name: title, exact: true })).toBeChecked();
      const shown = page.locator(`#client-${id} + label + .panel`);
      await expect(shown).toBeVisible();
      const blocks = await shown.locator("pre").allTextContents();
      for (const block of blocks.filter((text) => text.startsWith("{")))
        expect(JSON.stringify(JSON.parse(block))).toContain(`${baseURL}/api/mcp`);
      if (id !== "other") expect(blocks.join("\n")).toContain(`${baseURL}/api/mcp`);
    }
  });

  test("links that open a client hold what its file would", async ({ page, baseURL }) => {
    await page.goto("/docs/connect");
    const href = async (name: string) =>
      (await page.locator("a", { hasText: `Add to ${name}` }).getAttribute("href")) ?? "";
    const cursor = new URL(await href("Cursor")).searchParams;
    expect([cursor.get("name"), JSON.parse(atob(cursor.get("config") ?? ""))]).toEqual([
      "parquetry",
      { url: `${baseURL}/api/mcp` },
    ]);
    const vscode = JSON.parse(decodeURIComponent((await href("VS Code")).replace("vscode:mcp/install?", "")));
    expect(vscode).toEqual({ name: "parquetry", type: "http", url: `${baseURL}/api/mcp` });
    const goose = new URL(await href("Goose")).searchParams;
    expect([goose.get("type"), goose.get("url")]).toEqual(["streamable_http", `${baseURL}/api/mcp`]);
  });

  test("the chosen client is written to the address, by keyboard too", async ({ page }) => {
    await page.goto("/docs/connect");
    await page.getByRole("radio", { name: "Claude", exact: true }).focus();
    await page.keyboard.press("ArrowRight");
    await expect(page).toHaveURL(/\?client=claude-code$/);
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the guides, the lines for a terminal and the messages are there, and the test is not offered", async ({
    page,
  }) => {
    await page.goto("/docs/connect?client=codex");
    await expect(page.getByText("codex mcp login parquetry")).toBeVisible();
    await page.locator("label", { hasText: "Gemini CLI" }).click();
    await expect(page.getByText(/gemini mcp add --transport http --scope user parquetry/)).toBeVisible();
    await expect(page.getByText("1. The address answers, and shakes hands")).toBeVisible();
    await expect(page.getByRole("table", { name: "Client error messages" })).toContainText(
      "does not support dynamic client registration",
    );
    await expect(page.getByRole("button", { name: "Choose a test" })).toBeHidden();
  });
});

test.describe("the test", () => {
  test("without an account: all works, by keyboard alone; the report holds every step", async ({ page, context }) => {
    await context.grantPermissions(["clipboard-write"]);
    await page.goto("/docs/connect");
    await page.getByRole("button", { name: "Choose a test" }).press("Enter");
    await expect(form(page).getByRole("radio", { name: /^Without an account/ })).toBeFocused();
    await page.keyboard.press("Enter");
    await works(page);
    await expect(verdicts(page).filter({ has: page.getByRole("img", { name: "Works:" }) })).toHaveCount(8);
    await expect(verdicts(page).filter({ hasText: "Handshakes" })).toContainText("All 5 versions");
    await form(page).getByRole("button", { name: "Copy report" }).press("Enter");
    const report = await clipboardOf(page);
    expect(report).toContain("ok   Rejection without a credential");
    expect(report).toContain("server/discover 2026-07-28): 200");
  });

  test("at the address for accounts, without and with a key", async ({ page }) => {
    await open(page, "test=none&at=account");
    await form(page).getByRole("button", { name: "Test" }).click();
    await works(page);
    await paste(page, readerKey(), "&at=account");
    await works(page);
  });

  test("with a key all works, and it stays on the page: in no address, storage, report or other request", async ({
    page,
    context,
    baseURL,
  }) => {
    await context.grantPermissions(["clipboard-write"]);
    const key = readerKey();
    const carriers: string[] = [];
    const look = (request: Request) => {
      const sent = [request.url(), request.postData() ?? "", JSON.stringify(request.headers())].join(" ");
      if (sent.includes(key)) carriers.push(`${request.method()} ${request.url()}`);
    };
    page.on("request", look);
    await paste(page, `export PARQUETRY_KEY='${key}'`);
    await works(page);
    expect(new Set(carriers)).toEqual(new Set([`POST ${baseURL}/api/mcp`]));
    expect(await leftBehind(page)).not.toContain(key.slice(8));
    await form(page).getByRole("button", { name: "Copy report" }).click();
    expect(await clipboardOf(page)).not.toContain(key.slice(8));
    await page.reload();
    await expect(form(page).getByLabel("Key or token", { exact: true })).toHaveValue("");
  });

  test("each thing that is no good says what it is and what to do, and what has a typing error is not sent", async ({
    page,
  }) => {
    const key = newKey("use");
    let isSent = false;
    page.on("request", (request) => (isSent ||= request.headers().authorization !== undefined));
    await paste(page, `${key.slice(0, 20)}${key[20] === "x" ? "y" : "x"}${key.slice(21)}`);
    await failsWith(page, "Pasted credential", "Mistyped key", "Copy the whole key again");
    await paste(page, newKey("live"));
    await failsWith(page, "Pasted credential", "legacy key (svc_live_)", "Create a use key");
    expect(isSent).toBe(false);
    await paste(page, newKey("use"));
    await failsWith(page, "Host and origin", "Unknown key", "Create a use key");
  });

  test("a revoked key says so", async ({ page, browser }) => {
    const person = await (await BrowserPerson.arrive(browser, "revoked-key")).signUp();
    const request = person.context.request;
    const { workspaces } = await (await request.get("/api/account")).json();
    const keys = `/api/account/workspaces/${workspaces[0].id}/keys`;
    const headers = { origin: new URL(person.page.url()).origin };
    const { id, key } = await (await request.post(keys, { data: { name: "to be revoked" }, headers })).json();
    expect((await request.delete(`${keys}/${id}`, { headers })).ok()).toBe(true);
    await paste(page, key);
    await failsWith(page, "Host and origin", "This key was revoked.", "Create a use key");
  });

  test("another origin is told, and where to test instead", async ({ page, baseURL }) => {
    const elsewhere = (baseURL ?? "").replace("localhost", "127.0.0.1");
    await page.goto(`${elsewhere}/docs/connect?test=none`);
    await form(page).getByRole("button", { name: "Test" }).click();
    await failsWith(
      page,
      "Host and origin",
      `You opened this page at ${elsewhere}`,
      `Open ${baseURL}/docs/connect and test there`,
    );
  });

  test("offline, a page in the service's place, and an allowance that is used up are told apart", async ({
    page,
    context,
  }) => {
    await open(page, "test=none");
    const again = () => form(page).getByRole("button", { name: /^Test/ }).click();
    await context.setOffline(true);
    await again();
    await failsWith(page, "URL", "Your browser is offline", "Connect to the network");
    await context.setOffline(false);
    await page.route("**/api/mcp", (route) =>
      route.fulfill({ status: 403, contentType: "text/html", body: "<h1>Checking your browser</h1>" }),
    );
    await again();
    await failsWith(page, "URL", "Something other than the service responded", "forward /api/mcp unchanged");
    await page.unroute("**/api/mcp");
    const data = {
      schema_version: "service-error.v1",
      error: "rate_limited",
      request_id: "req_x",
      message: "Rate limited.",
    };
    const body = JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32_000, message: "Rate limited.", data } });
    await page.route("**/api/mcp", (route) =>
      route.fulfill({
        status: 429,
        headers: { "x-request-id": "req_x", "retry-after": "42" },
        contentType: "application/json",
        body,
      }),
    );
    await again();
    await failsWith(page, "URL", "Too many calls", "Test again in 42 seconds.");
  });

  test("accessible in light and dark, at phone width, with its steps open", async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 800 });
    await open(page, "test=none");
    await form(page).getByRole("button", { name: "Test" }).click();
    await works(page);
    for (const summary of await form(page).locator("summary").all()) await summary.click();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => `${colorScheme} ${id}: ${nodes[0]?.html}`)).toEqual([]);
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  });
});

test.describe("with a sign-in", () => {
  /** Tests with a sign-in, and answers the question with this button. */
  async function signIn(page: Page, answer: "Allow" | "Deny", at = ""): Promise<void> {
    await open(page, `test=sign-in${at}`);
    await form(page).getByRole("button", { name: "Test" }).click();
    const opener = form(page).getByRole("button", { name: "Open the approval page" });
    await expect(opener).toBeFocused();
    const [question] = await Promise.all([page.waitForEvent("popup"), page.keyboard.press("Enter")]);
    await expect(question.getByRole("heading", { level: 1 })).toHaveText("Connect Docs test?");
    await question.getByRole("button", { name: answer, exact: true }).click();
  }

  const connections = (email: string) =>
    rowsOf(`SELECT c."revokedAt" FROM "AgentConnection" c JOIN "User" u ON u.id = c."userId" WHERE u.email = $1`, [
      email,
    ]);

  test("the page is let in as a client is, calls, refreshes, and ends its own connection alone", async ({
    browser,
  }) => {
    const person = await (await BrowserPerson.arrive(browser, "connect-page")).signUp();
    const { page } = person;
    page.on("response", async (response) => {
      if (!response.url().endsWith("/api/oauth/token")) return;
      const tokens = await response.json().catch(() => ({}));
      for (const name of ["access_token", "refresh_token"]) used(tokens[name] ?? "", `the connection test's ${name}`);
    });
    await signIn(page, "Allow");
    await works(page);
    await expect(verdicts(page).filter({ has: page.getByRole("img", { name: "Works:" }) })).toHaveCount(14);
    expect(await leftBehind(page)).not.toMatch(/svc_o|code=/);
    await signIn(page, "Allow", "&at=account");
    await works(page);
    const made = connections(person.email);
    expect([made.length, made.every(({ revokedAt }) => revokedAt !== null)]).toEqual([2, true]);
    await page.goto("/settings/access");
    await expect(page.getByText("No connected agents")).toBeVisible();
  });

  test("a person who does not allow it, or stops waiting, is told that nothing was connected", async ({ browser }) => {
    const person = await (await BrowserPerson.arrive(browser, "connect-page-no")).signUp();
    const { page } = person;
    await signIn(page, "Deny");
    await failsWith(page, "Your consent", "You denied access", "test again");
    await form(page).getByRole("button", { name: "Test again" }).click();
    await form(page).getByRole("button", { name: "Stop waiting" }).click();
    await failsWith(page, "Your consent", "You cancelled the test", "Test again");
    expect(connections(person.email).filter(({ revokedAt }) => revokedAt === null)).toEqual([]);
  });

  test("an access token of a client says what it is, whose address it is for, and that it was ended or has expired", async ({
    browser,
    page,
  }) => {
    const person = await (await BrowserPerson.arrive(browser, "connect-page-token")).signUp();
    const token = new Promise<string>((resolve) => {
      person.page.on("response", async (response) => {
        if (response.url().endsWith("/api/oauth/token")) resolve((await response.json()).access_token);
      });
    });
    await person.page.route("**/api/oauth/revoke", (route) =>
      route.fulfill({ status: 200, headers: { "x-request-id": "req_x" }, body: "" }),
    );
    await signIn(person.page, "Allow");
    const access = used(await token, "the connection test's first access token");
    await expect(verdicts(person.page).filter({ hasText: "The connection may still exist" })).toBeVisible({
      timeout: 30_000,
    });
    await paste(page, access);
    await works(page);
    await expect(verdicts(page).filter({ hasText: "An access token" })).toBeVisible();
    await paste(page, access, "&at=account");
    await failsWith(page, "Host and origin", "is valid only for", "at http");
    const set =
      `UPDATE "OAuthToken" t SET "expiresAt" = now() FROM "AgentConnection" c JOIN "User" u ON u.id = c."userId" ` +
      `WHERE t."connectionId" = c.id AND u.email = $1`;
    rowsOf(set, [person.email]);
    await paste(page, access);
    await failsWith(page, "Host and origin", "This access token has expired", "Have the client refresh it");
    rowsOf(
      `UPDATE "AgentConnection" c SET "revokedAt" = now() FROM "User" u WHERE u.id = c."userId" AND u.email = $1`,
      [person.email],
    );
    await paste(page, access);
    await failsWith(page, "Host and origin", "This connection was revoked", "Connect the client again");
  });
});
