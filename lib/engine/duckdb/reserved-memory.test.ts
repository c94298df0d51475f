import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { ReservedMemory } from "./reserved-memory";

const never = new AbortController().signal;

test("a query that does not fit alongside the others waits for its turn", async () => {
  const memory = new ReservedMemory(100);
  const admitted: string[] = [];
  const take = (name: string, bytes: number, signal = never) =>
    memory.take(bytes, signal).then((release) => {
      admitted.push(name);
      return release;
    });
  const first = await take("first", 60);
  const second = take("second", 60);
  const third = take("third", 10);
  await setImmediate();
  expect(admitted).toEqual(["first"]);
  first();
  first(); // releasing again has no effect
  (await second)();
  (await third)();
  expect(admitted).toEqual(["first", "second", "third"]);
  (await take("all", 100))();
});

test("a cancelled waiter lets the next one proceed", async () => {
  const memory = new ReservedMemory(100);
  const leaving = new AbortController();
  const release = await memory.take(60, never);
  const large = expect(memory.take(90, leaving.signal)).rejects.toThrow("gone");
  const small = memory.take(40, never);
  leaving.abort(new Error("gone"));
  await large;
  (await small)();
  release();
  await expect(memory.take(1, leaving.signal)).rejects.toThrow("gone");
});
