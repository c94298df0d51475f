import { get } from "node:http";
import { text } from "node:stream/consumers";
import { type APIResponse, expect } from "@playwright/test";
import { tableOf } from "./catalogue";
import { watchPolicy } from "./policy-watch";
import { readerKey } from "./service";
import { test } from "./test";

const DATA_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const PERSONAL = [
  "/settings",
  "/settings/access",
  "/settings/secrets",
  "/settings/workspace",
  "/sign-in",
  "/sign-up",
  "/device",
  "/no-such-page",
];
const PAGES = [
  "/",
  "/datasets",
  "/datasets?q=co2",
  "/datasets/us-flights-2001",
  "/datasets/bird-strikes",
  "/datasets/mime-types/versions",
  "/docs",
];

test.describe("headers of every kind of reply", () => {
  const nonceOf = (reply: APIResponse) =>
    /'nonce-([A-Za-z0-9+/]{24})'/.exec(reply.headers()["content-security-policy"] ?? "")?.[1];

  for (const address of [...PAGES, ...PERSONAL]) {
    test(`page ${address}: a strict policy with its own nonce, no frames, no permissions`, async ({ request }) => {
      const [reply, again] = [await request.get(address), await request.get(address)];
      const headers = reply.headers();
      const policy = (headers["content-security-policy"] ?? "").split("; ");
      expect(policy).toEqual(
        expect.arrayContaining([
          "default-src 'none'",
          "frame-ancestors 'none'",
          "base-uri 'none'",
          "object-src 'none'",
          "style-src-attr 'none'",
        ]),
      );
      expect(policy.join()).not.toMatch(/unsafe|https?:|\*/);
      expect(headers).toMatchObject({
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "cross-origin-opener-policy": "same-origin",
      });
      expect(headers).toMatchObject({
        "cross-origin-resource-policy": "same-origin",
        "permissions-policy": expect.stringContaining("camera=()"),
      });
      expect(nonceOf(reply)).toBeDefined();
      expect(nonceOf(reply)).not.toBe(nonceOf(again));
      const inline = [...(await reply.text()).matchAll(/<script(?![^>]*ld\+json)[^>]*>/g)].map(([tag]) => tag);
      expect(inline.length).toBeGreaterThan(2);
      for (const tag of inline) expect(tag).toContain(`nonce="${nonceOf(reply)}"`);
    });
  }

  test("no client can choose the nonce of a page", async ({ request }) => {
    const policy = "script-src 'nonce-chosenchosenchosen'";
    for (const name of ["content-security-policy", "content-security-policy-report-only", "x-parquetry-nonce"]) {
      const value = name.startsWith("x-") ? "chosenchosenchosen" : policy;
      expect(await (await request.get("/docs", { headers: { [name]: value } })).text()).not.toContain(
        "chosenchosenchosen",
      );
    }
  });

  test("no URL in a reply comes from the request's Host header", async ({ baseURL }) => {
    const paths = [
      "/",
      "/docs",
      "/datasets/mime-types",
      "/sign-in",
      "/settings",
      "/api/v2/public/datasets",
      "/api/auth/providers",
      "/llms-full.txt",
      "/datasets//",
    ];
    for (const path of paths) {
      for (const headers of [
        { host: "evil.example" },
        { host: "localhost", "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" },
      ]) {
        expect([path, await wholeReply(`${baseURL}${path}`, headers)]).toEqual([
          path,
          expect.not.stringContaining("evil.example"),
        ]);
      }
    }
  });

  test("personal pages and routes are never cached, catalogue pages by shared caches for a minute", async ({
    request,
  }) => {
    for (const address of [...PERSONAL, "/api/account/anything", "/api/auth/session", "/healthz", "/readyz"]) {
      expect([address, (await request.get(address)).headers()["cache-control"]]).toEqual([address, "no-store"]);
    }
    for (const address of PAGES)
      expect((await request.get(address)).headers()["cache-control"]).toBe(
        "public, max-age=0, s-maxage=60, must-revalidate",
      );
  });

  test("replies that are not pages run nothing, and are open to other sites only if public", async ({ request }) => {
    const { tableId } = await tableOf(request, "mauna-loa-co2");
    const current = `/api/v2/public/tables/${tableId}/current`;
    const key = { "x-api-key": readerKey() };
    const schema = `/api/v2/public/tables/${tableId}/schema`;
    const etag = (await request.get(schema)).headers().etag ?? "";
    const style = /"(\/_next\/static\/[^"]+\.css)"/.exec(await (await request.get("/docs")).text())?.[1] ?? "";
    const replies: readonly [kind: string, status: number, site: string, reply: APIResponse][] = [
      ["API reply", 200, "cross-origin", await request.get(schema)],
      ["304", 304, "cross-origin", await request.get(schema, { headers: { "if-none-match": etag } })],
      ["API error", 404, "cross-origin", await request.get("/api/nothing")],
      ["preflight", 204, "cross-origin", await request.fetch(schema, { method: "OPTIONS" })],
      [
        "query",
        200,
        "cross-origin",
        await request.post(`/api/public/tables/${tableId}/query`, { data: { columns: ["CO2"], limit: 1 } }),
      ],
      ["download", 200, "cross-origin", await request.get(current, { headers: key })],
      ["range", 206, "cross-origin", await request.get(current, { headers: { ...key, range: "bytes=0-3" } })],
      ["rejected key", 401, "cross-origin", await request.get(current)],
      ["listener's rejection", 405, "cross-origin", await request.fetch("/api/nothing", { method: "PROPFIND" })],
      ["text", 200, "cross-origin", await request.get("/datasets/mime-types/llms.txt")],
      ["account route", 404, "same-origin", await request.get("/api/account/nothing")],
      ["asset", 200, "same-origin", await request.get(style)],
      ["icon", 200, "same-origin", await request.get("/icon.svg")],
      ["probe", 200, "same-origin", await request.get("/healthz")],
    ];
    for (const [kind, status, site, reply] of replies) {
      const headers = reply.headers();
      expect([kind, reply.status(), headers["cross-origin-resource-policy"]]).toEqual([kind, status, site]);
      expect([kind, headers["x-content-type-options"]]).toEqual([kind, "nosniff"]);
      if (status !== 304) expect([kind, headers["content-security-policy"]]).toEqual([kind, DATA_POLICY]);
      expect([kind, headers["access-control-allow-origin"]]).toEqual([kind, site === "cross-origin" ? "*" : undefined]);
    }
  });
});

