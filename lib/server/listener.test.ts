import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listenerMark } from "@/lib/http/listener-mark";
import { setPageStatus } from "@/lib/http/page-status";
import { NONCE_HEADER } from "@/lib/http/security-headers";
import { fail } from "@/lib/kernel/errors";
import { converse, exchange, statuses } from "@/lib/testing/raw-socket";
import { type Listener, startListener } from "./listener";

let listener: Listener;
let handled = 0;
let pagesLeft = Number.POSITIVE_INFINITY;
const pagesOf: string[] = [];

beforeAll(async () => {
  listener = await startListener({
    handle,
    port: 0,
    host: "127.0.0.1",
    settings: { PARQUETRY_TRUSTED_PROXIES: ["10.0.0.0/8"] },
    logger: pino({ level: "silent" }),
    bounds: { lingerMs: 200 },
    takePage,
  });
});
afterAll(() => listener.close(1_000));

async function takePage(address: string): Promise<void> {
  pagesOf.push(address);
  if (pagesOf.length > pagesLeft) throw fail("rate_limited", { retryAfterSeconds: 7 });
}

/** Stands where Next stands: answers with what it was given. */
async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
  handled += 1;
  if (req.url === "/api/broken") throw new Error("secret detail /srv/data");
  res.setHeader("Vary", "rsc, next-router-state-tree, next-router-prefetch, next-router-segment-prefetch, Accept");
  res.setHeader("X-Powered-By", "Next.js");
  res.setHeader("Access-Control-Allow-Origin", "*");
  res.setHeader("Cache-Control", "public, max-age=60");
  if (req.url === "/page/unchanged") return void res.writeHead(304).end();
  res.setHeader("x-parquetry-anything", "internal");
  if (req.url === "/page/failed")
    return void res.writeHead(500, { "Content-Type": "text/html" }).end('<html id="__next_error__">secret</html>');
  if (req.url === "/page/missing") setPageStatus(String(req.headers[NONCE_HEADER]), 404);
  if (req.url === "/page/busy") setPageStatus(String(req.headers[NONCE_HEADER]), 503);
  const body = await text(req).catch(() => "cut");
  res.writeHead(200, { "Content-Type": "application/json", "X-Parquetry-Late": "internal" });
  res.end(JSON.stringify({ url: req.url, headers: req.headers, length: body.length }));
}

const get = (path: string, headers: Record<string, string> = {}) => fetch(`${listener.url}${path}`, { headers });
const head = (start: string, ...lines: string[]) => `${[start, "Host: x", ...lines].join("\r\n")}\r\n\r\n`;

