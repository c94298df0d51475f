import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readShowcase } from "./dataset-file";
import type { Showcase } from "./showcase";

const browserCompatibility = readShowcase("browser-compatibility");
const earthquakes2018 = readShowcase("earthquakes-2018");
const languageSubtags = readShowcase("language-subtags");
const mimeTypes = readShowcase("mime-types");
const nodejsReleases = readShowcase("nodejs-releases");
const palmerPenguins = readShowcase("palmer-penguins");
const spdxLicenses = readShowcase("spdx-licenses");
const usZipCodes = readShowcase("us-zip-codes");

type Row = Record<string, unknown>;

let workDir: string;
beforeAll(async () => {
  workDir = await mkdtemp(join(tmpdir(), "showcase-facts-"));
});
afterAll(() => rm(workDir, { recursive: true, force: true }));

async function textOf({ tables }: Showcase, label: string, slug = tables[0]?.slug): Promise<string> {
  const version = tables.find((table) => table.slug === slug)?.versions.find((each) => each.label === label);
  if (!version) throw new Error(`No version ${label}`);
  return readFile(await version.prepare(workDir), "utf8");
}

async function rowsOf(showcase: Showcase, label: string, slug?: string): Promise<Row[]> {
  const rows = (await textOf(showcase, label, slug))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Row);
  const blank = Object.fromEntries(Object.keys(rows[0] ?? {}).map((name) => [name, null]));
  return rows.map((row) => ({ ...blank, ...row }));
}

/** How often each value of a column occurs. */
function tally(rows: readonly Row[], column: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const row of rows) counts[String(row[column])] = (counts[String(row[column])] ?? 0) + 1;
  return counts;
}

const countOf = (rows: readonly Row[], holds: (row: Row) => unknown): number => rows.filter(holds).length;

test("releases of node-releases without a change are byte for byte the same, all others differ", async () => {
  const labels = nodejsReleases.tables[0]?.versions.map(({ label }) => label) ?? [];
  const texts = await Promise.all(labels.map((label) => textOf(nodejsReleases, label)));
  const unchanged = labels.filter((_, at) => at > 0 && texts[at] === texts[at - 1]);
  expect(unchanged).toEqual(["2.0.60", "2.0.63"]);
  expect(new Set(texts).size).toBe(labels.length - unchanged.length);
});

test("every other showcase version differs from the one before", async () => {
  for (const showcase of [mimeTypes, languageSubtags]) {
    const labels = showcase.tables[0]?.versions.map(({ label }) => label) ?? [];
    const texts = await Promise.all(labels.map((label) => textOf(showcase, label)));
    expect(new Set(texts).size).toBe(labels.length);
  }
});

test("the LTS field that is false or a name becomes a boolean and a nullable name", async () => {
  const rows = await rowsOf(nodejsReleases, "2.0.65");
  expect(tally(rows, "is_lts")).toEqual({ true: 110, false: 276 });
  expect(
    rows.every((row) => row.is_lts === (typeof row.lts_name === "string") && (row.is_lts || row.lts_name === null)),
  ).toBe(true);
  expect(new Set(rows.map((row) => row.lts_name)).size).toBe(13);
});

test("versions are kept as text beside numbers to sort by, prereleases included", async () => {
  const rows = await rowsOf(nodejsReleases, "2.0.65");
  expect(rows.find((row) => row.version === "0.10.0")).toMatchObject({
    major: 0,
    minor: 10,
    patch: 0,
    prerelease: null,
  });
  expect(rows.at(-1)).toMatchObject({
    version: "27.0.0-alpha.0.1.1",
    major: 27,
    minor: 0,
    patch: 0,
    prerelease: "alpha.0.1.1",
  });
});

test("what the source leaves out stays null: the V8 version of an alpha in 2.0.64", async () => {
  expect((await rowsOf(nodejsReleases, "2.0.64")).filter((row) => row.v8 === null)).toMatchObject([
    { version: "27.0.0-alpha.0.1.0" },
  ]);
  expect((await rowsOf(nodejsReleases, "2.0.65")).filter((row) => row.v8 === null)).toEqual([]);
});

test("compressible keeps true, false and null apart; extensions are lists or null", async () => {
  const rows = await rowsOf(mimeTypes, "1.54.0");
  expect(tally(rows, "compressible")).toMatchObject({ null: 1_700 });
  expect(Object.keys(tally(rows, "compressible")).sort()).toEqual(["false", "null", "true"]);
  expect(rows.find((row) => row.mime_type === "text/html")).toMatchObject({
    top_level_type: "text",
    subtype: "html",
    extensions: ["html", "htm", "shtml"],
  });
  expect(countOf(rows, (row) => row.extensions === null)).toBe(2_522 - 1_015);
  expect(countOf(rows, (row) => row.source === null)).toBe(98);
});

