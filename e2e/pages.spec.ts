import AxeBuilder from "@axe-core/playwright";
import { expect } from "@playwright/test";
import { test } from "./test";

const PAGES = [
  "/",
  "/datasets",
  "/datasets?q=flights",
  "/datasets?q=nothing-like-this",
  "/datasets/mime-types",
  "/datasets/us-flights-2001",
  "/datasets/bird-strikes",
  "/docs",
  "/no-such-page",
];

test.describe("every page", () => {
  for (const address of PAGES) {
    test(`${address}: accessible in light and dark, no sideways scrolling on a phone, no error in the console`, async ({
      page,
    }) => {
      const problems: string[] = [];
      page.on("pageerror", (error) => problems.push(error.message));
      page.on("console", (message) => {
        if (message.type() === "error" && !message.text().includes("404")) problems.push(message.text());
      });
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await page.goto(address);
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(violations.map(({ id, nodes }) => `${colorScheme} ${id}: ${nodes[0]?.html}`)).toEqual([]);
      }
      await page.setViewportSize({ width: 360, height: 800 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
      expect(problems).toEqual([]);
    });
  }
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("a person finds a dataset by search and reads its rows and columns", async ({ page }) => {
    await page.goto("/");
    await page.getByRole("searchbox").first().fill("flights");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/datasets\?.*q=flights/);
    await page
      .getByRole("link", { name: /US domestic flights/ })
      .first()
      .click();
    await expect(page).toHaveURL(/\/datasets\/us-flights-2001$/);
    await expect(page.getByRole("heading", { level: 1 })).toContainText("flights");
    await expect(page.getByRole("table").first()).toContainText("LAS");
    await expect(page.getByText("3,000,000").first()).toBeVisible();
    await expect(page.locator("body")).toContainText(/sha256:[0-9a-f]{8}/);
  });

  test("an address that leads nowhere is a whole page, with 404 and the ways on", async ({ page }) => {
    for (const address of [
      "/no-such-page",
      "/datasets/no-such-dataset",
      "/datasets/no-such-dataset/versions",
      "/docs/no-such-page",
      "/docs/api/no-such-operation",
    ]) {
      const reply = await page.goto(address);
      expect([address, reply?.status(), reply?.headers()["cache-control"]]).toEqual([address, 404, "no-store"]);
      await expect(page).toHaveTitle("Not found · Parquetry");
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page not found");
      await expect(page.getByRole("main").getByRole("searchbox")).toBeVisible();
      await expect(page.getByRole("contentinfo")).toBeVisible();
    }
  });

  test("the status page says what is up and which data is served", async ({ page }) => {
    await page.goto("/status");
    await expect(page.getByRole("main")).toContainText("All systems operational");
    await expect(page.getByRole("table", { name: "Parts of the service" }).getByRole("row")).toHaveCount(4);
    await expect(page.getByRole("main")).toContainText(/\d+ datasets/);
  });

  test("search and filters are links and forms whose state is the address", async ({ page }) => {
    await page.goto("/datasets?sort=title");
    const titles = await page.getByRole("main").getByRole("article").getByRole("heading").allTextContents();
    expect(titles.length).toBeGreaterThan(5);
    expect([...titles].sort((a, b) => a.toLowerCase().localeCompare(b.toLowerCase(), "en"))).toEqual(titles);
  });
});

test("the snippet for curl on a dataset page works when it is pasted", async ({ page, request }) => {
  await page.goto("/datasets/mauna-loa-co2");
  const code = (await page.locator("pre", { hasText: "curl" }).first().textContent()) ?? "";
  const address = /https?:\/\/\S+?\/query/.exec(code)?.[0] ?? "";
  const body = /(?:-d|--data(?:-raw)?|--json) '([\s\S]*?)'(?:\s|$)/.exec(code)?.[1] ?? "";
  const reply = await request.post(address, {
    data: Buffer.from(body.replaceAll("'\\''", "'")),
    headers: { "content-type": "application/json" },
  });
  expect(reply.status()).toBe(200);
  expect((await reply.json()).rows.length).toBeGreaterThan(0);
});

test("the dataset page carries schema.org metadata with the real address and licence", async ({ page }) => {
  await page.goto("/datasets/mauna-loa-co2");
  const metadata = JSON.parse((await page.locator('script[type="application/ld+json"]').first().textContent()) ?? "{}");
  expect(metadata).toMatchObject({ "@type": "Dataset", url: expect.stringContaining("/datasets/mauna-loa-co2") });
});

test("pages may be kept by shared caches, failures by none", async ({ request }) => {
  expect((await request.get("/datasets/mime-types")).headers()["cache-control"]).toContain("s-maxage");
  for (const address of ["/datasets/no-such-dataset", "/no-such-page"]) {
    const reply = await request.get(address);
    expect([reply.status(), reply.headers()["cache-control"]]).toEqual([404, "no-store"]);
  }
});
