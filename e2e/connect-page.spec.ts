import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, type Request } from "@playwright/test";
import { newKey } from "@/lib/auth/access-key";
import { parsePage } from "@/lib/docs/page-markdown";
import { expectAccessible, expectFitsPhone } from "./accessibility";
import { BrowserPerson } from "./browser-person";
import { clipboardOf } from "./clipboard";
import { failsWith, form, leftBehind, open, paste, verdicts, works } from "./connection-test";
import { readerKey } from "./service";
import { test } from "./test";

const GUIDES = resolve(import.meta.dirname, "../lib/docs/pages/client-guides.md");
const HEADINGS = parsePage(GUIDES, readFileSync(GUIDES, "utf8")).parts.flatMap(({ block }) =>
  block.kind === "heading" ? [block] : [],
);

test.describe("how to connect", () => {
  test(
    "each client's tab is at its own address, its files are JSON, and its commands name this service's " + "connector",
    async ({ page, baseURL }) => {
      for (const { id, title } of HEADINGS) {
        await page.goto(`/docs/connect?client=${id}`);
        await expect(page.getByRole("radio", { name: title, exact: true })).toBeChecked();
        const shown = page.locator(`#client-${id} + label + .panel`);
        await expect(shown).toBeVisible();
        const blocks = await shown.locator("pre").allTextContents();
        for (const block of blocks.filter((text) => text.startsWith("{")))
          expect(JSON.stringify(JSON.parse(block))).toContain(`${baseURL}/api/mcp`);
        if (id !== "other") expect(blocks.join("\n")).toContain(`${baseURL}/api/mcp`);
      }
    },
  );

  test("links that open a client contain what its file would", async ({ page, baseURL }) => {
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

  test("the chosen client is in the URL, also when chosen by keyboard", async ({ page }) => {
    await page.goto("/docs/connect");
    await page.getByRole("radio", { name: "Claude", exact: true }).focus();
    await page.keyboard.press("ArrowRight");
    await expect(page).toHaveURL(/\?client=claude-code$/);
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the guides, terminal commands and messages are shown, and the test is not offered", async ({ page }) => {
    await page.goto("/docs/connect?client=codex");
    await expect(page.getByText("codex mcp login parquetry")).toBeVisible();
    await page.locator("label", { hasText: "Gemini CLI" }).click();
    await expect(page.getByText(/gemini mcp add --transport http --scope user parquetry/)).toBeVisible();
    await expect(page.getByText("1. The URL responds and completes the handshake")).toBeVisible();
    await expect(page.getByRole("table", { name: "Client error messages" })).toContainText(
      "does not support dynamic client registration",
    );
    await expect(page.getByRole("button", { name: "Choose a test" })).toBeHidden();
  });
});

test.describe("the test", () => {
  test("without an account everything works, by keyboard only; the report contains every step", async ({
    page,
    context,
  }) => {
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

  test("at the URL for accounts, without and with a key", async ({ page }) => {
    await open(page, "test=none&at=account");
    await form(page).getByRole("button", { name: "Test" }).click();
    await works(page);
    await paste(page, readerKey(), "&at=account");
    await works(page);
  });

  test("with a key everything works; the key is in no URL, storage, report or other request", async ({
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

  test("each invalid credential says what it is and what to do, and one with a typing error is not sent", async ({
    page,
  }) => {
    const key = newKey("use");
    let isSent = false;
    page.on("request", (request) => (isSent ||= request.headers().authorization !== undefined));
    await paste(page, `${key.slice(0, 20)}${key[20] === "x" ? "y" : "x"}${key.slice(21)}`);
    await failsWith(page, "Pasted credential", "Mistyped key", "Copy the entire key again");
    await paste(page, newKey("live"));
    await failsWith(page, "Pasted credential", "live key (svc_live_)", "Create a use key");
    expect(isSent).toBe(false);
    await paste(page, newKey("use"));
    await failsWith(page, "Host and origin", "Unknown key", "Create a use key");
  });

  test("a revoked key says so", async ({ page, browser, baseURL }) => {
    const person = await BrowserPerson.signedIn(browser, "revoked-key");
    const request = person.context.request;
    const { workspaces } = await (await request.get("/api/account")).json();
    const keys = `/api/account/workspaces/${workspaces[0].id}/keys`;
    const headers = { origin: baseURL ?? "" };
    const { id, key } = await (await request.post(keys, { data: { name: "to be revoked" }, headers })).json();
    expect((await request.delete(`${keys}/${id}`, { headers })).ok()).toBe(true);
    await paste(page, key);
    await failsWith(page, "Host and origin", "This key was revoked.", "Create a use key");
  });

  test("on another origin the page says so, and where to test instead", async ({ page, baseURL }) => {
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

  test("offline, a page in place of the service, and an exhausted quota are distinguished", async ({
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
    await expectAccessible(page, { within: ".connection-test" });
    await expectFitsPhone(page);
  });
});
