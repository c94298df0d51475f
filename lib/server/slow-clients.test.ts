import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectTo, exchange, statuses } from "@/lib/testing/raw-socket";
import { type Listener, startListener } from "./listener";

let listener: Listener;

beforeAll(async () => {
  listener = await startListener({
    handle,
    port: 0,
    host: "127.0.0.1",
    settings: { PARQUETRY_TRUSTED_PROXIES: [] },
    logger: pino({ level: "silent" }),
    bounds: { headMs: 500, requestMs: 800, idleMs: 700, keepAliveMs: 300 },
  });
});
afterAll(() => listener.close(500));

async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
  await text(req).catch(() => undefined);
  if (req.url === "/think") await new Promise((resume) => setTimeout(resume, 2_000));
  res.end(req.url === "/page" ? Buffer.alloc(64 * 1024 * 1024) : "done");
}

const lifetime = async (parts: readonly string[], pauseMs = 100) => {
  const start = Date.now();
  const received = await exchange(listener.url, parts, { pauseMs, quietMs: 10_000 });
  return { received, ms: Date.now() - start };
};

test("a header that trickles in is 408, with a request id", async () => {
  const { received, ms } = await lifetime([
    "GET /api/x HTTP/1.1\r\n",
    ..."Host: x\r\nX-Slow: ".split(""),
    ..."x".repeat(60),
  ]);
  expect(statuses(received)).toEqual([408]);
  expect(received).toMatch(/^X-Request-Id: req_/m);
  expect(ms).toBeLessThan(3_000);
});

test("a body that trickles in is 408", async () => {
  const { received, ms } = await lifetime([
    "POST /api/x HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n",
    ..."x".repeat(60),
  ]);
  expect(statuses(received)).toEqual([408]);
  expect(ms).toBeLessThan(3_000);
});

test("a connection that says nothing is closed", async () => {
  expect((await lifetime([""])).ms).toBeLessThan(3_000);
});

test("an idle keep-alive connection is closed", async () => {
  const { received, ms } = await lifetime(["GET /api/x HTTP/1.1\r\nHost: x\r\n\r\n"]);
  expect(statuses(received)).toEqual([200]);
  expect(ms).toBeLessThan(3_000);
});

test("a client that stops reading a page is cut", async () => {
  const socket = connectTo(listener.url);
  socket.pause();
  socket.write("GET /page HTTP/1.1\r\nHost: x\r\n\r\n");
  const start = Date.now();
  await new Promise((resume) => setTimeout(resume, 2_000));
  socket.on("error", () => undefined).resume();
  await new Promise((resume) => socket.once("close", resume));
  expect(Date.now() - start).toBeLessThan(4_000);
  expect(socket.bytesRead).toBeLessThan(64 * 1024 * 1024);
});

test("a handler that thinks longer than the idle limit is left in peace", async () => {
  const { received } = await lifetime(["GET /think HTTP/1.1\r\nHost: x\r\n\r\n"]);
  expect(statuses(received)).toEqual([200]);
});
