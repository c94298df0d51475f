import { expect, test } from "vitest";
import { ReadCache } from "./read-cache";

test("capacity is in bytes, the least recently used read is evicted first, and large ones are not kept", () => {
  const reads = new ReadCache<{ name: string }>(32 * 1024);
  for (let at = 0; at < 40; at += 1) {
    reads.keep(`r${at}`, { name: `r${at}` }, 0);
    reads.find("r0");
  }
  const kept = Array.from({ length: 40 }, (_, at) => `r${at}`).filter((key) => reads.find(key));
  expect(kept).toHaveLength(32);
  expect(kept.slice(0, 2)).toEqual(["r0", "r9"]);
  reads.keep("large", { name: "large" }, 2048);
  expect(reads.find("large")).toBeUndefined();
});

test("with no capacity, nothing is kept", () => {
  const reads = new ReadCache<{ name: string }>(0);
  reads.keep("a", { name: "a" }, 1);
  expect(reads.find("a")).toBeUndefined();
});
