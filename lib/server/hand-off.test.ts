import { createHash, randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { mkdtemp, open, readlink, rm, truncate, writeFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { NodeNextRequest, NodeNextResponse } from "next/dist/server/base-http/node";
import { sendResponse } from "next/dist/server/send-response";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bodyOrHandOff, HAND_OFF_HEADER, type HandOffBody, handOff, type Sent, takeHandOff } from "@/lib/http/hand-off";
import { LENGTH_HEADER } from "@/lib/http/listener-mark";
import { connectTo, exchange } from "@/lib/testing/raw-socket";
import { type Listener, startListener } from "./listener";

type Middleware = (req: IncomingMessage, res: ServerResponse, next: () => void) => void;
const compression = createRequire(import.meta.url)("next/dist/compiled/compression") as () => Middleware;
const SIZE = 5 * 1024 * 1024 + 17;
const BYTES = randomBytes(SIZE);
const DIGEST = createHash("sha256").update(BYTES).digest("hex");

let folder: string;
let path: string;
let listener: Listener;
let answer: (request: Request) => Promise<Response>;
let compress = false;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hand-off-"));
  path = join(folder, "blob");
  await writeFile(path, BYTES);
  const settings = { PARQUETRY_TRUSTED_PROXIES: [] };
  listener = await startListener({
    handle,
    port: 0,
    host: "127.0.0.1",
    settings,
    logger: pino({ level: "silent" }),
    bounds: { idleMs: 1_000, readRate: 4_096 },
  });
});
afterAll(async () => {
  await listener.close(1_000);
  await rm(folder, { recursive: true });
});

/**
 * Ends responses as Next does, by its own code: a web Response through its writer, behind its compression when asked.
 */
async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (compress) await new Promise<void>((next) => compression()(req, res, next));
  const headers = new Headers(Object.entries(req.headers).map(([name, value]) => [name, String(value)]));
  const request = new Request(`http://localhost${req.url}`, { method: req.method ?? "GET", headers });
  await sendResponse(new NodeNextRequest(req), new NodeNextResponse(res), await answer(request));
}

/** Answers with a body by hand-off; resolves with the reply's report. */
function answering(make: () => Promise<HandOffBody> | HandOffBody, status = 200): Promise<Sent> {
  return new Promise((resolve) => {
    answer = async (request) => {
      const { headers, body } = bodyOrHandOff(request, { ...(await make()), onSent: resolve });
      return new Response(body, { status, headers: { ...headers, "content-type": "application/octet-stream" } });
    };
  });
}

const file = async (more: object = {}): Promise<HandOffBody> => ({
  kind: "file",
  file: await open(path),
  sizeBytes: SIZE,
  ...more,
});
const fetched = async (init: RequestInit = {}) => {
  const reply = await fetch(`${listener.url}/api/x`, init);
  return { reply, bytes: Buffer.from(await reply.arrayBuffer()) };
};

/** How often this process has the blob open. */
async function openFiles(): Promise<number> {
  const targets = await Promise.all(
    readdirSync("/proc/self/fd").map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => "")),
  );
  return targets.filter((target) => target === path).length;
}

async function noneOpenSoon(): Promise<void> {
  await expect.poll(openFiles).toBe(0);
}

