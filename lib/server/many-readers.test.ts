import { randomBytes } from "node:crypto";
import { mkdtemp, open, rm, writeFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type DeferredBody, deferredResponse } from "@/lib/http/deferred-body";
import { RepliesInFlight } from "@/lib/limits/replies-in-flight";
import { connectTo, exchange, statuses } from "@/lib/testing/raw-socket";
import { type Listener, startListener } from "./listener";

const MIB = 1 << 20;
const BODY_BYTES = 30 * MIB; // more than the system's buffers hold
const replies = new RepliesInFlight({
  bytesMax: 64 * MIB,
  callerBytesMax: 40 * MIB,
  addressRepliesMax: 6,
  subjectRepliesMax: 4,
});
let folder: string;
let listener: Listener;
let answered = 0;
const sockets: Socket[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "readers-"));
  await writeFile(join(folder, "blob"), randomBytes(BODY_BYTES));
  listener = await startListener({
    door,
    handle,
    port: 0,
    host: "127.0.0.1",
    settings: { PARQUETRY_TRUSTED_PROXIES: ["127.0.0.1"] },
    logger: pino({ level: "silent" }),
    bounds: { addressConnectionsMax: 4 },
    replies,
  });
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await expect.poll(() => replies.held).toEqual({ replies: 0, bytes: 0 });
});
afterAll(async () => {
  await listener.close(1_000);
  await rm(folder, { recursive: true });
});

const BODIES: Record<string, () => Promise<DeferredBody> | DeferredBody> = {
  "whole files": async () => ({
    kind: "file",
    file: await open(join(folder, "blob")),
    sizeBytes: BODY_BYTES,
    digest: "0".repeat(64),
  }),
  ranges: async () => ({
    kind: "file",
    file: await open(join(folder, "blob")),
    sizeBytes: BODY_BYTES,
    range: { start: 5, end: BODY_BYTES - 1 },
  }),
  archives: () => ({
    kind: "stream",
    stream: Readable.from(Array(BODY_BYTES / MIB).fill(Buffer.alloc(MIB))),
    sizeBytes: BODY_BYTES,
  }),
  "query replies": () => ({ kind: "bytes", bytes: Buffer.alloc(10 * MIB) }),
};

const kindOf = (path: string): string[] => decodeURIComponent(path).split(":").slice(1);

/** A stand-in for the door. */
const door = {
  serves: (path: string) => kindOf(path)[0] !== undefined && BODIES[kindOf(path)[0] ?? ""] !== undefined,
  takesFile: () => false,
  methods: () => [],
  async handle({ url }: Request): Promise<Response> {
    const [kind = "", reader] = kindOf(new URL(url).pathname);
    const body = await BODIES[kind]?.();
    if (!body) throw new Error(`no such body: ${kind}`);
    answered += 1;
    return deferredResponse({ ...body, ...(reader && { reader: `key:${reader}` }) }, {});
  },
};

/** A stand-in for Next: a page that continues for as long as it is read, and one that ends immediately. */
function handle({ url }: IncomingMessage, res: ServerResponse): void {
  answered += 1;
  res.writeHead(200, { "Content-Type": "text/html" });
  if (url === "/short") res.end("a page");
  else res.write(Buffer.alloc(10 * MIB));
}

/** Opens a request and reads none of its reply. */
function ask(path: string, address: string): void {
  const socket = connectTo(listener.url).pause();
  socket.on("error", () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\n\r\n`);
  sockets.push(socket);
}

async function askMany(count: number, pathOf: (index: number) => string, addressOf: (index: number) => string) {
  const before = answered;
  for (let index = 0; index < count; index++) ask(pathOf(index), addressOf(index));
  await expect.poll(() => answered - before).toBe(count);
}

const HELD_BYTES: Record<string, number> = {
  "whole files": MIB,
  ranges: MIB / 2,
  archives: MIB,
  "query replies": 10 * MIB,
};

test.each(Object.keys(BODIES))("sixty stalled readers of %s hold no more memory than four may", async (kind) => {
  await askMany(
    60,
    () => `/api/:${encodeURIComponent(kind)}:a`,
    (index) => `192.0.2.${index}`,
  );
  const held = HELD_BYTES[kind] ?? 0;
  await expect.poll(() => replies.held).toEqual({ replies: 4, bytes: 4 * held });
  const rejected = await exchange(listener.url, `GET /api/:${encodeURIComponent(kind)}:a HTTP/1.1\r\nHost: x\r\n\r\n`);
  expect(statuses(rejected)).toEqual([503]);
  expect(rejected).toMatch(/^Retry-After: 5\r$/m);
  expect(rejected).toContain('"error":"busy"');
});

test("with sixty keys from sixty addresses they hold no more than the process limit", async () => {
  await askMany(
    60,
    (index) => `/api/:query replies:${index}`.replace(" ", "%20"),
    (index) => `192.0.2.${index}`,
  );
  await expect.poll(() => replies.held).toEqual({ replies: 6, bytes: 60 * MIB });
});

test("unread pages of one address block only that address", async () => {
  for (let index = 0; index < 6; index++) ask("/page", "192.0.2.1");
  await expect.poll(() => replies.held.replies).toBe(6);
  const before = answered;
  const other = (address: string) =>
    exchange(listener.url, `GET /short HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\n\r\n`);
  expect(statuses(await other("192.0.2.1"))).toEqual([503]);
  expect(answered).toBe(before);
  expect(statuses(await other("192.0.2.2"))).toEqual([200]);
});

test("connections per address are limited, except for a trusted proxy", async () => {
  const open = async (trusted: readonly string[]) => {
    const other = await startListener({
      door,
      handle,
      port: 0,
      host: "127.0.0.1",
      settings: { PARQUETRY_TRUSTED_PROXIES: [...trusted] },
      logger: pino({ level: "silent" }),
      bounds: { addressConnectionsMax: 2 },
      replies,
    });
    for (let count = 0; count < 2; count++) sockets.push(connectTo(other.url));
    const third = statuses(await exchange(other.url, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"));
    for (const socket of sockets.splice(0)) socket.destroy();
    await other.close(100);
    return third;
  };
  expect(await open(["127.0.0.1"])).toEqual([200]);
  expect(await open([])).toEqual([]);
});
