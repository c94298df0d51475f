import { expect, type Page } from "@playwright/test";
import { DOC_ENTRIES, docMarkdownPath, docPath } from "@/lib/docs/page-list";
import { expectAccessible, expectFitsPhone } from "./accessibility";
import { test } from "./test";

/** One page for each kind of operation. */
const OPERATION_PAGES = [
  "/docs/api/search-datasets",
  "/docs/api/query-table-anonymously",
  "/docs/api/download-current",
  "/docs/api/create-key",
];
const PAGES = [...DOC_ENTRIES.map(({ slug }) => docPath(slug)), ...OPERATION_PAGES, "/docs/search?q=cursor"];
const QUERY_PAGE = "/docs/api/query-table-anonymously";
/** Text with code, a table of tables, an operation to try, results: the parts of every other page. */
const OF_EACH_KIND = ["/docs", "/docs/limits", QUERY_PAGE, "/docs/search?q=cursor"];

const idsAndLinks = (page: Page): Promise<{ ids: string[]; hrefs: string[] }> =>
  page.evaluate(() => ({
    ids: [...document.querySelectorAll("main [id]")].map(({ id }) => id),
    hrefs: [...document.querySelectorAll("main a[href^='/'], main a[href^='#']")].map(
      (link) => link.getAttribute("href") ?? "",
    ),
  }));

/** Whether a link names an anchor that does not exist on its page. */
function isLost(link: string, anchors: ReadonlyMap<string, readonly string[]>): boolean {
  const [path = "", anchor] = link.split("#");
  return anchor !== undefined && anchors.has(path) && !anchors.get(path)?.includes(anchor);
}

test.describe("every page", () => {
  for (const address of OF_EACH_KIND)
    test(`${address}: accessible in light and dark, and fits a phone`, async ({ page }) => {
      await page.goto(address);
      await expectAccessible(page);
      await expectFitsPhone(page);
    });

  test("fits a phone without script too, and its links lead to pages and anchors that exist", async ({
    browser,
    request,
    baseURL: base = "",
  }) => {
    const page = await (await browser.newContext({ baseURL: base, javaScriptEnabled: false })).newPage();
    const anchors = new Map<string, readonly string[]>();
    const links = new Set<string>();
    await page.setViewportSize({ width: 360, height: 800 });
    for (const address of PAGES) {
      expect([address, (await page.goto(address))?.status()]).toEqual([address, 200]);
      await expectFitsPhone(page);
      const { ids, hrefs } = await idsAndLinks(page);
      anchors.set(address, ids);
      for (const href of hrefs) links.add(href.startsWith("#") ? `${address}${href}` : href);
    }
    expect([...links].filter((link) => isLost(link, anchors))).toEqual([]);
    const paths = new Set([...links].map((link) => link.split("#")[0] ?? ""));
    for (const path of [...paths].filter((each) => !anchors.has(each)))
      expect([path, (await request.get(path)).status()]).toEqual([path, 200]);
  });

  test("each has a Markdown version, which needs no script or style", async ({ request, baseURL }) => {
    for (const { slug, title } of [...DOC_ENTRIES, { slug: "api/get-dataset", title: "Get a dataset" }]) {
      const reply = await request.get(docMarkdownPath(slug));
      expect([slug, reply.status(), reply.headers()["content-type"]]).toEqual([
        slug,
        200,
        "text/markdown; charset=utf-8",
      ]);
      const text = await reply.text();
      expect(text.startsWith(`# ${title}\n`)).toBe(true);
      expect(text).not.toContain("](/");
    }
    expect((await request.get("/docs/no-such-page.md")).status()).toBe(404);
    expect(await (await request.get("/docs/query.md")).text()).toContain(`${baseURL}/api/public/tables/`);
  });

  test("former URLs of the docs still lead to the same content", async ({ page }) => {
    for (const anchor of [
      "start",
      "keys",
      "access",
      "routes",
      "operators",
      "functions",
      "limits",
      "errors",
      "security",
    ]) {
      await page.goto("about:blank"); // people come from elsewhere
      await page.goto(`/docs#${anchor}`);
      await expect(page.locator(`#${anchor}`)).toBeInViewport();
    }
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("a person finds an error code by search and reads what to do", async ({ page }) => {
    await page.goto("/docs");
    await page.getByRole("searchbox", { name: "Search the docs" }).first().fill("cursor_mismatch");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/docs\/search\?q=cursor_mismatch$/);
    await page.getByRole("link", { name: /Errors › cursor_mismatch/ }).click();
    await expect(page).toHaveURL(/\/docs\/errors#cursor_mismatch$/);
    await expect(page.locator("#cursor_mismatch")).toBeInViewport();
    await expect(page.getByRole("button", { name: /Copy|Try it/ })).toHaveCount(0);
  });

  test("on a phone the list of pages expands and leads to other pages", async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 800 });
    await page.goto("/docs");
    await page.locator("summary", { hasText: "Quick start" }).click();
    await page.getByRole("navigation", { name: "Docs, folded" }).getByRole("link", { name: "Limits" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Limits");
    await expect(page.getByRole("navigation", { name: "Docs, folded" })).toBeHidden();
  });
});

test("a person moves from page to page by keyboard only", async ({ page }) => {
  await page.goto("/docs/query");
  const next = page.getByRole("link", { name: /^Next/ });
  await next.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("SQL in the browser");
  await expect(page).toHaveURL(/\/docs\/sql$/); // the page is complete before keys are pressed on it
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/#content$/);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("searchbox", { name: "Search the docs" })).toBeFocused();
  await page.keyboard.type("between");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("link", { name: /Query › between/ })).toBeVisible();
});

