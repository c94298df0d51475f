import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { parse } from "lossless-json";
import { afterAll, expect, test } from "vitest";
import { CellsFile } from "@/lib/readers/cells-file";
import { readPart, TextColumns } from "@/lib/readers/read-part";
import { type CsvOptions, READER_OPTIONS } from "@/lib/schemas/recipe-reader";
import { propertyParameters } from "@/lib/testing/property";
import { mayBePlain } from "./plain-rows";

const folder = await mkdtemp(join(tmpdir(), "plain-rows-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

let files = 0;

/** Cells, digest and rejects of a file, or why it is rejected. */
async function read(content: Buffer, options: CsvOptions, chunkBytes: number): Promise<object> {
  files += 1;
  const [path, target] = [join(folder, `${files}.csv`), join(folder, `${files}.cells`)];
  await writeFile(path, content);
  const cells = new CellsFile(target);
  try {
    const columns = new TextColumns();
    const mayContinue = () => cells.rows < 40;
    const reading = { path, reader: { format: "csv", options }, cells, unpackedBytes: 1e9, chunkBytes, mayContinue };
    cells.beginPart(content.length % 2 === 0 ? `,"2026-Q3","\u{1f4c8}"` : "");
    await readPart(reading as Parameters<typeof readPart>[0], columns);
    cells.endPart(columns.names());
  } catch (error) {
    return { refused: (error as Error).message, rows: cells.rows };
  } finally {
    cells.close();
  }
  return {
    text: await readFile(target, "utf8"),
    digest: cells.digest(),
    rows: cells.rows,
    leftOut: cells.leftOut.list(),
  };
}

const optionsOf = (given: object): CsvOptions => READER_OPTIONS.csv.parse(parse(JSON.stringify(given)));
/** No file contains this sign, but a comment option sends all rows down the general path. */
const general = (options: CsvOptions): CsvOptions => ({ ...options, comment: "~" });

const CELLS = [
  "1",
  "",
  '""',
  "a b",
  '"x,y"',
  '"say ""so"""',
  '"two\nlines"',
  '"cr\r\nlf"',
  "é",
  "中文",
  "NA",
  '"NA"',
  " ",
];
const ODD = ['st"ray', '"a"b', '"open', "\0", "\r", "\u3000", "a,b", "\u00a0", '"\r"'];
const cell = fc.oneof(
  { weight: 60, arbitrary: fc.constantFrom(...CELLS) },
  { weight: 1, arbitrary: fc.constantFrom(...ODD) },
);
const row = fc.oneof(
  { weight: 12, arbitrary: fc.tuple(cell, cell, cell).map((cells) => cells.join(",")) },
  { weight: 1, arbitrary: fc.constantFrom("", ",,", "1,2", "1,2,3,4") },
);
const lineEnd = fc.constantFrom("\n", "\n", "\r\n");

const file = fc
  .tuple(fc.array(row, { maxLength: 60 }), lineEnd, lineEnd, fc.boolean(), fc.boolean())
  .map(([rows, first, other, isOpen, hasMark]) => {
    const ends = rows.map((_, at) => (at > 0 && at % 17 === 0 ? other : first));
    const text = `a,b,c${first}${rows.map((each, at) => each + ends[at]).join("")}${isOpen ? "7,8,9" : ""}`;
    return Buffer.from(hasMark ? `\ufeff${text}` : text);
  });

const options = fc
  .record({
    null_tokens: fc.constantFrom([""], [], ["", "NA", "é"]),
    ragged: fc.constantFrom("error", "pad", "pad_and_cut"),
    line_ends: fc.constantFrom("strict", "mixed"),
    bad_quotes: fc.constantFrom("error", "literal"),
    skip_blank_rows: fc.boolean(),
    encoding: fc.constantFrom("utf-8", "utf-8", "windows-1252"),
    header: fc.constantFrom({}, { header: "none", columns: ["x", "y", "z"] }),
  })
  .map(({ header, ...rest }) => optionsOf({ ...rest, ...header }));

test("rows read as bytes equal rows read as text, and so do rejections", async () => {
  await fc.assert(
    fc.asyncProperty(file, options, fc.constantFrom(1, 7, 64, 1 << 20), async (content, given, chunkBytes) => {
      const seen = `${JSON.stringify(content.toString())} ${JSON.stringify(given)}`;
      expect(mayBePlain(given) && !mayBePlain(general(given))).toBe(true);
      expect(await read(content, given, chunkBytes), seen).toEqual(await read(content, general(given), 1 << 20));
    }),
    propertyParameters(400),
  );
});

test("bytes that are not UTF-8 are reported with their line within plain rows too", async () => {
  const lines = Array.from({ length: 50 }, (_, at) => `${at},x,y\n`).join("");
  const content = Buffer.concat([
    Buffer.from(`a,b,c\n${lines}`),
    Buffer.from([0x31, 0xff, 0x2c]),
    Buffer.from("x,y\n"),
  ]);
  const given = optionsOf({ ragged: "pad" });
  const [plain, text] = [await read(content, given, 1 << 20), await read(content, general(given), 1 << 20)];
  expect({ ...plain, rows: 0 }).toEqual({ ...text, rows: 0 });
});
