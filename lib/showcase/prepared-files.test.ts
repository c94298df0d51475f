import { createReadStream } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { asyncBufferFromFile, parquetMetadataAsync, parquetSchema } from "hyparquet";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { showcaseCatalogue } from "./catalogue";
import { packageFile } from "./package-file";
import type { ShowcaseTable, ShowcaseVersion } from "./showcase";

const CATALOGUE = showcaseCatalogue();

/** Dataset/table → rows of each version, oldest first, counted in the packages by other means than ours. */
const ROWS: Readonly<Record<string, readonly number[]>> = {
  "us-flights-2001/flights": [3_000_000],
  "browser-compatibility/support": [288_877, 295_274],
  "browser-compatibility/features": [20_510, 20_968],
  "browser-compatibility/releases": [1_628, 1_682],
  "mime-types/types": [2_204, 2_224, 2_228, 2_244, 2_254, 2_265, 2_269, 2_279, 2_446, 2_522],
  "language-subtags/subtags": [8_957, 8_997, 9_001, 9_025, 9_085, 9_088, 9_121, 9_210, 9_256, 9_281],
  "nodejs-releases/releases": [378, 379, 380, 382, 382, 383, 384, 384, 385, 386],
  "spdx-licenses/licenses": [727],
  "earthquakes-2018/events": [1_707],
  "mauna-loa-co2/monthly": [741],
  "daily-weather/days": [2_922],
  "us-zip-codes/zip-codes": [42_049],
  "bird-strikes/strikes": [10_000],
  "palmer-penguins/penguins": [344],
};

/** What a file holds: each distinct list of column names with the number of rows that have it. */
type Shape = Map<string, number>;

const TABLES = CATALOGUE.flatMap(({ dataset, tables }) =>
  tables.map((table) => ({ path: `${dataset.slug}/${table.slug}`, table })),
);

let workDir: string;
beforeAll(async () => {
  workDir = await mkdtemp(join(tmpdir(), "showcase-"));
});
afterAll(() => rm(workDir, { recursive: true, force: true }));

test("row counts are stated for every table", () => {
  expect(Object.keys(ROWS).sort()).toEqual(TABLES.map(({ path }) => path).sort());
});

describe.each(TABLES)("$path", ({ path, table }) => {
  test.each(table.versions.map((version, at) => ({ label: version.label, version, rows: ROWS[path]?.[at] })))(
    "$label has $rows rows, and the notes cover exactly its columns, in its order",
    async ({ version, rows }) => {
      const shape = await shapeOf(table, version);
      const noted = table.columns.map(({ name }) => name).filter((name) => !version.absentColumns?.includes(name));
      expect([...shape]).toEqual([[JSON.stringify(noted), rows]]);
    },
  );
});

async function shapeOf(table: ShowcaseTable, version: ShowcaseVersion): Promise<Shape> {
  const file = await version.prepare(workDir);
  expect(file.startsWith(workDir) || file.startsWith(packageFile("vega-datasets", "data")), table.slug).toBe(true);
  if (file.endsWith(".parquet")) return parquetShape(file);
  if (file.endsWith(".csv")) return csvShape(file);
  if (file.endsWith(".json")) return countShapes(JSON.parse(await readFile(file, "utf8")) as object[]);
  return ndjsonShape(file);
}

async function parquetShape(file: string): Promise<Shape> {
  const metadata = await parquetMetadataAsync(await asyncBufferFromFile(file));
  const names = parquetSchema(metadata).children.map(({ element }) => element.name);
  return new Map([[JSON.stringify(names), Number(metadata.num_rows)]]);
}

/** None of these files has a line break inside a field, nor a comma in its header. */
async function csvShape(file: string): Promise<Shape> {
  const [header = "", ...lines] = (await readFile(file, "utf8")).trimEnd().split(/\r?\n/);
  return new Map([[JSON.stringify(header.split(",")), lines.length]]);
}

/** The first row names every column; the others leave out what is null. */
async function ndjsonShape(file: string): Promise<Shape> {
  const shape: Shape = new Map();
  let first: object | undefined;
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const row = JSON.parse(line) as object;
    first ??= row;
    countShape(shape, { ...first, ...row });
  }
  return shape;
}

function countShapes(rows: readonly object[]): Shape {
  const shape: Shape = new Map();
  for (const row of rows) countShape(shape, row);
  return shape;
}

function countShape(shape: Shape, row: object): void {
  const names = JSON.stringify(Object.keys(row));
  shape.set(names, (shape.get(names) ?? 0) + 1);
}