test("an empty result says where to look next", async ({ page }) => {
  await page.goto("/docs/search?q=zebrafish");
  await expect(page.getByRole("link", { name: "Search datasets instead" })).toHaveAttribute(
    "href",
    "/datasets?q=zebrafish",
  );
});

test.describe("try it", () => {
  const open = async (page: Page, address: string) => {
    await page.goto(address);
    await page.getByRole("button", { name: "Try it" }).press("Enter");
    return page.getByRole("form", { name: "Try it" });
  };

  test("calls a real route with real ids, by keyboard, and shows status, headers and body", async ({ page }) => {
    const form = await open(page, "/docs/api/get-table-schema");
    await expect(form.getByLabel("table_id")).toHaveValue(/^[0-9a-f-]{36}$/);
    await expect(form.getByLabel("table_id")).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(form.getByRole("status")).toContainText("200");
    await expect(form.locator("pre")).toContainText('"schema_version": "service-public-table-schema.v1"');
    await form.locator("summary").click();
    await expect(form.getByRole("status")).toContainText("x-request-id");
    await expectAccessible(page, { when: "tried" });
  });

  test("a faulty query is explained", async ({ page }) => {
    const form = await open(page, QUERY_PAGE);
    await form.getByLabel("Body").fill('{"columns": ["Datum"]}');
    await form.getByRole("button", { name: "Send" }).click();
    await expect(form.getByRole("alert")).toContainText('Unknown column "Datum".');
    await expect(form.locator("pre")).toContainText('"pointer": "/columns/0"');
  });

  test("a reached limit says how long to wait, and an unreachable service is reported", async ({ page }) => {
    const form = await open(page, QUERY_PAGE);
    const body = JSON.stringify({
      schema_version: "service-error.v1",
      error: "rate_limited",
      request_id: "req_x",
      message: "Rate limited.",
    });
    await page.route("**/api/public/tables/**", (route) =>
      route.fulfill({ status: 429, headers: { "retry-after": "42" }, contentType: "application/json", body }),
    );
    await form.getByRole("button", { name: "Send" }).click();
    await expect(form.getByRole("alert")).toContainText("try again in 42 seconds");
    await page.route("**/api/public/tables/**", (route) =>
      route.fulfill({ status: 503, headers: { "retry-after": "5" }, body: "Back soon." }),
    );
    await form.getByRole("button", { name: "Send" }).click();
    await expect(form.getByRole("alert")).toHaveText("Back soon. Try again in 5 seconds.");
    await page.route("**/api/public/tables/**", (route) => route.abort());
    await form.getByRole("button", { name: "Send" }).click();
    await expect(form.getByRole("alert")).toContainText("could not be reached");
  });

  test("takes no key: routes that need one cannot be tried, and no credentials are sent", async ({ page }) => {
    await page.goto("/docs/api/query-table");
    await expect(page.getByRole("button", { name: "Try it" })).toHaveCount(0);
    const form = await open(page, QUERY_PAGE);
    const sent = page.waitForRequest("**/api/public/tables/**");
    await form.getByRole("button", { name: "Send" }).click();
    const headers = await (await sent).allHeaders();
    expect([headers.cookie, headers["x-api-key"], headers.authorization]).toEqual([undefined, undefined, undefined]);
  });
});
