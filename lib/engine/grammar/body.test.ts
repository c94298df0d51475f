import { isLosslessNumber } from "lossless-json";
import { expect, test } from "vitest";
import { Failure } from "@/lib/errors";
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

test("numbers keep their own digits", () => {
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

test("64 KiB of anything is answered at once", () => {
  for (const unit of ["[", "{", '"', '\\"', '"a":', "{}", "1", " ", '"\\u']) {
    const startedAt = process.cpuUsage();
    codeOf(unit.repeat(Math.floor(65_536 / unit.length)));
    expect(process.cpuUsage(startedAt).user).toBeLessThan(1_000_000); // µs; quadratic would be many seconds
  }
});
