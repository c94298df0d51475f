import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { propertyParameters } from "@/lib/testing/property";
import { PageTemplate } from "./page-template";

const DRAWN = "drawnAAAABBBBCCCCDDDDEEE";
const nonces = fc.stringMatching(/^[A-Za-z0-9+/]{24}$/);
const pieces = fc.array(
  fc.oneof(
    fc.constant('<script nonce="'),
    fc.stringMatching(/^[ -~]{0,300}$/),
    fc.string({ unit: "grapheme", maxLength: 50 }).map((text) => text.replaceAll("\0", "")),
    // further apart than compressed data can refer back
    fc.integer({ min: 1, max: 9 }).map((times) => "far away, ".repeat(times * 1000)),
  ),
  { minLength: 1, maxLength: 20 },
);

test("a page is sent, compressed and plain, as rendered except for its nonce, whatever it contains", async () => {
  await fc.assert(
    fc.asyncProperty(pieces, nonces, nonces, async (texts, one, other) => {
      const page = await PageTemplate.from(Buffer.from(texts.join(DRAWN)), DRAWN);
      for (const nonce of [one, other]) {
        expect(gunzipSync(page?.gzipped(nonce) ?? "").toString()).toBe(texts.join(nonce));
        expect((await page?.plain(nonce))?.toString()).toBe(texts.join(nonce));
      }
    }),
    propertyParameters(60),
  );
});

test("a page that could pass for one with holes is not cached, and no nonce of another length fits", async () => {
  expect(await PageTemplate.from(Buffer.from("a\0b"), DRAWN)).toBeUndefined();
  const page = await PageTemplate.from(Buffer.from(`<script nonce="${DRAWN}">`), DRAWN);
  expect(() => page?.gzipped("short")).toThrow(RangeError);
});

test("the memory held is small compared with the page", async () => {
  const text = `<script nonce="${DRAWN}">self.__next_f.push("a row of a table")</script>`.repeat(500);
  const page = await PageTemplate.from(Buffer.from(text), DRAWN);
  expect(page?.heldBytes).toBeLessThan(text.length / 3);
});
