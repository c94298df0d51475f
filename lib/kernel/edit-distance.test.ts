import fc from "fast-check";
import { expect, test } from "vitest";
import { editDistance } from "./edit-distance";

test.each([
  ["", "", 0],
  ["", "ab", 2],
  ["flight", "flight", 0],
  ["flight", "fligth", 1],
  ["flight", "fight", 1],
  ["flight", "flights", 1],
  ["flight", "fleght", 1],
  ["earthquake", "eartqhuakes", 2],
  ["ca", "abc", 3],
])("%j and %j are %i edits apart", (a, b, edits) => {
  expect([editDistance(a, b, 10), editDistance(b, a, 10)]).toEqual([edits, edits]);
});

/** The definition itself, without a bound. */
function defined(a: string, b: string): number {
  if (a === "" || b === "") return a.length + b.length;
  const [lastA, lastB] = [a.at(-1), b.at(-1)];
  const [shortA, shortB] = [a.slice(0, -1), b.slice(0, -1)];
  const swapped = a.length > 1 && b.length > 1 && lastA === b.at(-2) && a.at(-2) === lastB;
  return Math.min(
    defined(shortA, shortB) + (lastA === lastB ? 0 : 1),
    defined(shortA, b) + 1,
    defined(a, shortB) + 1,
    ...(swapped ? [defined(a.slice(0, -2), b.slice(0, -2)) + 1] : []),
  );
}

test("the result equals the distance by its definition, capped at the bound", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 6 });
  fc.assert(
    fc.property(word, word, fc.integer({ min: 1, max: 7 }), (a, b, bound) => {
      expect(editDistance(a, b, bound)).toBe(Math.min(defined(a, b), bound));
    }),
  );
});
