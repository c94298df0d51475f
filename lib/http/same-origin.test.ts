import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertyParameters } from "@/lib/testing/property";
import { rejectForeignOrigin, requireOwnPage, safeCallback } from "./same-origin";

const ORIGIN = "https://data.example.org";

describe("calls from other sites", () => {
  const COOKIE = { cookie: "__Host-session=1" };
  const rejectionOf = (method: string, headers: Record<string, string>) => {
    try {
      rejectForeignOrigin({ method, headers: new Headers(headers) }, ORIGIN);
      return null;
    } catch (rejection) {
      return (rejection as { code?: string }).code;
    }
  };

  test.each([
    ["our own page's", { origin: ORIGIN, "sec-fetch-site": "same-origin", ...COOKIE }],
    ["our own page's, in a browser without Sec-Fetch-Site", { origin: ORIGIN, ...COOKIE }],
    ["our own page's, in a browser that left Origin out", { "sec-fetch-site": "same-origin", ...COOKIE }],
    ["the address bar's", { "sec-fetch-site": "none", ...COOKIE }],
    ["a program's, without cookies", { "x-api-key": "svc_use_key" }],
    ["a program's, without any header", {}],
  ])("%s is accepted", (_whose, headers) => {
    expect(rejectionOf("POST", headers)).toBeNull();
  });

  test.each([
    ["another site's", { origin: "https://evil.example", "sec-fetch-site": "cross-site", ...COOKIE }],
    ["another site's without cookies", { origin: "https://evil.example" }],
    ["a sibling host's", { origin: "https://www.example.org", "sec-fetch-site": "same-site", ...COOKIE }],
    ["a sibling host's that left Origin out", { "sec-fetch-site": "same-site", ...COOKIE }],
    ["another port's", { origin: `${ORIGIN}:8443`, ...COOKIE }],
    ["another scheme's", { origin: "http://data.example.org", ...COOKIE }],
    ["an opaque origin's", { origin: "null", "sec-fetch-site": "same-origin", ...COOKIE }],
    ["an empty origin's", { origin: "", ...COOKIE }],
    ["one that names our origin as a prefix", { origin: `${ORIGIN}.evil.example`, ...COOKIE }],
    ["one that names two origins", { origin: `${ORIGIN}, https://evil.example`, ...COOKIE }],
    ["one redirected through another site", { origin: ORIGIN, "sec-fetch-site": "cross-site", ...COOKIE }],
    ["one that says an unknown site", { origin: ORIGIN, "sec-fetch-site": "somewhere", ...COOKIE }],
    ["one with cookies that says neither", COOKIE],
  ])("%s is rejected", (_whose, headers) => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "QUERY", "post"])
      expect(rejectionOf(method, headers)).toBe("forbidden_origin");
  });

  test.each([
    ["a link of our own page", { "sec-fetch-site": "same-origin", ...COOKIE }, null],
    ["the address bar", { "sec-fetch-site": "none", ...COOKIE }, null],
    ["our own page, in a browser without Sec-Fetch-Site", { referer: `${ORIGIN}/datasets/x`, ...COOKIE }, null],
    ["a program without cookies", {}, null],
    ["a link of another site", { "sec-fetch-site": "cross-site", ...COOKIE }, "forbidden_origin"],
    ["a link of a sibling host", { "sec-fetch-site": "same-site", ...COOKIE }, "forbidden_origin"],
    ["a link of another site, by its Referer", { referer: "https://evil.example/", ...COOKIE }, "forbidden_origin"],
    ["a Referer that only begins like ours", { referer: `${ORIGIN}.evil.example/`, ...COOKIE }, "forbidden_origin"],
    [
      "a redirect over another site",
      { "sec-fetch-site": "cross-site", referer: `${ORIGIN}/`, ...COOKIE },
      "forbidden_origin",
    ],
    ["a page that hides its origin", COOKIE, "forbidden_origin"],
  ])("a read for own pages only, from %s: %o → %s", (_whose, headers, expected) => {
    for (const method of ["GET", "HEAD"]) {
      const ask = () => requireOwnPage({ method, headers: new Headers(headers as Record<string, string>) }, ORIGIN);
      if (expected === null) expect(ask).not.toThrow();
      else expect(ask).toThrow(expect.objectContaining({ code: expected }));
    }
  });

  test("reading is open to every site", () => {
    for (const method of ["GET", "HEAD", "OPTIONS"])
      expect(rejectionOf(method, { origin: "https://evil.example", "sec-fetch-site": "cross-site" })).toBeNull();
  });
});

