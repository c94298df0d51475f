import { crc32 } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { newKey } from "./access-key";
import { DIGITS, keyChecksum, keyKindOf } from "./key-form";

test("the checksum is the CRC-32 of the characters, in base62", () => {
  const read = (digits: string) => [...digits].reduce((sum, digit) => sum * 62 + DIGITS.indexOf(digit), 0);
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...DIGITS), maxLength: 60 }),
      (text) => read(keyChecksum(text)) === crc32(text),
    ),
  );
});

test("a key with one wrong character is invalid", () => {
  const key = newKey("use");
  expect(keyKindOf(key)).toBe("use");
  expect(keyKindOf(`${key.slice(0, 20)}${key[20] === "a" ? "b" : "a"}${key.slice(21)}`)).toBeUndefined();
});
