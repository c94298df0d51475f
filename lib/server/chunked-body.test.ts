import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deferredResponse } from "@/lib/http/deferred-body";
import type { Sent } from "@/lib/http/file-stream";
import { type Listener, startListener } from "./listener";

let listener: Listener;
let stream: () => Readable;
let sent: Sent | undefined;
const note = (found: Sent) => {
  sent = found;
};

beforeAll(async () => {
  const handle = async () =>
    deferredResponse(
      {
        kind: "stream",
        stream: stream(),
        trailers: () => ({ "X-End": "reached" }),
        onSent: note,
      },
      { status: 200, headers: { trailer: "X-End" } },
    );
  listener = await startListener({
    door: { serves: () => true, takesFile: () => false, methods: () => [], handle },
    handle: () => undefined,
    port: 0,
    host: "127.0.0.1",
    settings: { PARQUETRY_TRUSTED_PROXIES: [] },
    logger: pino({ level: "silent" }),
  });
});
afterAll(() => listener.close(1_000));

async function fetched(): Promise<IncomingMessage & { text: string }> {
  const [reply] = (await once(get(`${listener.url}/api/x`), "response")) as [IncomingMessage];
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of reply) chunks.push(chunk as Buffer);
  } catch {
    // cut off: `complete` says so
  }
  return Object.assign(reply, { text: Buffer.concat(chunks).toString() });
}

test("a body of unknown length is sent in chunks, followed by its trailers", async () => {
  stream = () => Readable.from([Buffer.from("first "), Buffer.from("second")]);
  const reply = await fetched();
  expect([reply.text, reply.complete, reply.headers["content-length"]]).toEqual(["first second", true, undefined]);
  expect(reply.trailers).toEqual({ "x-end": "reached" });
  expect(sent).toEqual({ bytes: 12, complete: true });
});

test("one that fails is cut off, so that its reader sees that it is incomplete", async () => {
  stream = () =>
    Readable.from(
      (async function* () {
        yield Buffer.from("first ");
        throw new Error("storage failed");
      })(),
    );
  const reply = await fetched();
  expect([reply.complete, reply.trailers]).toEqual([false, {}]);
  await expect.poll(() => sent).toEqual({ bytes: 6, complete: false });
});
