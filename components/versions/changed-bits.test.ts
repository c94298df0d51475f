import fc from "fast-check";
import { LosslessNumber } from "lossless-json";
import { expect, test } from "vitest";
import { valueText } from "@/components/values/value-text";
import { type Bit, changedBits } from "./changed-bits";

const side = (value: unknown, type = "string") => ({ value, text: valueText(value, { name: "c", type }) ?? "" });
/** Pieces as text, with those of only one version in brackets. */
const marked = (bits: readonly Bit[]) => bits.map(({ text, isChanged }) => (isChanged ? `⟦${text}⟧` : text)).join("");

function between(before: unknown, after: unknown, type?: string): [string, string] {
  const bits = changedBits({ before: side(before, type), after: side(after, type) });
  return [marked(bits.before), marked(bits.after)];
}

test.each([
  ["words of a text", "The old harbour of Kiel", "The new harbour of Kiel", "The ⟦old⟧ harbour of Kiel"],
  ["words next to each other", "a b c d e f", "a x y d e f", "a ⟦b c⟧ d e f"],
  ["what was taken away", "https://example.org/en/data", "https://example.org/data", "https://example.org/⟦en/⟧data"],
  ["texts with little in common", "Aberdeen", "Zürich airport", "⟦Aberdeen⟧"],
  ["entries of a list", ["text/csv", "text/html"], ["text/css", "text/html"], '[⟦"text/csv"⟧,"text/html"]'],
  ["an entry that is gone", ["a", "b", "c"], ["a", "c"], '["a",⟦"b",⟧"c"]'],
  [
    "a member of JSON",
    { city: "Kiel", zip: "24103" },
    { city: "Bonn", zip: "24103" },
    '{"city":"⟦Kiel⟧","zip":"24103"}',
  ],
])("%s are marked, and nothing else", (_, before, after, expected) => {
  expect(between(before, after)[0]).toBe(expected);
});

test("numbers, times and booleans are marked entirely", () => {
  expect(between(new LosslessNumber("1234567"), new LosslessNumber("1234568"), "int64")).toEqual([
    "⟦1,234,567⟧",
    "⟦1,234,568⟧",
  ]);
  expect(between(true, false, "boolean")).toEqual(["⟦true⟧", "⟦false⟧"]);
});

test("texts that differ after their shown part have no mark", () => {
  expect(between("x".repeat(1000), "x".repeat(1000))[0]).toBe("x".repeat(1000));
});

test("thousands of tokens are compared within bounds", () => {
  const long = (word: string) => Array.from({ length: 1000 }, (_, at) => `${word}${at}`).join(" ");
  const [before] = between(
    `same ${"same ".repeat(900)}${long("a")} end`,
    `same ${"same ".repeat(900)}${long("b")} end`,
  );
  expect(before).toMatch(/⟦a0 a1 [^⟦]*a999⟧ end$/);
});

test("the pieces of a side are its text, and what is in both is the same on both sides", () => {
  const words = fc.array(fc.constantFrom("ab", "cd", " ", ", ", "é", "日本", "1.5", "{"), { maxLength: 30 });
  fc.assert(
    fc.property(words, words, (one, two) => {
      const [before, after] = [side(one.join("")), side(two.join(""))];
      const bits = changedBits({ before, after });
      const whole = (list: readonly Bit[]) => list.map(({ text }) => text).join("");
      expect([whole(bits.before), whole(bits.after)]).toEqual([before.text, after.text]);
    }),
  );
});
