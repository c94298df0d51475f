import { expect, test } from "vitest";
import { withoutEnd, withoutStart } from "./trim-signs";

test.each([
  ["", "", ""],
  ["--a-b--", "--a-b", "a-b--"],
  ["-_-", "", ""],
  ["a", "a", "a"],
])("%j loses its signs at the end (%j) or at the beginning (%j), and none within", (text, end, start) => {
  expect([withoutEnd(text, "-_"), withoutStart(text, "-_")]).toEqual([end, start]);
});
