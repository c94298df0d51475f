import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "@playwright/test";
import { expectAccessible } from "./accessibility";
import { test } from "./test";

const CHART =
  "/embed/us-flights-2001/flights?group=origin&agg=count::flights&sort=-flights&limit=10&chart=bar:origin:flights";
const ROWS = "/embed/palmer-penguins/penguins?limit=5";

/** Somebody else's site: a page that frames whatever its query names. */
function otherSite(): Promise<{ server: Server; url: (framed: string) => string }> {
  const server = createServer((request, response) => {
    const framed = new URL(request.url ?? "/", "http://x").searchParams.get("framed") ?? "";
    response.writeHead(200, { "content-type": "text/html" });
    response.end(
      `<!doctype html><title>Another site</title><iframe title="framed" width="700" height="500" ` +
        `src="${framed.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"></iframe>`,
    );
  });
  return new Promise((resolve) =>
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      resolve({ server, url: (framed) => `http://127.0.0.1:${port}/?framed=${encodeURIComponent(framed)}` });
    }),
  );
}

test.describe("in another site's page", () => {
  let site: Awaited<ReturnType<typeof otherSite>>;
  test.beforeAll(async () => {
    site = await otherSite();
  });
  test.afterAll(() => {
    site.server.close();
  });

  test("a chart is shown with its source, and sets no cookie", async ({ page, baseURL }) => {
    await page.goto(site.url(`${baseURL}${CHART}`));
    const frame = page.frameLocator("iframe");
    await expect(frame.getByRole("heading", { level: 1 })).toContainText("flights");
    await expect(
      frame.getByRole("img", { name: "Bar chart: flights by origin" }).filter({ visible: true }),
    ).toBeVisible();
    await expect(frame.getByRole("contentinfo")).toContainText("sha256:");
    expect(await page.context().cookies()).toEqual([]);
  });

  test.describe("every other page", () => {
    test.use({ mayBreakPolicy: true });
    test("is rejected by what headers.spec.ts finds on all of them", async ({ page, baseURL }) => {
      await page.goto(site.url(`${baseURL}/datasets/us-flights-2001/flights`));
      const framed = page.frames()[1];
      await expect.poll(() => framed?.url()).toMatch(/^chrome-error:/);
    });
  });
});

test("a frame has a policy under which nothing runs, and is kept by shared caches", async ({ request }) => {
  const reply = await request.get(ROWS);
  const headers = reply.headers();
  expect(headers["x-frame-options"]).toBeUndefined();
  expect(headers["content-security-policy"]).toBe(
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors *",
  );
  expect(headers["cache-control"]).toContain("public");
  expect(headers["set-cookie"]).toBeUndefined();
  const html = await reply.text();
  expect(html).not.toContain("<script");
  expect(html).toContain("First 5 of 344 rows");
  const again = await request.get(ROWS, { headers: { "if-none-match": headers.etag ?? "" } });
  expect(again.status()).toBe(304);
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
});

for (const address of [CHART, ROWS, "/embed/palmer-penguins/penguins?columns=nothing"]) {
  test(`axe finds nothing in ${address.slice(0, 60)}`, async ({ page }) => {
    await page.goto(address); // the theme is the system's
    await expectAccessible(page);
  });
}

test("what is wrong with an address is said in the frame, and kept by nothing", async ({ page }) => {
  const reply = await page.goto("/embed/palmer-penguins/penguins?columns=Specie");
  expect(reply?.status()).toBe(400);
  expect(reply?.headers()["cache-control"]).toBe("no-store");
  await expect(page.getByRole("main")).toContainText('Did you mean "Species"?');
  expect((await page.goto("/embed/no-such-dataset/x"))?.status()).toBe(404);
  await expect(page.getByRole("heading")).toContainText("Table not found");
});

test("what was asked once costs nobody else a query", async ({ request, baseURL }) => {
  const address = `${ROWS}&filter=Species:eq:Adelie`;
  const first = await (await request.get(address)).text();
  const [one, two] = await Promise.all([
    request.get(`${baseURL}${address}&theme=dark`),
    request.get(`${baseURL}${address}&theme=light`),
  ]);
  expect(await one?.text()).toContain("Adelie");
  expect((await two?.text())?.replace(' data-theme="light"', "")).toBe(first);
});

test("the explorer hands out HTML that shows the same view", async ({ page, baseURL }) => {
  await page.goto("/datasets/palmer-penguins/penguins?filter=Species:eq:Gentoo");
  await page.getByRole("button", { name: "Embed" }).click();
  await page.getByRole("combobox", { name: "Theme" }).selectOption("dark");
  const code = await page.getByRole("textbox", { name: "HTML" }).inputValue();
  const source = /src="([^"]+)"/.exec(code)?.[1]?.replaceAll("&amp;", "&") ?? "";
  expect(source).toBe(`${baseURL}/embed/palmer-penguins/penguins?filter=Species:eq:Gentoo&theme=dark`);
  await page.goto(source);
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(page.getByRole("cell", { name: "Gentoo" }).first()).toBeVisible();
});
