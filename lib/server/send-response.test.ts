import { createHash, randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { mkdtemp, open, readlink, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DeferredBody, deferredResponse, plainResponse, takeDeferredBody } from "@/lib/http/deferred-body";
import type { Sent } from "@/lib/http/file-stream";
import { connectTo, exchange } from "@/lib/testing/raw-socket";
import type { Bounds } from "./bounds";
import { type Listener, startListener } from "./listener";

const SIZE = 5 * 1024 * 1024 + 17;
const BYTES = randomBytes(SIZE);
const DIGEST = createHash("sha256").update(BYTES).digest("hex");

let folder: string;
let path: string;
let listener: Listener;
let answer: (request: Request) => Promise<Response>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "send-response-"));
  path = join(folder, "blob");
  await writeFile(path, BYTES);
  listener = await listen();
});
afterAll(async () => {
  await listener.close(1_000);
  await rm(folder, { recursive: true });
});

const listen = (bounds: Partial<Bounds> = {}): Promise<Listener> =>
  startListener({
    door: { serves: () => true, takesFile: () => false, methods: () => [], handle: (request) => answer(request) },
    handle: () => undefined,
    port: 0,
    host: "127.0.0.1",
    settings: { PARQUETRY_TRUSTED_PROXIES: [] },
    logger: pino({ level: "silent" }),
    bounds,
  });

/** Replies with a deferred body; resolves with the reply's report. */
function answering(make: () => Promise<DeferredBody> | DeferredBody, status = 200): Promise<Sent> {
  return new Promise((resolve) => {
    const head = { status, headers: { "content-type": "application/octet-stream" } };
    answer = async () => deferredResponse({ ...(await make()), onSent: resolve }, head);
  });
}

