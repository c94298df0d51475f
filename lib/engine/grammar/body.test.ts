import { isLosslessNumber } from "lossless-json";
import { expect, test } from "vitest";
import { Failure } from "@/lib/kernel/errors";
import { superlinear } from "@/lib/testing/processor-growth";
import { parseJsonBody } from "./body";

function codeOf(text: string): string {
  try {
    parseJsonBody(text);
    return "accepted";
  } catch (error) {
    return error instanceof Failure ? error.code : "crashed";
  }
}

test.each([
  "",
  "{",
  "{}x",
  "[1,]",
  "{'a':1}",
  "NaN",
  '{"a":1,"a":1}',
  '{"a":1,"\\u0061":2}',
  '{"a":{"b":1,"b":1}}',
  "01",
  "\ufeff{}",
  '"\u0001"',
  "[".repeat(65_536),
  '{"a":'.repeat(10_000),
  `"${'\\"'.repeat(32_000)}`,
  `{"${"\\".repeat(65_001)}`,
])("%.40j is invalid_json", (text) => {
  expect(codeOf(text)).toBe("invalid_json");
});

test.each([
  "{}",
  "[]",
  "null",
  '"\\ud800"',
  '{"a":{"b":1},"c":{"b":1}}',
  '{"a":["x","x"]}',
  `[${"[],".repeat(20_000)}[]]`,
  ' {"a" : "b:c{[" } ',
])("%.40j is read", (text) => {
  expect(codeOf(text)).toBe("accepted");
});

test("numbers keep their digits", () => {
  const value = parseJsonBody("[9007199254740993, 1e999999, -0.10]") as unknown[];
  expect(value.every(isLosslessNumber)).toBe(true);
  expect(value.map(String)).toEqual(["9007199254740993", "1e999999", "-0.10"]);
});

test("__proto__ is a key like any other", () => {
  const value = parseJsonBody('{"__proto__":{"admin":true}}') as object;
  expect(Object.keys(value)).toEqual(["__proto__"]);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(({} as Record<string, unknown>).admin).toBeUndefined();
});

test("input eight times as long takes at most twelve times the processor time", () => {
  const units = ["[", "{", '"', '\\"', '"a":', "{}", "1", " ", '"\\u'];
  const texts = units.map((unit) => [unit, (length: number) => unit.repeat(Math.floor(length / unit.length))] as const);
  expect(superlinear(codeOf, Object.fromEntries(texts))).toEqual([]);
});
