import { execFileSync } from "node:child_process";
import { expect, type Page } from "@playwright/test";
import { expectAccessible, expectAccessibleStructure, expectFitsPhone } from "./accessibility";
import { held } from "./held-requests";
import { test } from "./test";

const titles = (page: Page) => page.getByRole("article").getByRole("heading");
const count = (page: Page) => page.locator("#results");
const field = (page: Page) => page.getByRole("main").getByRole("searchbox");

/** The page is hydrated: what is typed now is searched for. */
async function open(page: Page, path = "/datasets"): Promise<void> {
  await page.goto(path, { waitUntil: "networkidle" });
}

test.describe("searching while typing", () => {
  test("results, marks, counts and URL follow what is typed; one Back undoes a burst of typing", async ({ page }) => {
    await open(page);
    const all = await count(page).textContent();
    await field(page).pressSequentially("flights", { delay: 40 });
    await expect(titles(page).first()).toHaveText(/US domestic flights/);
    await expect(page).toHaveURL(/\/datasets\?q=flights$/);
    await expect(titles(page).first().locator("mark")).toHaveText("flights");
    await expect(field(page)).toBeFocused();
    await expect(page.getByRole("status").filter({ hasText: "for “flights”" })).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(/\/datasets$/);
    await expect(count(page)).toHaveText(all ?? "");
    await expect(field(page)).toHaveValue("");
    await page.goForward();
    await expect(titles(page).first()).toHaveText(/US domestic flights/);
    await expect(field(page)).toHaveValue("flights");
  });

  test("the results survive a reload and the way back from a dataset", async ({ page }) => {
    await open(page);
    await field(page).pressSequentially("penguin");
    await expect(titles(page)).toHaveText([/penguins/]);
    await titles(page).first().getByRole("link").click();
    await expect(page).toHaveURL(/\/datasets\/palmer-penguins$/);
    await page.goBack();
    await expect(page).toHaveURL(/q=penguin$/);
    await expect(titles(page)).toHaveText([/penguins/]);
    await expect(field(page)).toHaveValue("penguin");
    await page.reload();
    await expect(titles(page)).toHaveText([/penguins/]);
  });

  test("a matching column is named; a misspelt word is replaced by a similar one, and the page says so", async ({
    page,
  }) => {
    await open(page, "/datasets?q=flipper");
    await expect(page.getByRole("article").first()).toContainText(/Found in the columns? .*Flipper/);
    await open(page, "/datasets?q=earthqake");
    await expect(titles(page).first()).toHaveText(/Earthquakes/);
    await expect(page.getByText(/No dataset mentions “earthqake”/)).toContainText("earthquake");
  });

  test("an outdated answer never replaces a newer one", async ({ page }) => {
    await open(page);
    const overtaken = await held(page, /api\/v2\/public\/datasets\?q=wea$/);
    await field(page).pressSequentially("wea");
    await overtaken.asked;
    await field(page).fill("penguin");
    await expect(titles(page)).toHaveText([/penguins/]);
    await overtaken.release();
    await expect(titles(page)).toHaveText([/penguins/]);
  });
});