describe("what handlers and clients see of headers", () => {
  test("scripts keep the compression that the browser accepts, other files lose it", async () => {
    const seen = async (path: string) =>
      ((await (await get(path, { "accept-encoding": "br" })).json()) as { headers: Record<string, string> }).headers[
        "accept-encoding"
      ];
    expect(await seen("/_next/static/chunks/x.js")).toBe("br");
    expect(await seen("/datasets/x/card.png")).toBeUndefined();
  });

  test("no client can set an internal or a forwarding header", async () => {
    const reply = await get("/api/x", {
      "x-parquetry-client-address": "6.6.6.6",
      "X-Parquetry-Listener": "6",
      "x-parquetry-hand-off": "6",
      "x-forwarded-for": "6.6.6.6",
      "x-forwarded-host": "evil.example",
      "x-forwarded-proto": "https",
      "x-forwarded-port": "6",
      forwarded: "for=6.6.6.6",
      "x-real-ip": "6.6.6.6",
      "content-security-policy": "script-src 'nonce-6'",
      "content-security-policy-report-only": "script-src 'nonce-6'",
      "x-parquetry-nonce": "6",
    });
    const { headers } = (await reply.json()) as { headers: Record<string, string> };
    expect(headers).toMatchObject({
      "x-parquetry-client-address": "127.0.0.1",
      "x-forwarded-for": "127.0.0.1",
      "x-forwarded-proto": "http",
    });
    expect(headers["x-parquetry-listener"]).toBe(listenerMark());
    for (const name of ["content-security-policy", "content-security-policy-report-only", "x-parquetry-nonce"])
      expect(headers).not.toHaveProperty(name);
    for (const name of ["x-parquetry-hand-off", "x-forwarded-host", "x-forwarded-port", "forwarded", "x-real-ip"])
      expect(headers).not.toHaveProperty(name);
  });

  test("replies carry nothing internal, nothing of the framework, and a Vary without its router under /api", async () => {
    const { headers } = await get("/api/x");
    expect([...headers.keys()].filter((name) => name.startsWith("x-p"))).toEqual([]);
    expect(headers.get("vary")).toBe("Accept");
    expect((await get("/page")).headers.get("vary")).toContain("rsc");
  });

  test(
    "a page is told the nonce that its reply's policy names; its 304 carries no policy, which a cache would put " +
      "over the page it kept",
    async () => {
      const reply = await get("/page", { "content-security-policy": "script-src 'nonce-6'", "x-parquetry-nonce": "6" });
      const { headers } = (await reply.json()) as { headers: Record<string, string> };
      expect(reply.headers.get("content-security-policy")).toContain(`'nonce-${headers["x-parquetry-nonce"]}'`);
      expect(headers["content-security-policy"]).toBe(reply.headers.get("content-security-policy"));
      const unchanged = await get("/page/unchanged");
      expect(unchanged.status).toBe(304);
      expect(unchanged.headers.get("content-security-policy")).toBeNull();
      expect(unchanged.headers.get("x-content-type-options")).toBe("nosniff");
    },
  );

  test(
    "what a handler says of other sites stands on public routes alone, and a route's own headers win over the " +
      "handler's",
    async () => {
      expect((await get("/api/x")).headers.get("access-control-allow-origin")).toBe("*");
      for (const path of ["/api/account/x", "/page"])
        expect((await get(path)).headers.get("access-control-allow-origin")).toBeNull();
      expect((await get("/api/account/x")).headers.get("cache-control")).toBe("no-store");
      expect((await get("/api/x")).headers.get("cache-control")).toBe("public, max-age=60");
    },
  );

  test("refusals of the listener carry the headers of their route, even where no request could be read", async () => {
    for (const start of ["PROPFIND /api/x HTTP/1.1", "GET /api/../x HTTP/1.1", "GET /page\\..\\x HTTP/1.1"]) {
      const received = await exchange(listener.url, head(start));
      expect(received).toMatch(/x-content-type-options: nosniff/i);
      expect(received).toMatch(/content-security-policy: default-src 'none'/i);
    }
    expect(await exchange(listener.url, "nonsense\r\n\r\n")).toMatch(/x-content-type-options: nosniff/i);
  });

  test.each([
    ["abcd1234", true],
    ["req_A-b_9".padEnd(64, "x"), true],
    ["short", false],
    ["x".repeat(65), false],
    ["with space", false],
    ["semi;colon", false],
  ])("request id %s is echoed: %s", async (id, echoed) => {
    const reply = await get("/api/x", { "x-request-id": id });
    const replied = reply.headers.get("x-request-id");
    expect(replied === id).toBe(echoed);
    expect(replied).toMatch(/^[A-Za-z0-9_-]{8,64}$/);
    expect(((await reply.json()) as { headers: Record<string, string> }).headers["x-request-id"]).toBe(replied);
  });
});

