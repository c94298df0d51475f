import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { READING_LIMITS, sends, useSourceReader } from "@/lib/testing/source-reader";

const source = useSourceReader();
const { read, failureOf } = source;

describe("limits:", () => {
  test("a length that is too large fails before the first byte", async () => {
    source.server.answer((_request, reply) => void reply.writeHead(200, { "content-length": "2000000" }).write("a"));
    expect((await failureOf(read())).code).toBe("source_too_large");
  });
  test("bytes count as they arrive", async () => {
    source.server.answer(sends(Buffer.alloc(1_000_001)));
    expect((await failureOf(read())).code).toBe("source_too_large");
  });
  test("a sample is cut off at the limit", async () => {
    source.server.answer(sends(Buffer.alloc(1_500_000)));
    expect(await read({ limits: { ...READING_LIMITS, mayCut: true } })).toMatchObject({
      bytes: 1_000_000,
      isCut: true,
    });
  });
  test("a reply that unpacks to more than 200 times its size", async () => {
    source.server.answer(sends(gzipSync(Buffer.alloc(50_000_000)), { "content-encoding": "gzip" }));
    const limits = { ...READING_LIMITS, bytes: 100_000_000 };
    expect((await failureOf(read({ limits, isPage: true }))).code).toBe("source_too_large");
  });
  test("a server that says nothing", async () => {
    source.server.answer(() => undefined);
    const connecting = source.server.connecting({ headMs: 50 });
    expect((await failureOf(read({}, { connecting }))).code).toBe("source_timeout");
  });
  test("a head of more than 100 fields", async () => {
    source.server.answer(sends("a", Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`x-${at}`, "1"]))));
    expect((await failureOf(read())).code).toBe("source_refused");
  });
  test("two content codings", async () => {
    source.server.answer(sends("a", { "content-encoding": "gzip, br" }));
    expect((await failureOf(read())).code).toBe("source_refused");
  });
});