const file = async (more: object = {}): Promise<DeferredBody> => ({
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

describe("bodies arrive completely", () => {
  test("bytes, in one write", async () => {
    const sent = answering(() => ({ kind: "bytes", bytes: BYTES }));
    const { reply, bytes } = await fetched();
    expect(bytes.equals(BYTES)).toBe(true);
    expect(reply.headers.get("content-length")).toBe(String(SIZE));
    expect(reply.headers.get("content-encoding")).toBeNull();
    expect(reply.headers.get("x-request-id")).toMatch(/^req_/);
    expect(await sent).toEqual({ bytes: SIZE, complete: true });
  });

  test("a file, hashed while it is sent", async () => {
    const sent = answering(() => file({ digest: DIGEST }));
    const { bytes } = await fetched();
    expect(bytes.equals(BYTES)).toBe(true);
    expect(await sent).toEqual({ bytes: SIZE, complete: true });
    await noneOpenSoon();
  });

  test("a range of either", async () => {
    const range = { start: 1_048_570, end: 3_000_000 };
    for (const make of [() => file({ range }), (): DeferredBody => ({ kind: "bytes", bytes: BYTES, range })]) {
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
    answer = async () => new Response(null, { headers: { "content-length": "123456789" } });
    const { reply } = await fetched({ method: "HEAD" });
    expect(reply.headers.get("content-length")).toBe("123456789");
  });

  test("a foreign response, with each of its cookies", async () => {
    const headers = new Headers([
      ["set-cookie", "a=1"],
      ["set-cookie", "b=2; Path=/"],
    ]);
    answer = async () => new Response("plain", { status: 201, headers });
    const { reply, bytes } = await fetched();
    expect([reply.status, bytes.toString(), reply.headers.get("content-length")]).toEqual([201, "plain", "5"]);
    expect(reply.headers.getSetCookie()).toEqual(["a=1", "b=2; Path=/"]);
  });

  test("an empty body", async () => {
    const sent = answering(() => ({ kind: "bytes", bytes: Buffer.alloc(0) }));
    expect((await fetched()).bytes.length).toBe(0);
    expect(await sent).toEqual({ bytes: 0, complete: true });
  });
});

const GET = "GET /api/x HTTP/1.1\r\nHost: x\r\n\r\n";

describe("a damaged file never arrives complete", () => {
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

describe("clients that disconnect or stall", () => {
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

  test.each<[string, () => Promise<DeferredBody> | DeferredBody]>([
    ["bytes", () => ({ kind: "bytes", bytes: Buffer.alloc(64 * 1024 * 1024) })],
    ["a file", () => file({ sizeBytes: 64 * 1024 * 1024 })],
  ])("a client that stops reading %s is cut", async (_name, make) => {
    await truncate(path, 64 * 1024 * 1024); // more than the kernel's buffers hold
    const sent = answering(make);
    const hasty = await listen({ idleMs: 100, readRate: 1 << 20 });
    const socket = connectTo(hasty.url);
    socket.pause();
    socket.write(GET);
    expect((await sent).complete).toBe(false);
    socket.destroy();
    await hasty.close(1_000);
    await truncate(path, SIZE);
    await noneOpenSoon();
  });

  test("of two pipelined requests the quick second waits for the slow first", async () => {
    const bodies = ["slow and first", "second"];
    const secondSeen = Promise.withResolvers<void>();
    answer = async () => {
      const text = bodies.shift() ?? "";
      if (text.startsWith("slow")) await secondSeen.promise;
      else secondSeen.resolve();
      return deferredResponse({ kind: "bytes", bytes: Buffer.from(text) }, {});
    };
    const received = await exchange(listener.url, GET.repeat(2), { replies: 2 });
    expect(received.match(/slow and first|second/g)).toEqual(["slow and first", "second"]);
  });
});

test("a callback that throws does not crash the server", async () => {
  const onSent = () => {
    throw new Error("receipt failed");
  };
  answer = async () => deferredResponse({ kind: "bytes", bytes: Buffer.from("sent"), onSent }, {});
  expect((await fetched()).bytes.toString()).toBe("sent");
});

test("a body can be taken once", () => {
  const response = deferredResponse({ kind: "bytes", bytes: BYTES }, {});
  expect(takeDeferredBody(response)?.kind).toBe("bytes");
  expect(takeDeferredBody(response)).toBeUndefined();
});

describe("requests as seen by the door", () => {
  const post = (body: string) => ({ method: "POST", body, headers: { "content-type": "text/plain" } });

  test("a body arrives as sent, and an unread one blocks nothing", async () => {
    answer = async (request) => new Response(request.headers.get("x-read") ? await request.text() : "unread");
    const read = { ...post("läuft"), headers: { "x-read": "1" } };
    for (const [init, expected] of [
      [read, "läuft"],
      [post("x".repeat(60_000)), "unread"],
      [read, "läuft"],
    ] as const)
      expect((await fetched(init)).bytes.toString()).toBe(expected);
    const pipelined = `POST /api/x HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello`.repeat(3);
    expect((await exchange(listener.url, pipelined)).match(/unread/g)).toHaveLength(3);
  });

  test("the signal fires if the client disconnects before the reply", async () => {
    const asked = Promise.withResolvers<void>();
    const gone = new Promise<void>((resolve) => {
      answer = (request) => {
        asked.resolve();
        return new Promise(() => request.signal.addEventListener("abort", () => resolve(), { once: true }));
      };
    });
    const socket = connectTo(listener.url);
    socket.write(GET);
    await asked.promise;
    socket.destroy();
    await gone;
  });

  test("an error thrown by the door is 500 internal, without details", async () => {
    answer = () => Promise.reject(new Error("secret"));
    const { reply, bytes } = await fetched();
    expect([reply.status, bytes.includes("secret")]).toEqual([500, false]);
  });
});

test("without our listener the body travels as a web stream, with the same checks", async () => {
  const request = new Request("http://localhost/api/x", { headers: { "x-parquetry-listener": "guess" } });
  const whole = plainResponse(deferredResponse(await file({ digest: DIGEST }), {}), request);
  expect([...whole.headers]).toEqual([]);
  expect(Buffer.from(await whole.arrayBuffer()).equals(BYTES)).toBe(true);
  const wrong = plainResponse(deferredResponse(await file({ digest: "0".repeat(64) }), {}), request);
  await expect(wrong.arrayBuffer()).rejects.toThrow();
  await noneOpenSoon();
});

describe("a streamed body", () => {
  const made = (parts: readonly Buffer[], sizeBytes: number, fault?: Error): DeferredBody => ({
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
    ["that fails midway", made.bind(null, [BYTES.subarray(0, 1000)], SIZE, new Error("lost"))],
    ["that ends early", made.bind(null, [BYTES.subarray(0, 1000)], SIZE)],
    ["that is longer than declared", made.bind(null, [BYTES.subarray(0, 1000), BYTES], 1500)],
  ])("one %s is cut, never ended", async (_name, make) => {
    const sent = answering(() => make());
    await expect(fetched()).rejects.toThrow();
    expect((await sent).complete).toBe(false);
  });
});
