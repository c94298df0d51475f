import { expect, test } from "vitest";
import { parseExactJson, stringifyExactJson } from "./exact-json";

test("every digit round-trips, and a duplicate name is not an error", () => {
  const text = '{"n":12345678901234567890.10,"small":0.1,"a":[9007199254740993,1e400]}';
  expect(stringifyExactJson(parseExactJson(text))).toBe(text);
  expect(stringifyExactJson(parseExactJson('[{"a":1,"a":2}]'))).toBe('[{"a":2}]');
});
