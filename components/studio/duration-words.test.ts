import { expect, test } from "vitest";
import { everyWords } from "./duration-words";

test.each([
  ["P1M", "every month"],
  ["P1D", "every day"],
  ["P2W", "every 2 weeks"],
  ["PT15M", "every 15 minutes"],
  ["P1DT12H", "every day and 12 hours"],
])("%s is %s", (duration, words) => {
  expect(everyWords(duration)).toBe(words);
});
