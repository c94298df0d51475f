import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { NONCE_HEADER, routeHeaders } from "./security-headers";

const PLAIN = { PARQUETRY_BASE_URL: "http://localhost:3000" };
const SECURE = { PARQUETRY_BASE_URL: "https://data.example.org" };

describe("transport", () => {
  test.each(["/", "/settings", "/api/v2/public/datasets", "/_next/static/x.js", "/healthz"])(
    "%s has HSTS if the public URL is HTTPS",
    (path) => {
      expect(routeHeaders(path, SECURE).reply["Strict-Transport-Security"]).toBe("max-age=63072000");
      expect(routeHeaders(path, PLAIN).reply).not.toHaveProperty("Strict-Transport-Security");
      expect(routeHeaders(path, {}).reply).not.toHaveProperty("Strict-Transport-Security");
    },
  );

  test("pages of an HTTPS URL upgrade insecure requests; others do not", () => {
    expect(routeHeaders("/", SECURE).reply["Content-Security-Policy"]).toMatch(/; upgrade-insecure-requests$/);
    expect(routeHeaders("/", PLAIN).reply["Content-Security-Policy"]).not.toContain("upgrade");
  });
});

describe("pages", () => {
  test("each reply has its own nonce, which is also set on its request", () => {
    const nonces = Array.from({ length: 50 }, () => routeHeaders("/docs", PLAIN));
    for (const { reply, request } of nonces) {
      expect(request[NONCE_HEADER]).toMatch(/^[A-Za-z0-9+/]{24}$/);
      expect(request["content-security-policy"]).toBe(reply["Content-Security-Policy"]);
      expect(reply["Content-Security-Policy"]).toContain(
        `script-src 'self' 'nonce-${request[NONCE_HEADER]}' 'strict-dynamic'`,
      );
    }
    expect(new Set(nonces.map(({ request }) => request[NONCE_HEADER])).size).toBe(50);
  });

  test.each([
    "/datasets/x/y/llms.txt",
    "/datasets/x/y/card.png",
    "/anything/llms.txt",
    "/a/card.png",
    "/x/versions.atom",
    "/datasets/x/versions/y/z/cite.bib",
    "/_next/anything",
    "/_next/image",
    "/icon-99999.png",
    "/.well-known/anything",
    "/.well-known/mcp.json/x",
    "/docs/a/b/c.md",
  ])("%s is not a document or asset, and counts as a page", (path) => {
    expect(routeHeaders(path, PLAIN)).toMatchObject({ isPage: true, request: { [NONCE_HEADER]: expect.any(String) } });
  });

  test.each([
    ["/_next/static/x", "/%5fnext/static/x"],
    ["/readyz", "/%72eadyz"],
    ["/api/v2/x", "/%61pi/v2/x"],
  ])("%s is a page if sent as %s, which the framework routes by", (path, sent) => {
    expect(routeHeaders(path, PLAIN).isPage).toBe(false);
    expect(routeHeaders(path, PLAIN, sent).isPage).toBe(true);
  });

  test("every document with a route is a document", () => {
    const folder = join(import.meta.dirname, "../../app");
    const paths = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => /(?:^|\/)route\.ts$/.test(name) && !name.startsWith("api/") && !/\[\.\.\./.test(name))
      .map((name) => `/${name.replace(/\/route\.ts$/, "").replaceAll(/\[[^\]]+\]/g, "x")}`)
      .filter((path) => /\.[a-z]+$|^\/\.well-known/.test(path));
    expect(paths.length).toBeGreaterThan(10);
    expect(paths.filter((path) => routeHeaders(path, PLAIN).isPage)).toEqual([]);
  });

  test.each(["/docs.md", "/docs/query.md", "/docs/api/get-dataset.md"])("%s is a document, not a page", (path) => {
    expect(routeHeaders(path, PLAIN).isPage).toBe(false);
  });

  test.each([
    "/",
    "/docs",
    "/docs/x",
    "/datasets",
    "/datasets/x/versions",
    "/datasets/x/versions/1",
    "/datasets/x/y",
    "/datasets/x/y/rows/1",
    "/topics/x",
    "/publishers/x",
  ])("%s may be stored by shared caches", (path) => {
    expect(routeHeaders(path, PLAIN).reply["Cache-Control"]).toContain("s-maxage=60");
  });

  test.each([
    "/settings",
    "/datasets/x/y/download",
    "/datasets/x/y/d%6Fwnload",
    "/sign-in",
    "/a-page-nobody-has-thought-of",
    "/docsx",
    "/datasetsx",
    "/Datasets",
    "//docs",
    "/settings/datasets",
    "/api-keys",
  ])("%s is a personal page: never cached", (path) => {
    expect(routeHeaders(path, PLAIN).reply).toMatchObject({
      "Cache-Control": "no-store",
      "X-Frame-Options": "DENY",
      "Referrer-Policy": "same-origin",
    });
  });
});

test("account routes are same-origin and never cached; the API sets its own caching", () => {
  for (const path of ["/api/auth/session", "/api/account/keys", "/api/account", "/api/stripe/webhook"]) {
    expect(routeHeaders(path, PLAIN).reply).toMatchObject({
      "Cache-Control": "no-store",
      "Cross-Origin-Resource-Policy": "same-origin",
    });
  }
  for (const path of ["/api/v2/public/datasets", "/api/accounts", "/api/authx"]) {
    expect(routeHeaders(path, PLAIN).reply).toMatchObject({ "Cross-Origin-Resource-Policy": "cross-origin" });
    expect(routeHeaders(path, PLAIN).reply).not.toHaveProperty("Cache-Control");
  }
});

test("anything but a page gets no nonce and a policy that forbids scripts", () => {
  for (const path of [
    "/api/x",
    "/_next/static/x.js",
    "/llms-full.txt",
    "/datasets/x/llms.txt",
    "/.well-known/security.txt",
    "/healthz",
  ]) {
    const { reply, request } = routeHeaders(path, SECURE);
    expect(request).toEqual({});
    expect(reply["Content-Security-Policy"]).toMatch(/^default-src 'none';/);
    expect(reply["Content-Security-Policy"]).not.toContain("script-src");
  }
});

test("other sites can frame only embedded views, where no script can run", () => {
  const { reply, request } = routeHeaders("/embed/flights/flights", SECURE);
  expect(reply["Content-Security-Policy"]).toMatch(
    /^default-src 'none'; style-src 'self'; font-src 'self'; .*frame-ancestors \*$/,
  );
  expect(reply).not.toHaveProperty("X-Frame-Options");
  expect(request).toEqual({});
  for (const path of [
    "/embed",
    "/embed/x",
    "/embed/style.css",
    "/embed/inter.woff2",
    "/embed/x/y/z",
    "/embedded/x/y",
    "/datasets/embed/x",
    "/",
  ]) {
    expect(routeHeaders(path, SECURE).reply["Content-Security-Policy"]).toContain("frame-ancestors 'none'");
  }
});
