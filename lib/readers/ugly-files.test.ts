import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "lossless-json";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ReadFailure } from "@/lib/readers/failure";
import { JsonColumns } from "@/lib/readers/json/json-cells";
import { READER_OPTIONS } from "@/lib/schemas/recipe-reader";
import { BROKEN_JSON } from "@/lib/testing/ugly-files/broken-json";
import { BROKEN_WORKBOOKS } from "@/lib/testing/ugly-files/broken-workbooks";
import { DIALECTS } from "@/lib/testing/ugly-files/dialects";
import { ENCODINGS } from "@/lib/testing/ugly-files/encodings";
import { JSON_FILES } from "@/lib/testing/ugly-files/json-files";
import { LAYOUTS } from "@/lib/testing/ugly-files/layouts";
import type { Cell, UglyFile } from "@/lib/testing/ugly-files/ugly-file";
import { WORKBOOK_CELLS } from "@/lib/testing/ugly-files/workbook-cells";
import { WORKBOOKS } from "@/lib/testing/ugly-files/workbooks";
import { CellsFile } from "./cells-file";
import { LOSSES } from "./left-out";
import { type CellsReader, readPart, TextColumns } from "./read-part";

let folder: string;
let count = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ugly-files-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function read({ format, options = {}, bytes }: UglyFile, chunkBytes: number) {
  count += 1;
  const path = join(folder, `${count}`);
  await writeFile(path, typeof bytes === "function" ? await bytes() : bytes);
  const reader = { format, options: READER_OPTIONS[format].parse(parse(JSON.stringify(options))) } as CellsReader;
  const cells = new CellsFile(`${path}.csv`);
  const named = "fields" in reader.options ? Object.keys(reader.options.fields ?? {}) : [];
  const columns = /json/.test(format) ? new JsonColumns(named) : new TextColumns();
  try {
    const reading = { path, reader, cells, unpackedBytes: 1 << 28, chunkBytes, mayContinue: () => true };
    await readPart(reading, columns);
  } finally {
    cells.close();
  }
  const names = columns.staged().map((column) => column.name);
  return {
    names,
    rows: parseCells(await readFile(`${path}.csv`, "utf8"), names.length),
    rejected: cells.leftOut
      .list()
      .filter(({ cause }) => LOSSES.includes(cause))
      .reduce((sum, { rows }) => sum + rows, 0),
  };
}

/** Parses the canonical form with a minimal reader: cells are either bare or quoted. */
function parseCells(text: string, width: number): (readonly [number, ...Cell[]])[] {
  const rows: (readonly [number, ...Cell[]])[] = [];
  for (const [, row, cells = ""] of text.matchAll(/^(\d+),0((?:,(?:"(?:[^"]|"")*"|[^,"\n]*))*)\n/gm)) {
    const values = [...cells.matchAll(/,(?:"((?:[^"]|"")*)"|([^,"]*))/g)].map(
      ([, quoted, bare]): Cell => (quoted === undefined ? bare || null : quoted.replaceAll('""', '"')),
    );
    while (values.length < width) values.push(null);
    rows.push([Number(row), ...values]);
  }
  expect(rows.length).toBe([...text.replace(/"(?:[^"]|"")*"/g, "")].filter((sign) => sign === "\n").length);
  return rows;
}

const CORPUS = { ENCODINGS, DIALECTS, LAYOUTS, JSON_FILES, BROKEN_JSON, WORKBOOKS, WORKBOOK_CELLS, BROKEN_WORKBOOKS };

/** As a whole, and in pieces that split characters, quotes and line ends. */
const CHUNKS = [1 << 20, 3, 1];
const CASES = Object.entries(CORPUS).flatMap(([kind, files]) => CHUNKS.map((bytes) => ({ kind, bytes, files })));

describe.each(CASES)("$kind, $bytes bytes at once", ({ files, bytes }) => {
  test.each(files.map((file) => [file.name, file] as const))("%s", async (_name, file) => {
    if (file.rejected) {
      const failure = await read(file, bytes).then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(failure).toBeInstanceOf(ReadFailure);
      const { code, message, at } = failure as ReadFailure;
      expect({ code, row: at.row, message }).toEqual({
        code: file.rejected.code,
        row: file.rejected.row,
        message: expect.stringMatching(file.rejected.words),
      });
      return;
    }
    const { names, rows, rejected } = await read(file, bytes);
    expect({ columns: names, rows, rejected }).toEqual({ rejected: 0, ...file.read });
  });
});

test("there are at least sixty of them", () => {
  expect(Object.values(CORPUS).flat().length).toBeGreaterThanOrEqual(60);
});
