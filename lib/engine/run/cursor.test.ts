import { describe, expect, test } from "vitest";
import { CURSOR_LENGTH, digestQuery, formatCursor, parseCursor, peekCursor } from "./cursor";

const SECRET = Buffer.from("a secret of the tests, of 32 bytes");
const cursor = {
  versionId: "f47ac10b-58cc-4372-a567-0e02b2c3d479",
  position: 9_999_999n,
  query: digestQuery(["t", 1]),
};

describe("a cursor", () => {
  const text = formatCursor(cursor, SECRET);

  test("round-trips, and is small", () => {
    expect(parseCursor(text, SECRET)).toEqual(cursor);
    expect(peekCursor(text, SECRET)).toEqual({ versionId: cursor.versionId });
    expect(text.length).toBe(CURSOR_LENGTH);
    expect(text.length).toBeLessThan(100);
  });

  test("with any one bit changed is rejected", () => {
    const bytes = Buffer.from(text, "base64url");
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(parseCursor(changed.toString("base64url"), SECRET)).toBeUndefined();
    }
  });

  test.each([
    "",
    "x",
    text.slice(1),
    `${text}A`,
    `${text.slice(0, -1)}=`,
    text.toUpperCase(),
    "é".repeat(CURSOR_LENGTH),
  ])("that reads %j is rejected", (bad) => {
    expect(parseCursor(bad, SECRET)).toBeUndefined();
  });

  test("signed by another secret is rejected", () => {
    expect(parseCursor(text, Buffer.from("another"))).toBeUndefined();
  });
});
