import { expect } from "@playwright/test";
import { expectAccessible } from "./accessibility";
import { otherSite } from "./other-site";
import { test } from "./test";

const CHART =
  "/embed/us-flights-2001/flights?group=origin&agg=count::flights&sort=-flights&limit=10&chart=bar:origin:flights";
const ROWS = "/embed/palmer-penguins/penguins?limit=5";

test.describe("every other page", () => {
  test.use({ mayBreakPolicy: true });
  test("is rejected in a frame by the headers that headers.spec.ts finds on all of them", async ({ page, baseURL }) => {
    const site = await otherSite();
    await page.goto(site.url(`<iframe src="${baseURL}/datasets/us-flights-2001/flights"></iframe>`));
    const framed = page.frames()[1];
    await expect.poll(() => framed?.url()).toMatch(/^chrome-error:/);
    site.close();
  });
});

test("a frame has a policy under which nothing runs, and is cached by shared caches", async ({ request }) => {
  const reply = await request.get(ROWS);
  const headers = reply.headers();
  expect(headers["x-frame-options"]).toBeUndefined();
  expect(headers["content-security-policy"]).toBe(
    "default-src 'none'; style-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors *",
  );
  expect(headers["cache-control"]).toContain("public");
  expect(headers["set-cookie"]).toBeUndefined();
  const html = await reply.text();
  expect(html).not.toContain("<script");
  expect(html).toContain("First 5 of 344 rows");
  expect(await (await request.get(`${ROWS}&filter=Species:eq:Adelie`)).text()).toContain("First 5 of 152 rows");
  const again = await request.get(ROWS, { headers: { "if-none-match": headers.etag ?? "" } });
  expect(again.status()).toBe(304);
});

test("a frame's typeface is its service's own, also for frames without an origin", async ({
  page,
  request,
  baseURL,
}) => {
  const site = await otherSite();
  const styles = await (await request.get("/embed/style.css")).text();
  const [font = ""] = /\/embed\/inter\.woff2\?v=\w+/.exec(styles) ?? [];
  const reply = await request.get(font);
  expect([reply.status(), reply.headers()["access-control-allow-origin"], reply.headers()["cache-control"]]).toEqual([
    200,
    "*",
    "public, max-age=31536000, immutable",
  ]);
  const loaded = page.waitForResponse((response) => response.url().endsWith(font) && response.ok());
  await page.setViewportSize({ width: 1300, height: 600 });
  await page.goto(site.url(`<iframe sandbox width="1200" height="480" src="${baseURL}${CHART}"></iframe>`));
  await loaded;
  const width = await page
    .frameLocator("iframe")
    .locator("svg.chart-svg:visible")
    .evaluate((svg) => svg.clientWidth);
  expect(width).toBe(1168);
  site.close();
});

test.describe("without script", () => {
  test.use({ javaScriptEnabled: false });
  for (const address of [CHART, ROWS]) {
    test(`${address.slice(0, 40)} is accessible in each theme, and on a phone`, async ({ page }) => {
      const rejected: string[] = [];
      page.on("console", (message) => message.type() === "error" && rejected.push(message.text()));
      await page.setViewportSize({ width: 360, height: 600 });
      for (const theme of ["light", "dark", "auto"]) {
        await page.goto(`${address}&theme=${theme}`);
        expect(await page.locator("body").evaluate((body) => body.scrollWidth)).toBeLessThanOrEqual(360);
      }
      await expect(page.getByRole("link", { name: "Explore on Parquetry" })).toHaveAttribute(
        "href",
        /\/datasets\/.+\?/,
      );
      expect(rejected).toEqual([]);
    });
  }

  test("a map with its own title and caption shows land, and fits 320 pixels", async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 600 });
    await page.goto("/embed/earthquakes-2018/events?chart=map:longitude:latitude&title=Quakes&note=In+one+week.");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Quakes");
    await expect(page.getByText("In one week.")).toBeVisible();
    await expect(page.locator(".map-land").first()).toHaveAttribute("d", /^M/);
    expect(await page.locator("body").evaluate((body) => body.scrollWidth)).toBeLessThanOrEqual(320);
  });
});

for (const address of [CHART, ROWS, "/embed/palmer-penguins/penguins?columns=nothing"]) {
  test(`axe finds nothing in ${address.slice(0, 60)}`, async ({ page }) => {
    await page.goto(address); // the theme is the system's
    await expectAccessible(page);
  });
}

test("an invalid URL is explained in the frame, and the reply is not cached", async ({ page }) => {
  const reply = await page.goto("/embed/palmer-penguins/penguins?columns=Specie");
  expect(reply?.status()).toBe(400);
  expect(reply?.headers()["cache-control"]).toBe("no-store");
  await expect(page.getByRole("main")).toContainText('Did you mean "Species"?');
  expect((await page.goto("/embed/no-such-dataset/x"))?.status()).toBe(404);
  await expect(page.getByRole("heading")).toContainText("Table not found");
});

test("a repeated frame costs nobody else a query", async ({ request, baseURL }) => {
  const address = `${ROWS}&filter=Species:eq:Adelie`;
  const first = await (await request.get(address)).text();
  const [one, two] = await Promise.all([
    request.get(`${baseURL}${address}&theme=dark`),
    request.get(`${baseURL}${address}&theme=light`),
  ]);
  expect(await one?.text()).toContain("Adelie");
  expect((await two?.text())?.replace(' data-theme="light"', "")).toBe(first);
});