test.describe("facets", () => {
  test("counts show what a choice leaves; filters can be removed one by one and all at once", async ({ page }) => {
    await open(page);
    const topic = page.getByRole("complementary", { name: "Filters" }).getByRole("link", { name: /^aviation/ });
    const expected = /\d+$/.exec((await topic.textContent()) ?? "")?.[0];
    await topic.click();
    await expect(page).toHaveURL(/topic=aviation/);
    await expect(count(page)).toHaveText(`${expected} datasets`);
    await expect(topic).toHaveAttribute("aria-current", "true");
    await page
      .getByRole("complementary", { name: "Filters" })
      .getByRole("link", { name: /^climate/ })
      .click();
    await expect(page).toHaveURL(/topic=aviation&topic=climate$/);
    await expect(titles(page).filter({ hasText: /Mauna Loa/ })).toBeVisible();
    await expect(titles(page).filter({ hasText: /US domestic flights/ })).toBeVisible();
    await page
      .getByRole("complementary", { name: "Filters" })
      .getByRole("link", { name: /1,000,000 rows or more/ })
      .click();
    await expect(titles(page)).toHaveText([/US domestic flights/]);
    await page.getByRole("link", { name: "Remove the filter Topic: climate" }).click();
    await expect(page).toHaveURL(/topic=aviation&size=over-1m$/);
    await page.getByRole("link", { name: "Remove the filter Topic: aviation" }).click();
    await expect(page).toHaveURL(/\/datasets\?size=over-1m$/);
    await page.goBack();
    await page.getByRole("link", { name: "Clear all" }).click();
    await expect(page).toHaveURL(/\/datasets$/);
  });

  test("if nothing is found, the page suggests what to try", async ({ page }) => {
    await open(page, "/datasets?q=penguin&topic=aviation");
    await page.getByRole("link", { name: "Without topic “aviation”" }).click();
    await expect(titles(page)).toHaveText([/penguins/]);
    await open(page, "/datasets?q=!!!");
    await expect(page.getByText("This search contains no words.")).toBeVisible();
    await page.getByRole("list", { name: "Topics to browse" }).getByRole("link").first().click();
    await expect(titles(page).first()).toBeVisible();
  });
});

test("by keyboard only: search, filter, open a dataset", async ({ page }) => {
  await open(page);
  await field(page).focus();
  await page.keyboard.type("weather");
  await expect(titles(page).first()).toHaveText(/Daily weather/);
  const filter = page.getByRole("complementary", { name: "Filters" }).getByRole("link", { name: /^climate/ });
  await filter.focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/topic=climate/);
  await expect(filter).toBeFocused();
  await titles(page).first().getByRole("link").focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/datasets\/daily-weather$/);
});