describe("refusals by the listener", () => {
  const many = Array.from({ length: 101 }, (_, index) => `x-h${index}: 1`);
  test.each([
    ["TRACE", head("TRACE /api/x HTTP/1.1"), 405, "method_not_allowed"],
    ["an unusual method", head("PROPFIND /api/x HTTP/1.1"), 405, "method_not_allowed"],
    ["CONNECT", head("CONNECT example.org:443 HTTP/1.1"), 405, "method_not_allowed"],
    ["a repeated slash under /api", head("GET /api//x HTTP/1.1"), 404, "not_found"],
    ["bad percent-encoding", head("GET /api/%ff HTTP/1.1"), 400, "invalid_request"],
    ["a header of 20 KB", head("GET /api/x HTTP/1.1", `x-big: ${"x".repeat(20_000)}`), 431, "request_too_large"],
    ["101 header lines", head("GET /api/x HTTP/1.1", ...many), 431, "request_too_large"],
    ["no HTTP at all", "hello\r\n\r\n", 400, "invalid_request"],
    ["an unknown method", head("BREW /api/x HTTP/1.1"), 400, "invalid_request"],
    ["two lengths", head("POST /api/x HTTP/1.1", "Content-Length: 1", "Content-Length: 2"), 400, "invalid_request"],
    [
      "length and chunks at once",
      `${head("POST /api/x HTTP/1.1", "Content-Length: 4", "Transfer-Encoding: chunked")}0\r\n\r\n`,
      400,
      "invalid_request",
    ],
    [
      "chunks not last",
      `${head("POST /api/x HTTP/1.1", "Transfer-Encoding: chunked, identity")}0\r\n\r\n`,
      400,
      "invalid_request",
    ],
    [
      "a chunk size of nonsense",
      `${head("POST /api/x HTTP/1.1", "Transfer-Encoding: chunked")}zz\r\n`,
      400,
      "invalid_request",
    ],
    ["a folded header", head("GET /api/x HTTP/1.1", "a: b", " folded"), 400, "invalid_request"],
    ["a space before the colon", head("GET /api/x HTTP/1.1", "Content-Length : 4"), 400, "invalid_request"],
    ["a bare line feed in a header", "GET /api/x HTTP/1.1\nHost: x\n\n", 400, "invalid_request"],
    ["two Hosts", head("GET /api/x HTTP/1.1", "Host: y"), 400, "invalid_request"],
    ["no Host", "GET /api/x HTTP/1.1\r\n\r\n", 400, "invalid_request"],
  ])("%s: an envelope with a request id", async (_name, bytes, status, code) => {
    const received = await exchange(listener.url, bytes);
    expect(statuses(received)).toEqual([status]);
    const id = /^X-Request-Id: (\S+)\r$/m.exec(received)?.[1];
    const body = JSON.parse(received.slice(received.indexOf("\r\n\r\n") + 4)) as object;
    expect(body).toMatchObject({ schema_version: "service-error.v1", error: code, request_id: id });
  });

  test("405 names the methods", async () => {
    expect(await exchange(listener.url, head("TRACE / HTTP/1.1"))).toContain(
      "Allow: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
    );
  });

  test("off /api a refusal is plain text", async () => {
    const reply = await get("/%ff");
    expect(reply.status).toBe(400);
    expect(reply.headers.get("content-type")).toContain("text/plain");
  });

  test("a handler's error is 500 internal and says nothing of it", async () => {
    const reply = await get("/api/broken");
    expect(reply.status).toBe(500);
    expect(await reply.text()).not.toContain("secret");
  });

  test("absolute form reaches the handler as a path, `OPTIONS *` is answered", async () => {
    expect(await exchange(listener.url, head("GET http://other.example/api/x?y HTTP/1.1"))).toContain(
      '"url":"/api/x?y"',
    );
    expect(statuses(await exchange(listener.url, head("OPTIONS * HTTP/1.1")))).toEqual([204]);
  });
});

describe("pages", () => {
  test(
    "one too many is turned away with the time to wait before anything is made of it, while the API and assets " +
      "go on",
    async () => {
      pagesLeft = pagesOf.length + 1;
      expect((await get("/datasets?q=x")).status).toBe(200);
      const before = handled;
      const refused = await get("/datasets?q=x");
      expect([
        refused.status,
        refused.headers.get("retry-after"),
        refused.headers.get("content-type"),
        handled,
      ]).toEqual([429, "7", "text/plain; charset=utf-8", before]);
      const others = await Promise.all(["/api/x", "/_next/static/x.js", "/healthz"].map((path) => get(path)));
      expect(others.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(pagesOf.at(-1)).toBe("127.0.0.1");
      pagesLeft = Number.POSITIVE_INFINITY;
    },
  );

  test.each(["/anything/llms.txt", "/_next/anything", "/.well-known/anything", "/%5fnext/static/x.js", "/%61pi/v2/x"])(
    "%s is counted as a page",
    async (path) => {
      const before = pagesOf.length;
      await get(path);
      expect(pagesOf.length).toBe(before + 1);
    },
  );

  test.each(["/datasets/x/y%2Fllms.txt", "/datasets/x%5Cllms.txt"])("%s reaches no handler", async (path) => {
    const before = handled;
    expect([(await get(path)).status, handled]).toEqual([404, before]);
  });

  const BROWSER = { accept: "text/html,application/xhtml+xml;q=0.9" };

  test("a browser reads a refusal as a page that needs no script: what happened, when to try again, the request id", async () => {
    pagesLeft = pagesOf.length;
    const refused = await get("/datasets", { ...BROWSER, "x-request-id": "req_of_a_person" });
    const page = await refused.text();
    pagesLeft = Number.POSITIVE_INFINITY;
    expect([refused.status, refused.headers.get("retry-after"), refused.headers.get("cache-control")]).toEqual([
      429,
      "7",
      "no-store",
    ]);
    expect(page).toContain("<h1>Rate limited</h1>");
    expect(page).toContain("Try again in 7 seconds.");
    expect(page).toContain(refused.headers.get("x-request-id"));
    const nonce = /<style nonce="([^"]+)">/.exec(page)?.[1];
    expect(refused.headers.get("content-security-policy")).toContain(`'nonce-${nonce}'`);
    expect(page).not.toContain("<script");
  });

  test(
    "a page that failed is ours in a browser, and what the framework wrote goes nowhere; the router's own " +
      "requests are left alone",
    async () => {
      const failed = await get("/page/failed", BROWSER);
      expect([failed.status, failed.headers.get("cache-control")]).toEqual([500, "no-store"]);
      expect(await failed.text()).toMatch(/<h1>Internal error<\/h1>(?![\s\S]*secret)/);
      const routed = await get("/page/failed", { ...BROWSER, rsc: "1" });
      expect([routed.status, await routed.text()]).toEqual([500, '<html id="__next_error__">secret</html>']);
    },
  );

  test("a page that has nothing just now keeps its words, is answered so, and is kept by nobody", async () => {
    const busy = await get("/page/busy", BROWSER);
    expect([busy.status, busy.headers.get("cache-control")]).toEqual([503, "no-store"]);
    expect(await busy.text()).toContain("/page/busy");
  });

  test("a page that says there is nothing at its address is answered with 404, that one alone", async () => {
    const missing = await get("/page/missing", BROWSER);
    expect([missing.status, missing.headers.get("cache-control")]).toEqual([404, "no-store"]);
    expect(await missing.text()).toContain("/page/missing");
    expect((await get("/page/other", BROWSER)).status).toBe(200);
  });
});

