import { expect, test } from "vitest";
import { isWithin } from "./limits";

test.each([
  [57, "57%", 100, true],
  [58, "57%", 100, false],
  [1, "0.1%", 1000, true],
  [1, "0.1%", 999, false],
  [0, "0%", 0, true],
  [1, "100%", 0, false],
  [3, 3, 0, true],
  [4, 3, 1000, false],
  [7, "0.000007%", 100_000_000, true],
])("%i failures within %s of %i: %s", (count, limit, of, expected) =>
  expect(isWithin(count, limit, of)).toBe(expected),
);