/** Head and body of the reply to a request with any Host header, which fetch would not send. */
function wholeReply(url: string, headers: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = get(url, { headers }, async (reply) =>
      resolve(JSON.stringify(reply.rawHeaders) + (await text(reply))),
    );
    request.on("error", reject);
  });
}

test("security.txt and the docs name the contact for reporting a vulnerability", async ({ page, request }) => {
  const reply = await request.get("/.well-known/security.txt");
  expect([reply.status(), reply.headers()["content-type"]]).toEqual([200, "text/plain; charset=utf-8"]);
  expect(await reply.text()).toMatch(/^Contact: mailto:security@example\.org\nExpires: \d{4}-\d\d-\d\dT00:00:00Z\n/);
  await page.goto("/docs/accounts#security");
  await expect(page.getByRole("link", { name: "security@example.org" })).toHaveAttribute(
    "href",
    "mailto:security@example.org",
  );
});

test.describe("in a browser", () => {
  test("no page breaks its policy, whether opened directly or by links", async ({ page }) => {
    const held = await watchPolicy(page);
    for (const address of [...PAGES, ...PERSONAL]) {
      await page.goto(address);
      await page.waitForLoadState("networkidle");
      await page.getByRole("button", { name: /^Theme: system/ }).click(); // the page is hydrated, so its scripts ran
      await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
      await page.evaluate(() => localStorage.clear());
    }
    await page.goto("/");
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Datasets" }).click();
    await page.getByRole("article").first().getByRole("link").first().click();
    await expect(page).toHaveURL(/\/datasets\/[a-z0-9-]+$/);
    await page.waitForLoadState("networkidle");
    expect(held).toEqual([]);
  });

  test("a chosen theme applies before the first paint, by our only inline script", async ({ page }) => {
    await page.goto("/docs");
    await page.evaluate(() => localStorage.setItem("theme", "dark"));
    await page.reload({ waitUntil: "commit" });
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  });

  test("copy buttons may write to the clipboard", async ({ page, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const held = await watchPolicy(page);
    await page.goto("/datasets/mauna-loa-co2");
    await page.getByRole("button", { name: /^Copy/ }).first().click();
    await expect(page.getByTitle("Copied")).toBeVisible();
    expect(held).toEqual([]);
  });

  test.describe("injection", () => {
    test.use({ mayBreakPolicy: true });

    test("anything injected into a page that is cached for all readers does not run", async ({ page }) => {
      const attempts = [
        "<script>window.ran = 'inline'</script>",
        "<script nonce='AAAAAAAAAAAAAAAAAAAAAAAA'>window.ran = 'wrong nonce'</script>",
        "<script src='/icon.svg'></script>",
        "<script src='https://evil.example/x.js'></script>",
        "<script src='data:text/javascript,window.ran=1'></script>",
        "<img src='/nothing' onerror=\"window.ran = 'handler'\" alt=''>",
        "<a id='link' href=\"javascript:window.ran='link'\">x</a>",
        "<iframe srcdoc=\"<script>parent.ran = 'frame'</script>\"></iframe>",
        "<iframe src='/icon.svg'></iframe>",
        "<object data='/icon.svg'></object>",
        "<style>body { outline: 3px solid red }</style>",
        "<p id='styled' style='outline: 3px solid red'>x</p>",
        "<base href='https://evil.example/'>",
      ];
      await page.route("**/docs", async (route) => {
        const reply = await route.fetch();
        await route.fulfill({
          response: reply,
          body: (await reply.text()).replace("<main", `${attempts.join("")}<main`),
        });
      });
      const held = await watchPolicy(page);
      await page.goto("/docs");
      await page.locator("#link").evaluate((link: HTMLElement) => link.click());
      await expect.poll(() => held.length).toBeGreaterThan(9);
      expect(await page.evaluate(() => (window as { ran?: string }).ran)).toBeUndefined();
      for (const place of ["body", "#styled"])
        expect(await page.locator(place).evaluate((element) => getComputedStyle(element).outlineStyle)).toBe("none");
      expect(await page.evaluate(() => document.baseURI)).toMatch(/\/docs$/);
      const blocked = new Set(held.map((what) => what.split(" ")[0]));
      for (const directive of [
        "script-src-elem",
        "script-src-attr",
        "style-src-elem",
        "style-src-attr",
        "frame-src",
        "object-src",
        "base-uri",
      ])
        expect(blocked).toContain(directive);
    });
  });

  test("no other site can frame a page", async ({ page, baseURL }) => {
    await page.route("http://other.example/", (route) =>
      route.fulfill({ contentType: "text/html", body: `<iframe src="${baseURL}/docs"></iframe>` }),
    );
    await page.goto("http://other.example/");
    await page.waitForLoadState("networkidle");
    const texts = await Promise.all(
      page.frames().map((frame) =>
        frame
          .locator("body")
          .textContent()
          .catch(() => ""),
      ),
    );
    expect(page.frames()).toHaveLength(2);
    expect(texts.join()).not.toContain("Quick start");
  });
});
