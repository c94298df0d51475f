import { expect, test } from "vitest";
import { timesAsMuch } from "@/lib/testing/processor-time";
import { readTree } from "./tree";

test("a map has each key once, also where its forms differ", () => {
  expect(readTree("a: 1\nb: 2")).toMatchObject({ a: { value: "1" }, b: { value: "2" } });
  expect(() => readTree("a:\n  b: 1\n  c: 2\n  b: 3")).toThrow("Line 4: Map keys must be unique.");
  expect(() => readTree("{a: 1, 'a': 2}\n".slice(0, -1))).toThrow();
  expect(() => readTree('x: {1: a, "1": b}')).toThrow("Line 1: Map keys must be unique.");
});

test("keys that objects have of their own are keys like others", () => {
  const tree = readTree("__proto__: {polluted: yes}\nconstructor: b") as Record<string, unknown>;
  expect(Object.keys(tree)).toEqual(["__proto__", "constructor"]);
  expect(tree.polluted).toBeUndefined();
});

test("a map of many keys takes time in proportion to them", async () => {
  const map = (keys: number) => {
    const text = `a: {${Array.from({ length: keys }, (_, at) => at.toString(36)).join(", ")}}`;
    return () => readTree(text);
  };
  expect(await timesAsMuch(map(12_000), map(1_500), 24)).toBeLessThan(24); // 8 times as many; pair by pair 64
});