describe("bodies", () => {
  const post = (length: string, body: string) => [head("POST /api/x HTTP/1.1", length), body];
  const chunk = (size: number) => `${size.toString(16)}\r\n${"x".repeat(size)}\r\n`;

  test("64 KiB pass, with a length or in chunks", async () => {
    expect(await exchange(listener.url, post("Content-Length: 65536", "x".repeat(65_536)))).toContain('"length":65536');
    expect(
      await exchange(listener.url, post("Transfer-Encoding: chunked", `${chunk(60_000)}${chunk(5_536)}0\r\n\r\n`)),
    ).toContain('"length":65536');
  });

  test("one byte more is 413, before any handler when the length tells", async () => {
    const before = handled;
    expect(statuses(await exchange(listener.url, post("Content-Length: 65537", "x")))).toEqual([413]);
    expect(handled).toBe(before);
    const received = await exchange(
      listener.url,
      post("Transfer-Encoding: chunked", `${chunk(60_000)}${chunk(5_537)}0\r\n\r\n`),
    );
    expect(statuses(received)).toEqual([413]);
    expect(received).toContain('"error":"request_too_large"');
    expect(received).toContain("Connection: close");
  });

  test("an endless chunked body is cut soon after its 413", async () => {
    const parts = [
      head("POST /api/x HTTP/1.1", "Transfer-Encoding: chunked"),
      ...Array.from({ length: 500 }, () => chunk(16_000)),
    ];
    const { received, sent } = await converse(listener.url, parts, { pauseMs: 10, quietMs: 60_000 });
    expect(statuses(received)).toEqual([413]);
    expect(sent).toBeLessThan(parts.length);
  });

  test("what follows a body whose length is too short is no request, and ends the connection", async () => {
    const before = handled;
    const bytes = post("Content-Length: 2", "{}EVIL / HTTP/1.1\r\n\r\n");
    const { received, closedByServer } = await converse(listener.url, bytes, { quietMs: 60_000 });
    expect(closedByServer).toBe(true);
    expect(statuses(received).at(-1)).toBe(400);
    expect(handled).toBe(before + 1);
  });

  test("Expect: 100-continue is answered, but not for a body that is too large", async () => {
    const expecting = (bytes: number) =>
      head("POST /api/x HTTP/1.1", `Content-Length: ${bytes}`, "Expect: 100-continue");
    expect(statuses(await exchange(listener.url, [expecting(2), "{}"], { replies: 2 }))).toEqual([100, 200]);
    expect(statuses(await exchange(listener.url, expecting(70_000)))).toEqual([413]);
  });
});

test("liveness needs no handler", async () => {
  const before = handled;
  expect(await (await get("/healthz")).json()).toEqual({ status: "ok" });
  expect(handled).toBe(before);
});