test("the registry keeps its non-ASCII names, ranges and dates out of order", async () => {
  const rows = await rowsOf(languageSubtags, "0.4.2");
  expect(rows.find((row) => row.type === "language" && row.subtag === "nb")).toMatchObject({
    name: "Norwegian Bokmål",
    macrolanguage: "no",
  });
  expect(countOf(rows, (row) => row.deprecated !== null && String(row.deprecated) < String(row.added))).toBe(13);
  expect(countOf(rows, (row) => row.tag !== null)).toBe(93);
  expect(countOf(rows, (row) => (row.tag === null) === (row.subtag === null))).toBe(0);
  expect(rows.filter((row) => String(row.subtag).includes("..")).map((row) => row.subtag)).toEqual([
    "qaa..qtz",
    "Qaaa..Qabx",
    "QM..QZ",
    "XA..XZ",
  ]);
});

test("licence texts arrive whole, and three licences have no URL", async () => {
  const rows = await rowsOf(spdxLicenses, "6.12.0");
  expect(Math.max(...rows.map((row) => String(row.license_text).length))).toBe(46_063);
  expect(rows.filter((row) => row.url === null).map((row) => row.license_id)).toEqual(
    ["ALGLIB-Documentation", "HPND-Netrek", "SchemeReport"].sort(),
  );
  expect(countOf(rows, (row) => row.is_osi_approved)).toBe(149);
});

test("GeoJSON becomes columns, epoch milliseconds become instants, comma texts become lists", async () => {
  const rows = await rowsOf(earthquakes2018, "3.2.1");
  expect(rows[0]).toMatchObject({
    id: "ci37868143",
    time: "2018-02-07T01:26:13.840Z",
    longitude: -118.6671667,
    latitude: 34.4945,
    depth: 26.49,
    tsunami: false,
    felt: null,
    ids: ["ci37868143"],
    types: ["geoserve", "nearby-cities", "origin", "phase-data", "scitech-link"],
  });
  expect(countOf(rows, (row) => row.tsunami)).toBe(4);
  expect(countOf(rows, (row) => Number(row.mag) < 0)).toBe(44);
});

test("leading zeros of ZIP codes are in the file that is published, and their column is declared as text", async () => {
  const lines = (await textOf(usZipCodes, "3.2.1")).trimEnd().split("\n").slice(1);
  expect(lines.filter((line) => line.startsWith("0")).length).toBe(3_256);
  expect(lines.every((line) => /^\d{5},/.test(line))).toBe(true);
  expect(usZipCodes.tables[0]?.columns[0]).toMatchObject({ name: "zip_code", type: "string" });
});

test("the penguins' stray third value is kept", async () => {
  expect(tally(JSON.parse(await textOf(palmerPenguins, "3.2.1")) as Row[], "Sex")).toEqual({
    MALE: 168,
    FEMALE: 165,
    null: 10,
    ".": 1,
  });
});

test(
  "browser support: false becomes supported, text becomes version_added, and statements are numbered without a " +
    "gap",
  async () => {
    const rows = await rowsOf(browserCompatibility, "8.1.9", "support");
    expect(tally(rows, "supported")).toEqual({ true: 236_867, false: 58_407 });
    expect(countOf(rows, (row) => row.supported === (row.version_added === null))).toBe(0);
    expect(countOf(rows, (row) => row.version_added_is_bound)).toBe(5_760);
    expect(
      rows.filter((row) => row.feature === "api.AbortController.AbortController" && row.browser === "safari"),
    ).toMatchObject([
      { statement: 0, version_added: "12.1", version_added_major: 12, partial_implementation: false, notes: null },
      {
        statement: 1,
        version_added: "11.1",
        version_last: "12",
        version_removed: "12.1",
        partial_implementation: true,
        notes: [expect.stringContaining("<code>")],
      },
    ]);
    const keys = new Set(rows.map((row) => `${row.feature} ${row.browser} ${row.statement}`));
    expect(keys.size).toBe(rows.length);
  },
);

test("features without a status have null, not false", async () => {
  const rows = await rowsOf(browserCompatibility, "8.1.9", "features");
  expect(countOf(rows, (row) => row.deprecated === null)).toBe(2_103);
  expect(new Set(rows.map((row) => row.feature)).size).toBe(rows.length);
});
