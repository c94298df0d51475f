import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { useTestState } from "@/lib/testing/database";
import { propertyParameters } from "@/lib/testing/property";
import { type CsvExtent, scanCsv } from "./csv-scan";

const state = useTestState();

/** After a byte order mark, bytes are at odd offsets. A short file is checked entirely byte by byte. */
async function scanned(text: string, isMarked: boolean): Promise<CsvExtent | string> {
  const path = join(state.dataDir(), "scanned.csv");
  writeFileSync(path, `${isMarked ? "\uFEFF" : ""}${text}`);
  const dialect = { delimiter: ",", header: ["a", "b", "c"] };
  return await scanCsv(path, dialect).catch((error: Error) => error.message);
}

const field = fc.constantFrom(
  "",
  "1",
  "long",
  " x",
  '"q"',
  '"a,b"',
  '"a""b"',
  '"two\nlines"',
  'a"b',
  "é",
  '"open',
  ' "late"',
);
const line = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(field, field, field) },
  fc.array(field, { minLength: 1, maxLength: 4 }),
  fc.constant([""]),
);
const lineEnd = fc.oneof({ weight: 9, arbitrary: fc.constant("\n") }, fc.constantFrom("\r\n", "\r", ""));
const file = fc
  .tuple(fc.array(fc.tuple(line, fc.boolean(), lineEnd), { maxLength: 8 }), fc.boolean())
  .map(([lines, isPlain]) =>
    [
      "a,b,c\n",
      ...lines.map(([fields, isShort, end]) => (isPlain || isShort ? "1,é2,\n" : `${fields.join(",")}${end}`)),
    ].join(""),
  );

test("lines counted two bytes at a time give the extent, or the fault, of those checked byte by byte", async () => {
  await fc.assert(
    fc.asyncProperty(file, async (text) => {
      expect(await scanned(text, false)).toEqual(await scanned(text, true));
    }),
    propertyParameters(300),
  );
});

test("rows and the longest record are found for lines of even and odd length at even and odd offsets", async () => {
  expect(await scanned("a,b,c\n1,2,3\n1,22,3\n,,\n1,2,34567\n", false)).toEqual({
    rows: 4,
    longestBytes: 9,
    lineEnd: "LF",
    leftOut: [],
  });
  expect(await scanned("a,b,c\n1,2,3\n1,2,3,\n", false)).toMatch(/^Line 3 has 4 fields, but the header has 3/);
});
