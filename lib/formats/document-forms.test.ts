import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text as textOfStream } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import yauzl from "yauzl";
import type { QueryPage } from "@/lib/engine/run/reply";
import type { SealedVersion } from "@/lib/engine/run/sealed-version";
import { CellsFile } from "@/lib/readers/cells-file";
import { readPart, TextColumns } from "@/lib/readers/read-part";
import { READER_OPTIONS } from "@/lib/schemas/recipe-reader";
import { ask, column, type EngineFixture, openFixture, seal } from "@/lib/testing/engine-fixture";
import { coordinatesOf } from "./coordinates";
import { toGeoJson } from "./geojson";
import { toMarkdown } from "./markdown";
import { toWorkbook } from "./workbook";

const COLUMNS = [
  column("name", "string", "VARCHAR"),
  column("longitude", "float64", "DOUBLE"),
  column("lat", "decimal(18,6)", "DECIMAL(18,6)"),
  column("wide", "int64", "BIGINT"),
  column("ok", "boolean", "BOOLEAN"),
  column("day", "date", "DATE"),
  column("at", "timestamp", "TIMESTAMP WITH TIME ZONE"),
  column("list", "list<int64>", "BIGINT[]"),
];

const ROWS = `SELECT * FROM (VALUES
  (E'a | *b* <i>\\n=1+1', 12.5::DOUBLE, 48.123456::DECIMAL(18,6), 123456789012345, true, DATE '2026-02-28',
    TIMESTAMPTZ '2026-11-21 10:20:30.125+00', [1, 9007199254740993]),
  (E'_x0041_ \\x01 \\r', 181, 0, 9007199254740993, false, DATE '1900-01-31',
    TIMESTAMPTZ '2026-11-21 10:20:30.000001+00', []),
  (E'__proto__', 'NaN', 0, NULL, NULL, NULL, NULL, NULL)
) t(${COLUMNS.map(({ name }) => `"${name}"`).join(", ")})`;

let fixture: EngineFixture;
let version: SealedVersion;
beforeAll(async () => {
  fixture = await openFixture("document-forms");
  version = await seal(fixture, "document-forms", ROWS, COLUMNS);
});
afterAll(() => fixture.close());

const page = async (columns = COLUMNS.map(({ name }) => name)): Promise<QueryPage> =>
  (await ask(fixture.engine, version, { columns })).page;

/** The text of a part of a workbook. */
async function part(workbook: Buffer, name: string): Promise<string> {
  const zip = await yauzl.fromBufferPromise(workbook);
  for await (const entry of zip.eachEntry())
    if (entry.fileName === name) return textOfStream(await zip.openReadStreamPromise(entry));
  throw new Error(`no ${name}`);
}

test("a workbook's cells have Excel's types if Excel can hold the value, and are text otherwise", async () => {
  const workbook = await toWorkbook(await page());
  const sheet = await part(workbook, "xl/worksheets/sheet1.xml");
  const cells = [
    ...[...sheet.matchAll(/<c r="([A-Z]+\d+)" [^>]*><v>([^<]*)<\/v><\/c>/g)].map(([, at, value]) => [
      at,
      Number(value),
    ]),
    ...[...sheet.matchAll(/<c r="([A-Z]+\d+)" [^>]*><is><t [^>]*>([^<]*)<\/t><\/is><\/c>/g)].map(([, ...cell]) => cell),
  ];
  expect(Object.fromEntries(cells)).toEqual({
    ...Object.fromEntries(COLUMNS.map(({ name }, at) => [`${"ABCDEFGH"[at]}1`, name])),
    ...{ A2: "a | *b* &lt;i&gt;\n=1+1", B2: 12.5, C2: 48.123456, D2: 123456789012345, E2: 1, F2: 46081 },
    ...{ G2: 46347.43090422454, H2: "[1,9007199254740993]" },
    ...{ A3: "_x005F_x0041_ _x0001_ _x000D_", B3: 181, C3: 0, D3: "9007199254740993", E3: 0, F3: "1900-01-31" },
    ...{ G3: "2026-11-21T10:20:30.000001Z", H3: "[]", A4: "__proto__", B4: "NaN", C4: 0 },
  });
  expect(sheet).not.toContain("<f>");
  expect(sheet).toContain('state="frozen"');
});

test("the service's own reader of workbooks finds the same cells", async () => {
  const folder = mkdtempSync(join(tmpdir(), "parquetry-workbook-"));
  const [path, out] = [join(folder, "page.xlsx"), join(folder, "cells.csv")];
  writeFileSync(path, await toWorkbook(await page(["name", "wide", "ok", "day", "list"])));
  const cells = new CellsFile(out);
  const reader = { format: "xlsx", options: READER_OPTIONS.xlsx.parse({}) } as const;
  const bounds = { unpackedBytes: 1 << 26, chunkBytes: 1 << 20, mayContinue: () => true };
  await readPart({ path, reader, cells, ...bounds }, new TextColumns());
  cells.close();
  const read = readFileSync(out, "utf8");
  rmSync(folder, { recursive: true });
  for (const text of [
    "a | *b* <i>",
    "=1+1",
    "123456789012345",
    "2026-02-28",
    "[1,9007199254740993]",
    "_x0041_",
    "__proto__",
  ])
    expect(read).toContain(text);
  expect(read).toContain("9007199254740993");
});

