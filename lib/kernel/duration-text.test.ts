import { expect, test } from "vitest";
import { durationText, everyText } from "./duration-text";

test.each([
  ["P1M", "every month"],
  ["P1D", "every day"],
  ["P2W", "every 2 weeks"],
  ["PT15M", "every 15 minutes"],
  ["P1DT12H", "every day and 12 hours"],
])("%s is %s", (duration, words) => {
  expect(everyText(duration)).toBe(words);
});

test.each([
  ["P4D", "4 days"],
  ["P1Y", "1 year"],
  ["P1DT1H", "1 day and 1 hour"],
])("%s is %s", (duration, words) => {
  expect(durationText(duration)).toBe(words);
});
