import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PlannedInspection } from "@/lib/builds/plan";
import { tar } from "@/lib/kernel/tar";
import { planOf } from "@/lib/testing/both-doors";
import { inline, workbook } from "@/lib/testing/ugly-files/workbook";
import { withBench } from "./bench";
import type { SourceFound } from "./events";
import { inspectSource } from "./inspect-source";

let root: string;
let count = 0;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "inspect-source-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** Inspects bytes as the sandbox does, within this process. */
async function inspected(name: string, bytes: Buffer, more: Partial<PlannedInspection> = {}): Promise<SourceFound> {
  count += 1;
  const folder = join(root, `${count}`);
  for (const each of ["raw", "cells", "unpacked", "spill", "out"]) await mkdir(join(folder, each), { recursive: true });
  await writeFile(join(folder, "raw/0"), bytes);
  const asked = {
    ...{ file: "raw/0", tail: null, name, mediaType: null, isWhole: true, headBytes: 1 << 20 },
    ...{ link: null, url: null, reader: null, member: null, ...more },
  };
  return await withBench(folder, { memoryMb: 256, diskMb: 64 }, (bench) =>
    inspectSource(bench, planOf("sample", "{}"), asked),
  );
}

test("a workbook's errors, empty formulas and hidden cells are told", async () => {
  const bytes = await workbook({
    sheets: [
      {
        name: "S",
        data:
          `<row r="1">${inline("A1", "a")}${inline("B1", "b")}</row>` +
          '<row r="2"><c r="A2"><v>1</v></c><c r="B2" t="e"><v>#N/A</v></c></row>' +
          '<row r="3" hidden="1"><c r="A3"><f>A2+1</f></c><c r="B3"><v>2</v></c></row>',
      },
    ],
  });
  const { warnings, rows } = await inspected("x.xlsx", bytes);
  expect(rows).toBe(2);
  expect(warnings).toEqual([
    'Sheet "S": Hidden rows are read like all others: 3.',
    'Spreadsheet errors, read as null: 1 (row 2, column 2: "#N/A").',
    "Formulas without a stored value, read as null: 1 (row 3, column 1).",
  ]);
});

test("a workbook without any value is told to have none", async () => {
  const bytes = await workbook({ sheets: [{ name: "S", data: '<row r="1"/><row r="2"/>' }] });
  expect((await inspected("x.xlsx", bytes)).warnings).toEqual([
    "With this reader, the source fails with reader_mismatch: The sheet has no values.",
  ]);
});

test.each([
  ["brotli", brotliCompressSync("a,b\n1,2\n"), /Brotli data. Unpack it/, "x.csv.br"],
  ["bzip2", Buffer.from("BZh91AY&SY\x00\x01", "latin1"), /bzip2 data. Unpack it/],
  ["binary", Buffer.from("\x01\0\0\0\x02data\0\0\0"), /Neither text/],
  ["csv", Buffer.from(" \n\n"), /blank/],
])(
  "a file that no reader takes is %s, with words and without a reader",
  async (value, bytes, words, name = "x.csv") => {
    const { format, reader, warnings } = await inspected(name, bytes);
    expect({ value: format.value, reader, warnings }).toEqual({
      value,
      reader: undefined,
      warnings: [expect.stringMatching(words)],
    });
  },
);

test("the beginning of a compressed archive is told to be one", async () => {
  const data = Buffer.from(Array.from({ length: 20_000 }, (_, at) => `${at}\n`).join(""));
  const found = await inspected("x.tgz", gzipSync(tar([["a.csv", data]])), { headBytes: 4096 });
  expect(found).toMatchObject({ format: { value: "tar" }, warnings: [expect.stringMatching(/tar archive/)] });
});

test("a file without content is refused", async () => {
  await expect(inspected("x.csv.gz", gzipSync(""))).rejects.toMatchObject({
    code: "reader_mismatch",
    message: "The source is empty.",
  });
});