test.describe("trouble as a person meets it", () => {
  const reject = (status: number) => (page: Page) =>
    page.route(/\/api\/v2\/public\//, (route) =>
      route.fulfill({ status, headers: { "retry-after": "2" }, json: { error: "x" } }),
    );

  for (const [status, words] of [
    [429, /Too many searches\. .*2 s/],
    [503, /temporarily unavailable\. .*2 s/],
  ] as const) {
    test(`${status}: the page says so, keeps the results, and retries automatically`, async ({ page }) => {
      await open(page);
      await reject(status)(page);
      await field(page).fill("penguin");
      await expect(page.getByRole("alert").filter({ hasText: words })).toBeVisible();
      await expect(titles(page).nth(3)).toBeVisible();
      await page.unroute(/\/api\/v2\/public\//);
      await expect(titles(page)).toHaveText([/penguins/]);
      await expect(page.getByRole("alert").filter({ hasText: words })).toHaveCount(0);
    });
  }

  test("offline: the page says so, and continues when the network is back", async ({ page, context }) => {
    await open(page);
    await context.setOffline(true);
    await field(page).fill("penguin");
    await expect(page.getByText(/seem to be offline/)).toBeVisible();
    await context.setOffline(false);
    await expect(titles(page)).toHaveText([/penguins/]);
  });

  test("an unreachable service is retried automatically, even if the browser was never offline", async ({ page }) => {
    await open(page);
    await page.route(/\/api\/v2\/public\//, (route) => route.abort("connectionrefused"));
    await field(page).fill("penguin");
    await expect(
      page.getByRole("alert").filter({ hasText: /temporarily unavailable|seem to be offline/ }),
    ).toBeVisible();
    await page.unroute(/\/api\/v2\/public\//);
    await expect(titles(page)).toHaveText([/penguins/]);
  });

  test("on a slow network progress is shown, and the old results remain until the new ones arrive", async ({
    page,
  }) => {
    await open(page);
    const slow = await held(page, /\/api\/v2\/public\//);
    await field(page).fill("penguin");
    await expect(page.locator("[aria-busy=true] > .directory-progress")).toHaveCSS("opacity", "1");
    await expect(titles(page).nth(3)).toBeVisible();
    await slow.release();
    await expect(titles(page)).toHaveText([/penguins/]);
  });
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test("filters are collapsed, expand by touch and key, and nothing scrolls sideways", async ({ page }) => {
    await open(page, "/datasets?q=time");
    const filters = page.getByRole("complementary", { name: "Filters" });
    await expect(filters).toBeHidden();
    await page.getByText("Filters", { exact: true }).click();
    await expect(filters).toBeVisible();
    await page.getByRole("checkbox", { name: /Filters/ }).focus();
    await page.keyboard.press("Space");
    await expect(filters).toBeHidden();
    await expectFitsPhone(page);
  });
});

test("axe finds nothing on any state of the directory", async ({ page }) => {
  await page.goto("/datasets?q=earthqake+xqzjvw&topic=aviation&size=over-1m");
  await expectAccessible(page);
  for (const path of ["/datasets?q=delay&topic=aviation", "/datasets?q=!!!", "/datasets?sort=title&license=CC0-1.0"]) {
    await page.goto(path);
    await expectAccessibleStructure(page);
  }
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("search, facets and sorting are a form and links", async ({ page }) => {
    await page.goto("/datasets?license=CC0-1.0");
    await field(page).fill("penguins");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/q=penguins/);
    await expect(page).toHaveURL(/license=CC0-1.0/);
    await expect(titles(page)).toHaveText([/penguins/]);
    await page.getByRole("link", { name: "Remove the filter Licence: CC0-1.0" }).click();
    await expect(page).toHaveURL(/\/datasets\?q=penguins$/);
    await page.getByRole("navigation", { name: "Sort" }).getByRole("link", { name: "Title" }).click();
    await expect(page).toHaveURL(/sort=title/);
  });
});

test.describe("facets over HTTP", () => {
  test("agree with the listing, and reject invalid facet values", async ({ request }) => {
    const { facets, total } = await (await request.get("/api/v2/public/facets", { params: { q: "data" } })).json();
    expect((await (await request.get("/api/v2/public/datasets", { params: { q: "data" } })).json()).total).toBe(total);
    for (const [name, values] of Object.entries<{ value: string; count: number }[]>(facets)) {
      for (const { value, count: counted } of values.slice(0, 2)) {
        const listing = await (
          await request.get("/api/v2/public/datasets", { params: { q: "data", [name]: value } })
        ).json();
        expect([name, value, listing.total]).toEqual([name, value, counted]);
      }
    }
    for (const params of [
      { size: "huge" },
      { freshness: "new" },
      { limit: 5 },
      { q: "x".repeat(201) },
      { topic: "a\0b" },
    ] as Record<string, string>[]) {
      const reply = await request.get("/api/v2/public/facets", { params });
      expect([params, reply.status(), (await reply.json()).error]).toEqual([params, 400, "invalid_request"]);
    }
  });
});

test.describe("the home page", () => {
  test("charts real data, shows the newest datasets, and leads to the search", async ({ page }) => {
    await page.goto("/");
    await expect(page.getByRole("img", { name: /CO2 in ppm: from 315/ })).toBeVisible();
    expect(await titles(page).count()).toBe(6);
    await page.getByRole("main").getByRole("combobox").fill("bird");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/datasets\?q=bird$/);
    await expect(titles(page).first()).toHaveText(/Bird strikes/);
  });

  test("every snippet works when it is pasted", async ({ page, request }) => {
    await page.goto("/");
    const [address, command, connector, prompt] = await page.getByRole("main").locator("pre").allTextContents();
    expect((await page.goto(address ?? ""))?.status()).toBe(200);
    const { rows } = JSON.parse(execFileSync("sh", ["-c", command ?? ""], { encoding: "utf8" }));
    expect(rows).toHaveLength(5);
    const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    expect((await (await request.post(connector ?? "", { data: list })).json()).result.tools.length).toBeGreaterThan(9);
    const addresses = prompt?.match(/https?:\/\/[^\s,]+[^\s,.]/g) ?? [];
    expect(addresses).toHaveLength(2);
    for (const named of addresses) expect([named, (await request.get(named)).status()]).toEqual([named, 200]);
    expect(await (await request.get(addresses[0] ?? "")).text()).toContain("/query");
  });
});
