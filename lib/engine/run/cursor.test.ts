import { describe, expect, test } from "vitest";
import { cursorLength, digestQuery, formatCursor, parseCursor, peekCursor } from "./cursor";

const SECRET = Buffer.from("a secret of the tests, of 32 bytes");
const cursor = {
  versionId: "f47ac10b-58cc-4372-a567-0e02b2c3d479",
  position: 9_999_999n,
  query: digestQuery(["t", 1]),
  lookups: [],
};

describe("a cursor", () => {
  const text = formatCursor(cursor, SECRET);

  test("round-trips, and is small", () => {
    expect(parseCursor(text, SECRET)).toEqual(cursor);
    expect(peekCursor(text, SECRET)).toEqual({ versionId: cursor.versionId, lookups: [] });
    expect(text.length).toBe(cursorLength(0));
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
    "é".repeat(cursorLength(0)),
  ])("that reads %j is rejected", (bad) => {
    expect(parseCursor(bad, SECRET)).toBeUndefined();
  });

  test("with lookups carries their versions, and is another form", () => {
    const lookups = ["00000000-0000-4000-8000-000000000001", "ffffffff-ffff-4fff-8fff-fffffffffff2"];
    for (const carried of [lookups, lookups.slice(1)]) {
      const longer = formatCursor({ ...cursor, lookups: carried }, SECRET);
      expect(parseCursor(longer, SECRET)).toEqual({ ...cursor, lookups: carried });
      expect(longer.length).toBe(cursorLength(carried.length));
      expect(longer.startsWith(text.slice(0, 2))).toBe(false);
    }
  });

  test("signed by another secret is rejected", () => {
    expect(parseCursor(text, Buffer.from("another"))).toBeUndefined();
  });
});
