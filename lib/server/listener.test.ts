import { describe, expect, test } from "vitest";
import { listenerMark } from "@/lib/http/listener-mark";
import { head, useEchoingListener } from "@/lib/testing/echoing-listener";
import { converse, exchange, statuses } from "@/lib/testing/raw-socket";

const echoing = useEchoingListener();
const { get } = echoing;

describe("the headers that handlers and clients see", () => {
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
      "x-parquetry-internal": "6",
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
    for (const name of ["x-parquetry-internal", "x-forwarded-host", "x-forwarded-port", "forwarded", "x-real-ip"])
      expect(headers).not.toHaveProperty(name);
  });

  test("handlers see at most 512 characters of a User-Agent", async () => {
    const reply = await get("/page", { "user-agent": "-".repeat(10_000) });
    const { headers } = (await reply.json()) as { headers: Record<string, string> };
    expect(headers["user-agent"]).toBe("-".repeat(512));
  });

  test(
    "replies carry nothing internal, nothing of the framework, and a Vary " + "without its router under /api",
    async () => {
      const { headers } = await get("/api/x");
      expect([...headers.keys()].filter((name) => name.startsWith("x-p"))).toEqual([]);
      expect(headers.get("vary")).toBe("Accept");
      expect((await get("/page")).headers.get("vary")).toContain("rsc");
    },
  );

  test("a page gets its policy's nonce; its 304 carries no policy that could replace a cached page's", async () => {
    const reply = await get("/page", { "content-security-policy": "script-src 'nonce-6'", "x-parquetry-nonce": "6" });
    const { headers } = (await reply.json()) as { headers: Record<string, string> };
    expect(reply.headers.get("content-security-policy")).toContain(`'nonce-${headers["x-parquetry-nonce"]}'`);
    expect(headers["content-security-policy"]).toBe(reply.headers.get("content-security-policy"));
    const unchanged = await get("/page/unchanged");
    expect(unchanged.status).toBe(304);
    expect(unchanged.headers.get("content-security-policy")).toBeNull();
    expect(unchanged.headers.get("x-content-type-options")).toBe("nosniff");
  });

  test("a handler's CORS headers apply only to public routes, and route headers override the handler's", async () => {
    expect((await get("/api/x")).headers.get("access-control-allow-origin")).toBe("*");
    for (const path of ["/api/account/x", "/page"])
      expect((await get(path)).headers.get("access-control-allow-origin")).toBeNull();
    expect((await get("/api/account/x")).headers.get("cache-control")).toBe("no-store");
    expect((await get("/api/x")).headers.get("cache-control")).toBe("public, max-age=60");
  });

  test("rejections of the listener carry the headers of their route, even if no request could be parsed", async () => {
    for (const start of ["PROPFIND /api/x HTTP/1.1", "GET /api/../x HTTP/1.1", "GET /page\\..\\x HTTP/1.1"]) {
      const received = await exchange(echoing.url, head(start));
      expect(received).toMatch(/x-content-type-options: nosniff/i);
      expect(received).toMatch(/content-security-policy: default-src 'none'/i);
    }
    expect(await exchange(echoing.url, "nonsense\r\n\r\n")).toMatch(/x-content-type-options: nosniff/i);
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

describe("rejections by the listener", () => {
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
    const received = await exchange(echoing.url, bytes);
    expect(statuses(received)).toEqual([status]);
    const id = /^X-Request-Id: (\S+)\r$/m.exec(received)?.[1];
    const body = JSON.parse(received.slice(received.indexOf("\r\n\r\n") + 4)) as object;
    expect(body).toMatchObject({ schema_version: "service-error.v1", error: code, request_id: id });
  });

  test.each([
    ["a page's URL", [], true],
    ["a browser's request of a page", ["Accept: text/html,*/*;q=0.8"], true],
    ["a program's request of a page", ["Accept: application/json"], false],
  ])("%s over 16 KiB is answered with an error page or the envelope", async (_name, headers, isPage) => {
    const sent = `GET /datasets/a/b?filter=${"x".repeat(36_000)} HTTP/1.1`;
    const before = ["Host: x", ...headers].map((line) => `${line}\r\n`).join("");
    const received = await exchange(echoing.url, `${sent}\r\n${before}\r\n`);
    expect(statuses(received)).toEqual([431]);
    if (!isPage) return expect(received).toContain('"error":"request_too_large"');
    expect(received).toMatch(/^Content-Type: text\/html; charset=utf-8\r$/m);
    const nonce = /^Content-Security-Policy: [^\r]*'nonce-([^']+)'/m.exec(received)?.[1];
    expect(received).toContain(`<style nonce="${nonce}">`);
    expect(received).toContain("Shorten the URL");
  });

  test("a page's URL over 16 KiB is answered with an error page however small its packets are", async () => {
    const sent = `GET /datasets/a/b?filter=${"x".repeat(36_000)} HTTP/1.1\r\nHost: x\r\n\r\n`;
    const packets = [sent.slice(0, 3), ...(sent.slice(3).match(/[\s\S]{1,1000}/g) ?? [])];
    const second = await exchange(echoing.url, [head("GET /api/x HTTP/1.1"), ...packets], { replies: 2, pauseMs: 1 });
    expect(statuses(second)).toEqual([200, 431]);
    expect(second).toContain("Shorten the URL");
    const asked = packets.map((packet) => packet.replace("/datasets", "/api/v2"));
    const program = await exchange(echoing.url, asked, { pauseMs: 1 });
    expect(program).toContain('"error":"request_too_large"');
  });

  test("outside /api a rejection is plain text", async () => {
    const reply = await get("/%ff");
    expect(reply.status).toBe(400);
    expect(reply.headers.get("content-type")).toContain("text/plain");
  });

  test("a handler's error is 500 internal, without details", async () => {
    const reply = await get("/api/broken");
    expect(reply.status).toBe(500);
    expect(await reply.text()).not.toContain("secret");
  });

  test("absolute form reaches the handler as a path, `OPTIONS *` is answered", async () => {
    expect(await exchange(echoing.url, head("GET http://other.example/api/x?y HTTP/1.1"))).toContain(
      '"url":"/api/x?y"',
    );
    expect(statuses(await exchange(echoing.url, head("OPTIONS * HTTP/1.1")))).toEqual([204]);
  });
});