test("a workbook's columns are as wide as their cells, and a second sheet says where the rows are from", async () => {
  const text = "a sentence of thirty characters";
  const wide = await seal(fixture, "widths", `SELECT 1 AS n, '${text}' AS t, repeat('x', 900) AS long`, [
    ...[column("n", "int32", "INTEGER"), column("t", "string", "VARCHAR"), column("long", "string", "VARCHAR")],
  ]);
  const { page: answer } = await ask(fixture.engine, wide, { columns: ["n", "t", "long"] });
  const workbook = await toWorkbook({ ...answer, source: [{ key: "version_id", name: "Version ID", value: "0b9e" }] });
  const widths = [...(await part(workbook, "xl/worksheets/sheet1.xml")).matchAll(/<col [^>]*width="([\d.]+)"/g)];
  expect(widths.map(([, width]) => Number(width))).toEqual([8, text.length + 2, 60]);
  expect(await part(workbook, "xl/workbook.xml")).toMatch(/name="Rows"[\s\S]*name="About"/);
  const about = await part(workbook, "xl/worksheets/sheet2.xml");
  expect(about).toMatch(/>Version ID<[\s\S]*>0b9e<[\s\S]*>Text cells<[\s\S]*up to 15 digits/);
});

test("a workbook keeps characters that XML does not allow, and has a maximum number of cells", async () => {
  const odd = "'\uFFFD \x7F ' || chr(131071)";
  const strange = await seal(fixture, "strange", `SELECT ${odd} AS "constructor"`, [
    column("constructor", "string", "VARCHAR"),
  ]);
  const { page: answer } = await ask(fixture.engine, strange, { columns: ["constructor"] });
  const sheet = await part(await toWorkbook(answer), "xl/worksheets/sheet1.xml");
  expect(sheet).toContain(">constructor</t>");
  expect(sheet).toContain(">_xFFFD_ _x007F_ _xD83F__xDFFF_</t>");
  await expect(toWorkbook({ ...answer, returnedRows: 200_001 })).rejects.toMatchObject({ code: "result_too_large" });
});

test("coordinates belong together by the prefixes of their names", () => {
  const numbers = (...names: string[]) => names.map((name) => ({ name, type: "float64" }));
  expect(coordinatesOf(numbers("end_lon", "start_lat", "start_lon", "end_lat"))).toEqual({
    longitude: "end_lon",
    latitude: "end_lat",
  });
  expect(coordinatesOf(numbers("how_long", "latitude"))).toBeUndefined();
  expect(coordinatesOf(numbers("Lng", "latitude"))).toEqual({ longitude: "Lng", latitude: "latitude" });
});

test("a workbook rejects text longer than a cell instead of cutting it", async () => {
  const long = await seal(fixture, "long", "SELECT repeat('é', 32768) AS t", [column("t", "string", "VARCHAR")]);
  const { page: answer } = await ask(fixture.engine, long, { columns: ["t"] });
  await expect(toWorkbook(answer)).rejects.toMatchObject({
    code: "result_too_large",
    message: expect.stringMatching(/^Cell of "t" too long: 32,768 characters \(maximum 32,767\)\. .*choose CSV\.$/),
  });
});

test("GeoJSON has a point for each row with a place, and every cell with its digits", async () => {
  const text = toGeoJson(await page()).toString();
  const { type, features } = JSON.parse(text);
  expect([type, features.length]).toEqual(["FeatureCollection", 3]);
  expect(features.map(({ geometry }: { geometry: unknown }) => geometry)).toEqual([
    { type: "Point", coordinates: [12.5, 48.123456] },
    null,
    null,
  ]);
  expect(Object.keys(features[0].properties)).toEqual(COLUMNS.map(({ name }) => name));
  expect(text).toContain('"wide":9007199254740993,');
  expect(text).toContain('"longitude":"NaN"');
  const without = await page(["name", "lat"]);
  expect(() => toGeoJson(without)).toThrow(/^GeoJSON needs a longitude and a latitude column/);
});

test("Markdown shows each cell's text unchanged", async () => {
  expect(toMarkdown(await page(["name", "wide", "list"])).toString()).toBe(
    [
      "| name | wide | list |",
      "| --- | ---: | --- |",
      "| a \\| \\*b\\* &lt;i&gt;<br>=1+1 | 123456789012345 | \\[1,9007199254740993\\] |",
      "| \\_x0041\\_ \u0001 <br> | 9007199254740993 | \\[\\] |",
      "| \\_\\_proto\\_\\_ |  |  |",
      "",
    ].join("\n"),
  );
});