describe.each([
  ["without compression", false],
  ["with the framework's compression on", true],
])("bodies arrive whole, %s", (_name, on) => {
  beforeAll(() => {
    compress = on;
  });
  afterAll(() => {
    compress = false;
  });

  test("bytes, in one write", async () => {
    const sent = answering(() => ({ kind: "bytes", bytes: BYTES }));
    const { reply, bytes } = await fetched();
    expect(bytes.equals(BYTES)).toBe(true);
    expect(reply.headers.get("content-length")).toBe(String(SIZE));
    expect(reply.headers.get("content-encoding")).toBeNull();
    expect(reply.headers.get(HAND_OFF_HEADER)).toBeNull();
    expect(reply.headers.get("x-request-id")).toMatch(/^req_/);
    expect(await sent).toEqual({ bytes: SIZE, complete: true });
  });

  test("a file, hashed on its way", async () => {
    const sent = answering(() => file({ digest: DIGEST }));
    const { bytes } = await fetched();
    expect(bytes.equals(BYTES)).toBe(true);
    expect(await sent).toEqual({ bytes: SIZE, complete: true });
    await noneOpenSoon();
  });

  test("a range of either", async () => {
    const range = { start: 1_048_570, end: 3_000_000 };
    for (const make of [() => file({ range }), (): HandOffBody => ({ kind: "bytes", bytes: BYTES, range })]) {
      const sent = answering(make, 206);
      const { reply, bytes } = await fetched();
      expect(reply.status).toBe(206);
      expect(bytes.equals(BYTES.subarray(range.start, range.end + 1))).toBe(true);
      expect((await sent).complete).toBe(true);
    }
  });

  test("HEAD has the length and no body", async () => {
    const sent = answering(() => file());
    const { reply, bytes } = await fetched({ method: "HEAD" });
    expect(reply.headers.get("content-length")).toBe(String(SIZE));
    expect(bytes.length).toBe(0);
    expect(await sent).toEqual({ bytes: 0, complete: false });
    await noneOpenSoon();
  });

  test("HEAD may announce a length without any body at hand", async () => {
    answer = async () => new Response(null, { headers: { [LENGTH_HEADER]: "123456789" } });
    const { reply } = await fetched({ method: "HEAD" });
    expect(reply.headers.get("content-length")).toBe("123456789");
    expect(reply.headers.get(LENGTH_HEADER)).toBeNull();
  });

  test("an empty body", async () => {
    const sent = answering(() => ({ kind: "bytes", bytes: Buffer.alloc(0) }));
    expect((await fetched()).bytes.length).toBe(0);
    expect(await sent).toEqual({ bytes: 0, complete: true });
  });
});

const GET = "GET /api/x HTTP/1.1\r\nHost: x\r\n\r\n";

describe("a file that is not what it should be never arrives whole", () => {
  test("a wrong digest cuts the connection before the last chunk", async () => {
    const sent = answering(() => file({ digest: "0".repeat(64) }));
    await expect(fetched()).rejects.toThrow();
    expect((await sent).complete).toBe(false);
    await noneOpenSoon();
  });

  test("a file that ends early cuts it too", async () => {
    const sent = answering(() => file({ sizeBytes: SIZE + 1 }));
    await expect(fetched()).rejects.toThrow();
    expect(await sent).toEqual({ bytes: SIZE, complete: false });
    await noneOpenSoon();
  });
});

describe("clients that go or stall", () => {
  test("50 aborted downloads leave no open file", async () => {
    for (let round = 0; round < 50; round += 1) {
      const sent = answering(() => file());
      const socket = connectTo(listener.url);
      socket.write(GET);
      await new Promise((resume) => socket.once("data", resume));
      socket.destroy();
      expect((await sent).complete).toBe(false);
    }
    await noneOpenSoon();
  });

  test.each<[string, () => Promise<HandOffBody> | HandOffBody]>([
    ["bytes", () => ({ kind: "bytes", bytes: Buffer.alloc(64 * 1024 * 1024) })],
    ["a file", () => file({ sizeBytes: 64 * 1024 * 1024 })],
  ])("a client that stops reading %s is cut", async (_name, make) => {
    await truncate(path, 64 * 1024 * 1024); // more than the kernel's buffers take
    const sent = answering(make);
    const socket = connectTo(listener.url);
    socket.pause();
    socket.write(GET);
    expect((await sent).complete).toBe(false);
    socket.destroy();
    await truncate(path, SIZE);
    await noneOpenSoon();
  });

  test("of two pipelined requests the quick second waits for the slow first", async () => {
    const bodies = ["slow and first", "second"];
    const secondSeen = Promise.withResolvers<void>();
    answer = async (request) => {
      const text = bodies.shift() ?? "";
      if (text.startsWith("slow")) await secondSeen.promise;
      else secondSeen.resolve();
      const { headers, body } = bodyOrHandOff(request, { kind: "bytes", bytes: Buffer.from(text) });
      return new Response(body, { headers });
    };
    const received = await exchange(listener.url, GET.repeat(2), { replies: 2 });
    expect(received.match(/slow and first|second/g)).toEqual(["slow and first", "second"]);
  });
});

