import { describe, expect, test } from "vitest";
import { fail } from "@/lib/kernel/errors";
import { useEchoingListener } from "@/lib/testing/echoing-listener";

const echoing = useEchoingListener();
const { get } = echoing;

describe("pages", () => {
  test("over the limit they are rejected before any work, while the API and assets continue", async () => {
    echoing.pagesMax = echoing.pagesOf.length + 1;
    expect((await get("/datasets?q=x")).status).toBe(200);
    const before = echoing.handled;
    const rejected = await get("/datasets?q=x");
    expect([
      rejected.status,
      rejected.headers.get("retry-after"),
      rejected.headers.get("content-type"),
      echoing.handled,
    ]).toEqual([429, "7", "text/plain; charset=utf-8", before]);
    const others = await Promise.all(["/api/x", "/_next/static/x.js", "/healthz"].map((path) => get(path)));
    expect(others.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(echoing.pagesOf.at(-1)).toBe("127.0.0.1");
    echoing.pagesMax = Number.POSITIVE_INFINITY;
  });

  test.each(["/anything/llms.txt", "/_next/anything", "/.well-known/anything", "/%5fnext/static/x.js", "/%61pi/v2/x"])(
    "%s is counted as a page",
    async (path) => {
      const before = echoing.pagesOf.length;
      await get(path);
      expect(echoing.pagesOf.length).toBe(before + 1);
    },
  );

  test.each(["/datasets/x/y%2Fllms.txt", "/datasets/x%5Cllms.txt"])("%s reaches no handler", async (path) => {
    const before = echoing.handled;
    expect([(await get(path)).status, echoing.handled]).toEqual([404, before]);
  });

  test("more than 200 query parameters reach no page, also if one name is repeated", async () => {
    const before = echoing.handled;
    for (const path of ["/datasets", "/no-such", "/a/card.png", "/_next/static/x.js"])
      for (const [count, status] of [
        [200, 200],
        [201, 400],
        [7900, 400],
      ] as const)
        expect([path, count, (await get(`${path}?${"a&".repeat(count - 1)}a`)).status]).toEqual([path, count, status]);
    expect(echoing.handled).toBe(before + 4);
    expect(await (await get(`/datasets?${"a=1&".repeat(3000)}`)).text()).toContain(
      "Too many query parameters: 3001. Send at most 200.",
    );
  });

  const BROWSER = { accept: "text/html,application/xhtml+xml;q=0.9" };

  test("a browser gets a rejection as a page without script, with cause, retry time and request id", async () => {
    echoing.pagesMax = echoing.pagesOf.length;
    const rejected = await get("/datasets", { ...BROWSER, "x-request-id": "req_of_a_person" });
    const page = await rejected.text();
    echoing.pagesMax = Number.POSITIVE_INFINITY;
    expect([rejected.status, rejected.headers.get("retry-after"), rejected.headers.get("cache-control")]).toEqual([
      429,
      "7",
      "no-store",
    ]);
    expect(page).toContain("<h1>Rate limited</h1>");
    expect(page).toContain("Try again in 7 seconds.");
    expect(page).toContain(rejected.headers.get("x-request-id"));
    const nonce = /<style nonce="([^"]+)">/.exec(page)?.[1];
    expect(rejected.headers.get("content-security-policy")).toContain(`'nonce-${nonce}'`);
    expect(page).not.toContain("<script");
  });

  test("a browser rejected for lack of room sees the reason, and the listener continues", async () => {
    echoing.rejection = fail("busy", { retryAfterSeconds: 3 });
    const rejected = await get("/datasets", BROWSER);
    echoing.rejection = undefined;
    expect([rejected.status, rejected.headers.get("retry-after")]).toEqual([503, "3"]);
    expect(await rejected.text()).toContain("<h1>Busy</h1>");
    expect((await get("/datasets", BROWSER)).status).toBe(200);
  });

  test("a failed page becomes our error page in a browser; the router's own requests are unchanged", async () => {
    const failed = await get("/page/failed", BROWSER);
    expect([failed.status, failed.headers.get("cache-control")]).toEqual([500, "no-store"]);
    expect(await failed.text()).toMatch(/<h1>Internal error<\/h1>(?![\s\S]*secret)/);
    const routed = await get("/page/failed", { ...BROWSER, rsc: "1" });
    expect([routed.status, await routed.text()]).toEqual([500, '<html id="__next_error__">secret</html>']);
  });

  test("a page that an operation rejected is sent with that rejection, also to programs", async () => {
    const page = await get("/page/withdrawn", BROWSER);
    expect([page.status, page.headers.get("cache-control")]).toEqual([410, "no-store"]);
    expect(await page.text()).toContain("<h1>Version withdrawn</h1>");
    const text = await get("/page/withdrawn");
    expect([text.status, await text.text()]).toEqual([410, expect.stringMatching(/^Version withdrawn\. Read the/)]);
  });

  test("a temporarily unavailable page keeps its content, has its status, and is not cached", async () => {
    const busy = await get("/page/busy", BROWSER);
    expect([busy.status, busy.headers.get("cache-control")]).toEqual([503, "no-store"]);
    expect(await busy.text()).toContain("/page/busy");
  });

  test("a redirect of the framework's router, which depends on headers, is not cached", async () => {
    const moved = await fetch(`${echoing.url}/page/moved`, { headers: { ...BROWSER, rsc: "1" }, redirect: "manual" });
    expect([moved.status, moved.headers.get("cache-control")]).toEqual([307, "no-store"]);
  });

  test("a page that reports nothing at its URL is 404, and no other page is", async () => {
    const missing = await get("/page/missing", BROWSER);
    expect([missing.status, missing.headers.get("cache-control")]).toEqual([404, "no-store"]);
    expect(await missing.text()).toContain("/page/missing");
    expect((await get("/page/other", BROWSER)).status).toBe(200);
  });
});
