import fc from "fast-check";
import { expect, test } from "vitest";
import { compareExact, type ExactNumber, formatScaled, parseExact, quantise, wholeNumber } from "./exact-number";

const exact = (text: string): ExactNumber => parseExact(text) ?? { coefficient: 0n, exponent: 0 };

test.each([
  ["0", 0n, 0],
  ["-0.000", 0n, 0],
  ["0e99999999999", 0n, 0],
  ["1.50", 15n, -1],
  ["-120", -12n, 1],
  ["1e3", 1n, 3],
  ["0.001E-2", 1n, -5],
])("%s is %d × 10^%d", (text, coefficient, exponent) => {
  expect(parseExact(text)).toEqual({ coefficient, exponent });
});

test("anything that is not a JSON number is rejected", () => {
  for (const text of ["", "1.", ".5", "+1", "0x1", "1e", "NaN", "--1"]) expect(parseExact(text)).toBeUndefined();
});

test.each([
  ["1.5", 0, 1n, 2n],
  ["-1.5", 0, -2n, -1n],
  ["1.505", 2, 150n, 151n],
  ["2", 2, 200n, 200n],
  ["1e-999999", 0, 0n, 1n],
  ["-1e-999999", 10, -1n, 0n],
])("%s at %d decimals lies between %d and %d", (text, scale, floor, ceil) => {
  expect(quantise(exact(text), scale)).toEqual({ floor, ceil });
});

test("an absurd exponent is found out of range quickly, in either spelling", () => {
  expect(quantise(exact("1e999999"), 0)).toBeUndefined();
  expect(quantise(exact("1e99999999999999999999999"), 0)).toBeUndefined();
  expect(compareExact(exact("1e999999"), exact("-1e9999999"))).toBeGreaterThan(0);
});

test("integers are read in every spelling", () => {
  expect(["100", "1e2", "100.0", "1.5", "9007199254740992", "-1"].map(wholeNumber)).toEqual([
    100,
    100,
    100,
    undefined,
    undefined,
    -1,
  ]);
});

test("comparing and quantising agree with rational arithmetic", () => {
  const number = fc.tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.integer({ min: -40, max: 40 }));
  fc.assert(
    fc.property(number, number, fc.integer({ min: 0, max: 20 }), ([a, x], [b, y], scale) => {
      const [left, right] = [a * 10n ** BigInt(x + 40), b * 10n ** BigInt(y + 40)];
      expect(Math.sign(compareExact(exact(`${a}e${x}`), exact(`${b}e${y}`)))).toBe(
        left < right ? -1 : left > right ? 1 : 0,
      );
      const at = quantise(exact(`${a}e${x}`), scale);
      const unit = 10n ** BigInt(40 - scale);
      expect(at && at.floor * unit <= left && left <= at.ceil * unit && at.ceil - at.floor <= 1n).toBe(true);
    }),
  );
});

test("coefficients print with all their decimals", () => {
  expect([formatScaled(150n, 2), formatScaled(-5n, 2), formatScaled(0n, 2), formatScaled(-7n, 0)]).toEqual([
    "1.50",
    "-0.05",
    "0.00",
    "-7",
  ]);
});
