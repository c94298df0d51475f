import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { READER_OPTIONS } from "@/lib/schemas/recipe-reader";
import { inline, workbook } from "@/lib/testing/ugly-files/workbook";
import { plainNumber } from "./plain-number";
import { readXlsx } from "./read-xlsx";
import { columnName, positionOf } from "./references";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "read-xlsx-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("what is outside the range, and what has no value, is counted with row and column", async () => {
  const path = join(folder, "x.xlsx");
  const data =
    `<row r="1">${inline("A1", "title")}</row><row r="2">${inline("A2", "x")}${inline("B2", "n")}</row>` +
    '<row r="3"><c r="B3"><v>1</v></c><c r="C3"><v>2</v></c></row><row r="4"><c r="B4" t="e"><v>#N/A</v></c></row>' +
    '<row r="5"><c r="A5" t="e"><v>#REF!</v></c><c r="B5"><f>B3</f></c></row><row r="9"><c r="B9"><v>3</v></c></row>';
  await writeFile(path, await workbook({ sheets: [{ name: "S", data }] }));
  const records: unknown[] = [];
  const leftOut: unknown[] = [];
  await readXlsx({
    ...{ path, unpackedBytes: 1 << 20, options: READER_OPTIONS.xlsx.parse({ range: "B2:B5" }) },
    layout: { record: (cells, _, row) => records.push([row, ...cells]) > 0, end: () => records.push("end") },
    leaveOut: (...given) => leftOut.push(given),
  });
  expect(records).toEqual([[2, "n"], [3, "1"], [4], [5], "end"]);
  expect(leftOut).toEqual([
    ["outside_range", 1, "title", 1],
    ["outside_range", 2, "x", 1],
    ["outside_range", 3, "2", 3],
    ["error_cell", 4, "#N/A", 2],
    ["outside_range", 5, "#REF!", 1],
    ["formula", 5, "", 2],
    ["outside_range", 9, "3", 2],
  ]);
});

test("every double is read back from the digits that stand for it, and has the fewest", () => {
  for (let at = 0; at < 20_000; at += 1) {
    const value = (Math.random() - 0.5) * 10 ** Math.floor(Math.random() * 40 - 20);
    for (const text of [String(value), value.toExponential(16), value.toPrecision(17)]) {
      const plain = plainNumber(text) ?? "";
      expect(Number(plain), text).toBe(value);
      expect(plain, text).toBe(plainNumber(String(value)));
      expect(plain).toMatch(/^-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/);
    }
  }
});

test.each(["", ".", "-", "1e", "e5", "1.2.3", "NaN", "Infinity", "1e309", "0x10", "1 2"])(
  "%j is not a number",
  (text) => {
    expect(plainNumber(text)).toBeUndefined();
  },
);

test("columns have names and numbers, and the last of both", () => {
  for (const column of [1, 26, 27, 702, 703, 16_384])
    expect(positionOf(`${columnName(column)}7`)).toEqual({ column, row: 7 });
  expect(columnName(16_384)).toBe("XFD");
  for (const reference of ["XFE1", "A1048577", "1", "", "A-1", "A1.5"]) expect(positionOf(reference)).toBeUndefined();
});
