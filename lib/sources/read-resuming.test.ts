import { createHash } from "node:crypto";
import type { RequestListener } from "node:http";
import { describe, expect, test } from "vitest";
import { useSourceReader } from "@/lib/testing/source-reader";

const source = useSourceReader();
const { read, failureOf } = source;

describe("a body that breaks off", () => {
  const whole = Buffer.alloc(300_000, "abcdefgh");
  const breaking =
    (etag: string, again: (from: number) => number): RequestListener =>
    (request, reply) => {
      const from = Number(/^bytes=(\d+)-/.exec(String(request.headers.range ?? ""))?.[1] ?? 0);
      const isPart = request.headers.range !== undefined && request.headers["if-range"] === etag;
      const start = isPart ? from : 0;
      reply.writeHead(isPart ? 206 : 200, {
        etag,
        "accept-ranges": "bytes",
        "content-length": whole.length - start,
        ...(isPart && { "content-range": `bytes ${start}-${whole.length - 1}/${whole.length}` }),
      });
      const end = again(start);
      if (end >= whole.length) return void reply.end(whole.subarray(start));
      reply.write(whole.subarray(start, end), () => request.socket.destroySoon());
    };

  test("is resumed where it broke, under a strong entity tag", async () => {
    source.server.answer(breaking('"v1"', (start) => start + 100_000));
    expect((await read()).digest).toBe(createHash("sha256").update(whole).digest("hex"));
    expect(source.server.asked.length).toBeGreaterThan(2);
    expect(source.server.asked[1]?.headers["if-range"]).toBe('"v1"');
  });

  test("is read again from the start under a weak one", async () => {
    let times = 0;
    source.server.answer(breaking('W/"v1"', () => (++times === 1 ? 100_000 : whole.length)));
    expect((await read()).digest).toBe(createHash("sha256").update(whole).digest("hex"));
    expect(source.server.asked.map(({ headers }) => headers.range)).toEqual([undefined, undefined]);
  });

  test("is source_changed if the rest belongs to another file", async () => {
    source.server.answer((request, reply) => {
      if (request.headers.range === undefined) return void breaking('"v1"', () => 100_000)(request, reply);
      reply.writeHead(206, { etag: '"v2"', "content-range": "bytes 100000-299999/300000" }).end(Buffer.alloc(200_000));
    });
    expect((await failureOf(read())).code).toBe("source_changed");
  });
});

// the client drops what it has not handed on yet when the connection ends
test("a reply that always ends early fails with how much of it arrived", async () => {
  source.server.answer((request, reply) => {
    reply.writeHead(200, { "content-length": 300_000 });
    reply.write(Buffer.alloc(120_000), () => request.socket.destroySoon());
  });
  const failure = await failureOf(read());
  expect(failure.code).toBe("source_unreachable");
  const arrived = /ended after ([\d,]+) of 300,000 bytes/.exec(failure.message)?.[1] ?? "nothing said";
  expect(Number(arrived.replaceAll(",", ""))).toBeLessThanOrEqual(120_000);
});

describe("temporary failures are retried:", () => {
  for (const [status, head, waited] of [
    [503, { "retry-after": "7" }, 7_000],
    [429, {}, 2_000],
    [500, {}, 2_000],
  ] as const)
    test(`${status}`, async () => {
      let times = 0;
      source.server.answer((_request, reply) => void reply.writeHead(++times === 1 ? status : 200, head).end("a"));
      await read();
      expect(source.waits).toEqual([waited]);
    });

  test("five times, and no more", async () => {
    source.server.answer((_request, reply) => void reply.writeHead(503).end());
    expect(await failureOf(read())).toMatchObject({ code: "source_status", status: 503 });
    expect(source.server.asked.length).toBe(6);
  });

  test("not after a time longer than the maximum wait", async () => {
    source.server.answer((_request, reply) => void reply.writeHead(429, { "retry-after": "3600" }).end());
    expect(await failureOf(read())).toMatchObject({ code: "source_status", retryAfterMs: 3_600_000 });
    expect(source.server.asked.length).toBe(1);
  });

  test("but permanent ones are not: 401, 403, 404, 410, 451", async () => {
    for (const status of [401, 403, 404, 410, 451]) {
      source.server.answer((_request, reply) => void reply.writeHead(status).end("secret words of the server"));
      const failure = await failureOf(read());
      expect(failure).toMatchObject({ code: "source_status", status });
      expect(failure.message).not.toContain("secret words");
    }
    expect(source.server.asked.length).toBe(5);
  });
});