describe("bodies", () => {
  const post = (length: string, body: string) => [head("POST /api/x HTTP/1.1", length), body];
  const chunk = (size: number) => `${size.toString(16)}\r\n${"x".repeat(size)}\r\n`;

  test("64 KiB pass, with a length or in chunks", async () => {
    expect(await exchange(echoing.url, post("Content-Length: 65536", "x".repeat(65_536)))).toContain('"length":65536');
    expect(
      await exchange(echoing.url, post("Transfer-Encoding: chunked", `${chunk(60_000)}${chunk(5_536)}0\r\n\r\n`)),
    ).toContain('"length":65536');
  });

  test("one byte more is 413, before any handler if the length is declared", async () => {
    const before = echoing.handled;
    expect(statuses(await exchange(echoing.url, post("Content-Length: 65537", "x")))).toEqual([413]);
    expect(echoing.handled).toBe(before);
    const received = await exchange(
      echoing.url,
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
    const { received, sent } = await converse(echoing.url, parts, { pauseMs: 10, quietMs: 60_000 });
    expect(statuses(received)).toEqual([413]);
    expect(sent).toBeLessThan(parts.length);
  });

  test("bytes after a body with too short a length are not a request, and end the connection", async () => {
    const before = echoing.handled;
    const bytes = post("Content-Length: 2", "{}EVIL / HTTP/1.1\r\n\r\n");
    const { received, closedByServer } = await converse(echoing.url, bytes, { quietMs: 60_000 });
    expect(closedByServer).toBe(true);
    expect(statuses(received).at(-1)).toBe(400);
    expect(echoing.handled).toBe(before + 1);
  });

  test("Expect: 100-continue is answered, but not for a body that is too large", async () => {
    const expecting = (bytes: number) =>
      head("POST /api/x HTTP/1.1", `Content-Length: ${bytes}`, "Expect: 100-continue");
    expect(statuses(await exchange(echoing.url, [expecting(2), "{}"], { replies: 2 }))).toEqual([100, 200]);
    expect(statuses(await exchange(echoing.url, expecting(70_000)))).toEqual([413]);
  });
});

test("liveness needs no handler", async () => {
  const before = echoing.handled;
  expect(await (await get("/healthz")).json()).toEqual({ status: "ok" });
  expect(echoing.handled).toBe(before);
});