describe("callback addresses", () => {
  test.each([
    ["/settings/access", "/settings/access"],
    ["/datasets?q=a%20b&sort=title#top", "/datasets?q=a%20b&sort=title#top"],
    [`${ORIGIN}/settings`, "/settings"],
    [ORIGIN, "/"],
    [`${ORIGIN}/`, "/"],
    ["/datasets/caf%C3%A9", "/datasets/caf%C3%A9"],
    ["/search?next=https://evil.example", "/search?next=https://evil.example"],
    ["/a@b", "/a@b"],
    ["/sign-in?callbackUrl=%2Fsettings", "/sign-in?callbackUrl=%2Fsettings"],
  ])("%s leads to %s", (text, path) => {
    expect(safeCallback(text, ORIGIN)).toBe(path);
  });

  // biome-ignore format: a list of attempts reads best in lines of its own length
  test.each([
    "", "settings", "./settings", "?q=1", "#top",
    "//evil.example", "///evil.example", "/\\evil.example", "\\\\evil.example", "/\\/evil.example", "\\/evil.example",
    "https://evil.example", "http:evil.example", "https:/evil.example", "https:evil.example", "HTTPS://EVIL.EXAMPLE/", "http://data.example.org/",
    `${ORIGIN}.evil.example/`, `${ORIGIN}@evil.example/`, `${ORIGIN}:443@evil.example/`, `${ORIGIN}:8443/`, "https://user@data.example.org/", "https://user:word@data.example.org/",
    "javascript:alert(1)", "JavaScript:alert(1)", "java\tscript:alert(1)", " javascript:alert(1)", "data:text/html,x", "vbscript:x", "blob:https://data.example.org/x", "file:///etc/passwd",
    "/%2Fevil.example", "/%2f%2fevil.example", "/%5Cevil.example", "/%5c%5cevil.example", "/%252Fevil.example", "/%25252Fevil.example", "%2F%2Fevil.example",
    "/%09/evil.example", "/\t/evil.example", "/\n/evil.example", "/\r\nSet-Cookie: a=b", "/%0d%0aSet-Cookie:%20a=b", "/a\u0000b", "/a%00b", "/\u0085/evil.example", "/\u2028/evil.example",
    "/.//evil.example", "/..//evil.example", "/a/..//evil.example", "/%2e%2e//evil.example", "/a/%2e%2e/%2fevil.example", "/a%2f..%2f..%2f/evil.example",
    "/api/auth/signout", "/API/auth/signout", "/%61pi/auth/signout", "/api", "/./api/account",
    "/%", "/%zz", "/%ff", "//", "/\\", "https://", "https://[", "://evil.example", "/;@evil.example/..//x",
  ])("%j leads home", (text) => {
    expect(safeCallback(text, ORIGIN)).toBe("/");
  });

  test("an empty and an overlong address lead home", () => {
    expect(safeCallback(`/${"a".repeat(3000)}`, ORIGIN)).toBe("/");
    expect(safeCallback(undefined, ORIGIN)).toBe("/");
    expect(safeCallback(null, ORIGIN)).toBe("/");
  });

  // biome-ignore format: a list of pieces reads best in lines of its own length
  const PIECES = [
    "/", "\\", "//", ".", "..", "%2f", "%5c", "%09", "%25", "\t", "\n", "@", ":", "?", "#", ";", "evil.example", "https:", "javascript:", "data.example.org", ORIGIN, "%", "a",
  ];

  test("no text leads to another site, from any of our pages", () => {
    const built = fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((pieces) => pieces.join(""));
    const text = fc.oneof(built, fc.string({ unit: "binary" }), fc.webUrl(), fc.webPath());
    fc.assert(fc.property(text, expectOurs), propertyParameters(5000));
  });
});

function expectOurs(text: string): void {
  const path = safeCallback(text, ORIGIN);
  expect(path).toMatch(/^\/(?![/\\])[\x21-\x7e]*$/);
  for (const page of [`${ORIGIN}/`, `${ORIGIN}/settings/access?x=1`]) expect(new URL(path, page).origin).toBe(ORIGIN);
}
