import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type Engine, openEngine, type Session } from "@/lib/engine/duckdb/engine";
import { ask, column, type EngineFixture, openFixture, seal } from "@/lib/testing/engine-fixture";
import { cachedPage } from "./cached-page";
import type { PageRead } from "./read-page";

let fixture: EngineFixture;
let engine: Engine;

beforeAll(async () => {
  fixture = await openFixture("cached-page");
});
afterEach(async () => engine.close());
afterAll(async () => fixture.close());

const open = async (own: { queriesAtOnce?: number } = {}) => {
  engine = await openEngine({ ...fixture.options, readCacheMb: 16, ...own });
};

/** A read that ends on request or when it is stopped; `begun` resolves once it has its slot. */
function slowRead() {
  const [begun, ended] = [Promise.withResolvers<Session>(), Promise.withResolvers<PageRead>()];
  let times = 0;
  const read = (session: Session) => {
    times += 1;
    begun.resolve(session);
    session.signal.addEventListener("abort", () => ended.reject(session.signal.reason));
    return ended.promise;
  };
  return { read, begun: begun.promise, end: ended.resolve, fail: ended.reject, times: () => times };
}

const pageWith = (text: string): PageRead => ({
  rows: { parts: [Buffer.from(text)], taken: 1, last: 0n, hasMore: false, tooLarge: false, missing: [] },
  scannedBytes: 1,
  total: undefined,
});
const textOf = ({ page, isCached }: { page: PageRead; isCached: boolean }) =>
  [Buffer.concat(page.rows.parts).toString(), isCached] as const;
const thrown = (error: unknown) => error;

test("callers wait for a page that is being read, and the read outlives the caller who started it", async () => {
  await open();
  const slow = slowRead();
  const gone = new AbortController();
  const first = cachedPage(engine, "x", slow.read, { subject: "a", signal: gone.signal }).catch(thrown);
  const session = await slow.begun;
  const others = ["a", "b", "c"].map((subject) => cachedPage(engine, "x", slow.read, { subject }));
  gone.abort(new Error("gone"));
  expect([await first, session.signal.aborted]).toEqual([new Error("gone"), false]);
  slow.end(pageWith("rows"));
  expect((await Promise.all(others)).map(textOf)).toEqual(others.map(() => ["rows", false]));
  expect(textOf(await cachedPage(engine, "x", slow.read, { subject: "d" }))).toEqual(["rows", true]);
  expect(slow.times()).toBe(1);
});

test("a read stops when the last caller leaves, and starts again for the next", async () => {
  await open();
  const slow = slowRead();
  const leaving = [new AbortController(), new AbortController()];
  const asked = [cachedPage(engine, "x", slow.read, { signal: leaving[0]?.signal }).catch(thrown)];
  const session = await slow.begun;
  asked.push(cachedPage(engine, "x", slow.read, { signal: leaving[1]?.signal }).catch(thrown));
  for (const [at, each] of leaving.entries()) each.abort(new Error(`gone ${at}`));
  const next = cachedPage(engine, "x", async () => pageWith("again"), {});
  expect(await Promise.all(asked)).toEqual([new Error("gone 0"), new Error("gone 1")]);
  expect(session.signal.aborted).toBe(true);
  expect(textOf(await next)).toEqual(["again", false]);
});

test("a failure reaches all callers that wait for the read, and nobody after them", async () => {
  await open();
  const slow = slowRead();
  const first = cachedPage(engine, "x", slow.read, { subject: "a" }).catch(thrown);
  await slow.begun;
  const second = cachedPage(engine, "x", slow.read, { subject: "b" }).catch(thrown);
  slow.fail(new Error("broken"));
  expect([await first, await second]).toEqual([new Error("broken"), new Error("broken")]);
  expect(textOf(await cachedPage(engine, "x", async () => pageWith("rows"), {}))).toEqual(["rows", false]);
});

test("nobody waits for a caller that is still queued, which later finds the page in memory", async () => {
  await open({ queriesAtOnce: 2 });
  const [busy, slow] = [Promise.withResolvers<void>(), slowRead()];
  const running = engine.run(() => busy.promise, { subject: "a" });
  const queued = cachedPage(engine, "x", slow.read, { subject: "a" });
  slow.end(pageWith("rows"));
  expect(textOf(await cachedPage(engine, "x", slow.read, { subject: "b" }))).toEqual(["rows", false]);
  busy.resolve();
  await running;
  expect([...textOf(await queued), slow.times()]).toEqual(["rows", true, 1]);
});

test("a cached page holds only its own bytes", async () => {
  await open();
  const version = await seal(fixture, "small", "SELECT i AS id FROM range(3) r(i)", [column("id", "int64", "BIGINT")]);
  const kept: PageRead[] = [];
  engine.readCache.store = (_, read) => {
    kept.push(read.page as PageRead);
    return read;
  };
  await ask(engine, version, { columns: ["id"] });
  const parts = kept.flatMap(({ rows }) => rows.parts);
  expect(parts.map(({ byteLength }) => byteLength)).toEqual(parts.map(({ buffer }) => buffer.byteLength));
  expect(Buffer.concat(parts).toString()).toBe('{"id":0},\n{"id":1},\n{"id":2}');
});
