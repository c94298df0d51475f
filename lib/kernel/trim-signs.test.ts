import { expect, test } from "vitest";
import { withoutEnd, withoutStart } from "./trim-signs";

test.each([
  ["", "", ""],
  ["--a-b--", "--a-b", "a-b--"],
  ["-_-", "", ""],
  ["a", "a", "a"],
])("%j loses its signs at the end (%j) or at the start (%j), but none inside", (text, end, start) => {
  expect([withoutEnd(text, "-_"), withoutStart(text, "-_")]).toEqual([end, start]);
});
