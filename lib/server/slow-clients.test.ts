import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { text } from "node:stream/consumers";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectTo, converse, exchange, statuses } from "@/lib/testing/raw-socket";
import { type Listener, startListener } from "./listener";

let listener: Listener;

beforeAll(async () => {
  listener = await startListener({
    door: { serves: (path) => path === "/file", takesFile: () => true, methods: () => ["PUT"], handle: readSlowly },
    handle,
    port: 0,
    host: "127.0.0.1",
    settings: { PARQUETRY_TRUSTED_PROXIES: [] },
    logger: pino({ level: "silent" }),
    bounds: { headMs: 500, requestMs: 800, idleMs: 2_000, keepAliveMs: 300 },
  });
});
afterAll(() => listener.close(500));

let pageClosed = Promise.withResolvers<void>();

async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (req.url === "/page") res.once("close", pageClosed.resolve);
  await text(req).catch(() => undefined);
  if (req.url === "/think") for (let idle = 0; idle < 2; idle += 1) await once(req.socket, "timeout");
  res.end(req.url === "/page" ? Buffer.alloc(64 * 1024 * 1024) : "done");
}

/** Reads a file's first chunk, then nothing for longer than a silent client is tolerated, then the rest. */
async function readSlowly(request: Request): Promise<Response> {
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    if (bytes === 0) for (let idle = 0; idle < 2; idle += 1) await once(socketOfFile, "timeout");
    bytes += chunk.length;
  }
  return new Response(String(bytes));
}

let socketOfFile: Socket;
const START = "http.server.request.start";
const remember = (message: unknown) => {
  socketOfFile = (message as { socket: Socket }).socket;
};
beforeAll(() => subscribe(START, remember));
afterAll(() => void unsubscribe(START, remember));

/** However much is left to send, and whatever was replied, the server ends the connection. */
async function cutOff(parts: readonly string[]): Promise<{ received: string; sent: number }> {
  const { closedByServer, ...rest } = await converse(listener.url, parts, { pauseMs: 100, quietMs: 60_000 });
  expect(closedByServer).toBe(true);
  return rest;
}

test("a header that trickles in is 408, with a request id", async () => {
  const parts = ["GET /api/x HTTP/1.1\r\n", ..."Host: x\r\nX-Slow: ".split(""), ..."x".repeat(60)];
  const { received, sent } = await cutOff(parts);
  expect(statuses(received)).toEqual([408]);
  expect(received).toMatch(/^X-Request-Id: req_/m);
  expect(sent).toBeLessThan(parts.length);
});

test("a body that trickles in is 408", async () => {
  const parts = ["POST /api/x HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n", ..."x".repeat(60)];
  const { received, sent } = await cutOff(parts);
  expect(statuses(received)).toEqual([408]);
  expect(sent).toBeLessThan(parts.length);
});

test("a silent connection is closed", async () => {
  await cutOff([""]);
});

test("an idle keep-alive connection is closed", async () => {
  const { received } = await cutOff(["GET /api/x HTTP/1.1\r\nHost: x\r\n\r\n"]);
  expect(statuses(received)).toEqual([200]);
});

test("a client that stops reading a page is cut", async () => {
  pageClosed = Promise.withResolvers();
  const socket = connectTo(listener.url);
  socket.pause();
  socket.write("GET /page HTTP/1.1\r\nHost: x\r\n\r\n");
  await pageClosed.promise;
  socket.on("error", () => undefined).resume();
  await new Promise((resume) => socket.once("close", resume));
  expect(socket.bytesRead).toBeLessThan(64 * 1024 * 1024);
});

test("a handler that thinks longer than the idle limit is left in peace", async () => {
  const received = await exchange(listener.url, "GET /think HTTP/1.1\r\nHost: x\r\n\r\n");
  expect(statuses(received)).toEqual([200]);
});

test("a sender whose file is read more slowly than it is sent is left in peace", async () => {
  const file = "x".repeat(8 * 1024 * 1024);
  const head = `PUT /file HTTP/1.1\r\nHost: x\r\nContent-Length: ${file.length}\r\n\r\n`;
  const received = await exchange(listener.url, [head, file]);
  expect([statuses(received), received]).toEqual([[200], expect.stringContaining(String(file.length))]);
});
