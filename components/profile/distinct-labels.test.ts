import fc from "fast-check";
import { expect, test } from "vitest";
import { distinctLabels } from "./distinct-labels";

const LENGTH_MAX = 22;

test("labels that begin alike are shortened where they are the same, not where they differ", () => {
  expect(
    distinctLabels(
      [
        "GNU General Public License v1.0 only",
        "GNU General Public License v2.0 or later",
        "https://www.gnu.org/licenses/old-licenses/gpl-1.0-standalone.html",
        "https://www.gnu.org/licenses/gpl-3.0-standalone.html",
        "A long name that no other label begins with",
        "MIT",
      ],
      LENGTH_MAX,
    ),
  ).toEqual([
    "GNU Gener…v1.0 only",
    "GNU Gener…v2.0 or later",
    "https://w…old-licenses/gpl-1.0-standalone.html",
    "https://w…gpl-3.0-standalone.html",
    "A long name that no other label begins with",
    "MIT",
  ]);
});

test("of three, the two most similar ones also remain distinct", () => {
  expect(
    distinctLabels(
      [
        "https://www.gnu.org/licenses/fdl-1.3.txt",
        "https://www.gnu.org/licenses/old-licenses/fdl-1.1.txt",
        "https://www.gnu.org/licenses/old-licenses/fdl-1.2.txt",
        "https://www.gnu.org/licenses/old-licenses/fdl-1.3.txt",
      ],
      LENGTH_MAX,
    ),
  ).toEqual([
    "https://w…fdl-1.3.txt",
    "https://w…fdl-1.1.txt",
    "https://w…fdl-1.2.txt",
    "https://w…old-licenses/fdl-1.3.txt",
  ]);
});

test("two labels that differ soon after a long shared beginning differ in what is visible", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 20, maxLength: 60 }), fc.string(), fc.string(), (shared, a, b) => {
      fc.pre(a[0] !== b[0] && a !== "" && b !== "" && !/\s$/.test(shared));
      const [first = "", second = ""] = distinctLabels([`${shared}${a}`, `${shared}${b}`], LENGTH_MAX);
      expect(first.slice(0, LENGTH_MAX + 2)).not.toBe(second.slice(0, LENGTH_MAX + 2));
    }),
  );
});