describe("tokens", () => {
  test("a body is handed out once", () => {
    const token = handOff({ kind: "bytes", bytes: BYTES });
    expect(takeHandOff(token)?.kind).toBe("bytes");
    expect(takeHandOff(token)).toBeUndefined();
  });

  test("a client's own token header fetches nothing", async () => {
    const token = handOff({ kind: "bytes", bytes: Buffer.from("somebody else's") });
    answer = async (request) => Response.json({ seen: request.headers.get(HAND_OFF_HEADER) });
    const received = await exchange(
      listener.url,
      `GET /api/x HTTP/1.1\r\nHost: x\r\n${HAND_OFF_HEADER}: ${token}\r\n\r\n`,
    );
    expect(received).toContain('{"seen":null}');
    expect(takeHandOff(token)).toBeDefined();
  });

  test("an owner that throws on the report brings nothing down", async () => {
    answer = async (request) => {
      const onSent = () => {
        throw new Error("receipt failed");
      };
      const { headers, body } = bodyOrHandOff(request, { kind: "bytes", bytes: Buffer.from("sent"), onSent });
      return new Response(body, { headers });
    };
    expect((await fetched()).bytes.toString()).toBe("sent");
  });

  test("an unknown token is 500 internal", async () => {
    answer = async () => new Response(null, { headers: { [HAND_OFF_HEADER]: "guess" } });
    expect((await fetched()).reply.status).toBe(500);
  });

  test("a token beside a body of the framework's is dropped, with its file", async () => {
    const sent = new Promise<Sent>((resolve) => {
      answer = async () =>
        new Response("own", { headers: { [HAND_OFF_HEADER]: handOff({ ...(await file()), onSent: resolve }) } });
    });
    expect((await fetched()).bytes.toString()).toBe("own");
    expect(await sent).toEqual({ bytes: 0, complete: false });
    await noneOpenSoon();
  });
});

test("without our listener the body travels as a web stream, with the same checks", async () => {
  const request = new Request("http://localhost/api/x", { headers: { "x-parquetry-listener": "guess" } });
  const whole = bodyOrHandOff(request, await file({ digest: DIGEST }));
  expect(whole.headers).toEqual({});
  expect(Buffer.from(await new Response(whole.body).arrayBuffer()).equals(BYTES)).toBe(true);
  const wrong = bodyOrHandOff(request, await file({ digest: "0".repeat(64) }));
  await expect(new Response(wrong.body).arrayBuffer()).rejects.toThrow();
  await noneOpenSoon();
});

describe("a body that is made while it is sent", () => {
  const made = (parts: readonly Buffer[], sizeBytes: number, fault?: Error): HandOffBody => ({
    kind: "stream",
    sizeBytes,
    stream: Readable.from(
      (async function* () {
        yield* parts;
        if (fault) throw fault;
      })(),
      { objectMode: false },
    ),
  });

  test("arrives whole with its length", async () => {
    const sent = answering(() => made([BYTES.subarray(0, 1000), BYTES.subarray(1000)], SIZE));
    const { reply, bytes } = await fetched();
    expect([reply.headers.get("content-length"), bytes.equals(BYTES)]).toEqual([String(SIZE), true]);
    expect(await sent).toEqual({ bytes: SIZE, complete: true });
  });

  test.each([
    ["that fails on its way", made.bind(null, [BYTES.subarray(0, 1000)], SIZE, new Error("lost"))],
    ["that ends early", made.bind(null, [BYTES.subarray(0, 1000)], SIZE)],
    ["that is longer than was said", made.bind(null, [BYTES.subarray(0, 1000), BYTES], 1500)],
  ])("one %s is cut, never ended", async (_name, make) => {
    const sent = answering(() => make());
    await expect(fetched()).rejects.toThrow();
    expect((await sent).complete).toBe(false);
  });
});
