import { expect, test } from "vitest";
import { Cache } from "./cache";

/** Work that ends on request. */
function started() {
  const runs: { end: (value: string) => void; fail: (error: unknown) => void }[] = [];
  const make = () => new Promise<string>((end, fail) => void runs.push({ end, fail }));
  return { runs, make };
}
const text = (error: Error) => error.message;

test("callers share pending and resolved values; after a failure the next caller retries", async () => {
  const [{ runs, make }, cache] = [started(), new Cache<string>({ capacity: 10 })];
  const both = [cache.get("x", make), cache.get("x", make)];
  runs[0]?.end("one");
  expect([...(await Promise.all(both)), await cache.get("x", make), runs.length]).toEqual(["one", "one", "one", 1]);
  const failed = cache.get("y", make).catch(text);
  runs[1]?.fail(new Error("gone"));
  expect(await failed).toBe("gone");
  const next = cache.get("y", make);
  runs[2]?.end("two");
  expect(await next).toBe("two");
});

test("a caller's own failure is not shared: the waiting callers retry together", async () => {
  const [{ runs, make }, cache] = [started(), new Cache<string>({ capacity: 10 })];
  const isOwn = (error: unknown) => text(error as Error) === "quota";
  const ask = () => cache.getOwn("x", make, isOwn).catch(text);
  const [first, second, third] = [ask(), ask(), ask()];
  runs[0]?.fail(new Error("quota"));
  expect(await first).toBe("quota");
  await expect.poll(() => runs.length).toBe(2);
  runs[1]?.end("answer");
  expect([await second, await third, runs.length]).toEqual(["answer", "answer", 2]);
});

test("any other failure is shared by all callers that waited", async () => {
  const [{ runs, make }, cache] = [started(), new Cache<string>({ capacity: 10 })];
  const ask = () => cache.getOwn("x", make, () => false).catch(text);
  const both = [ask(), ask()];
  runs[0]?.fail(new Error("broken"));
  expect([...(await Promise.all(both)), runs.length]).toEqual(["broken", "broken", 1]);
});

test("capacity is a sum of sizes, the least recently used entry is evicted first, large ones are not held", () => {
  const cache = new Cache<{ bytes: number }>({ capacity: 32, sizeOf: ({ bytes }) => bytes, largestShare: 1 / 4 });
  for (let at = 0; at < 40; at += 1) {
    cache.store(`r${at}`, { bytes: 1 });
    cache.find("r0");
  }
  const held = Array.from({ length: 40 }, (_, at) => `r${at}`).filter((key) => cache.find(key));
  expect(held).toHaveLength(32);
  expect(held.slice(0, 2)).toEqual(["r0", "r9"]);
  cache.store("large", { bytes: 9 });
  expect(cache.find("large")).toBeUndefined();
});

test("an entry is found only under the stamp with which it was stored", () => {
  const cache = new Cache<string>({ capacity: 10 });
  cache.store("x", "one", "first generation");
  expect([cache.find("x", "first generation"), cache.find("x", "second generation"), cache.find("x")]).toEqual([
    "one",
    undefined,
    undefined,
  ]);
  cache.store("x", "two", "second generation");
  expect([cache.find("x", "first generation"), cache.find("x", "second generation")]).toEqual([undefined, "two"]);
});

test("without capacity nothing is held, but callers at the same time share the work", async () => {
  const [{ runs, make }, cache] = [started(), new Cache<string>({ capacity: 0 })];
  expect([cache.store("a", "one"), cache.find("a")]).toEqual(["one", undefined]);
  const both = [cache.get("x", make), cache.get("x", make)];
  runs[0]?.end("one");
  expect([...(await Promise.all(both)), runs.length]).toEqual(["one", "one", 1]);
  void cache.get("x", make);
  expect(runs.length).toBe(2);
});
