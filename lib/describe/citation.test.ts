import { expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { type Cited, citeAs } from "./citation";

const cited: Cited = {
  key: "strikes-2026",
  title: "Strikes & {costs} of 100% _birds_\nby \\year",
  publisher: "Agency #1",
  summary: "Line one.\r\nER  - forged",
  topics: ["aviation", "nature"],
  publishedAt: new Date("2026-11-20T23:59:59Z"),
  license: "CC0-1.0",
  url: "https://data.example.org/datasets/strikes",
  versions: [
    { table: "Strikes", label: null, versionId: "v1", digest: "ab", url: "https://data.example.org/v1" },
    { table: "Airports", label: "2.1", versionId: "v2", digest: "cd", url: "https://data.example.org/v2" },
  ],
};
const { text, bibtex, ris, csl_json: csl, cff } = citeAs(cited);

test("the text has publisher, year, title, every version with its digest, and the URL", () => {
  expect(text).toContain("Agency #1 (2026). Strikes");
  expect(text).toContain(
    "Strikes, version v1, sha256:ab, https://data.example.org/v1; Airports, version 2.1 (v2), sha256:cd, " +
      "https://data.example.org/v2. Version of 2026-11-20, Parquetry. https://data.example.org/datasets/strikes",
  );
});

test("BibTeX has balanced braces and no unescaped TeX characters", () => {
  let depth = 0;
  const depths = [...bibtex].map((sign) => {
    depth += sign === "{" ? 1 : sign === "}" ? -1 : 0;
    return depth;
  });
  expect(depths.lastIndexOf(0)).toBe(depths.indexOf(0, "@misc{".length)); // only the last character closes the entry
  expect(bibtex).toMatch(/^@misc\{strikes-2026,\n(?: {2}\w+ = \{.*\},?\n?)+\}$/s);
  expect(bibtex).toContain("Strikes \\& \\textbraceleft{}costs\\textbraceright{} of 100\\% \\_birds\\_");
});

test("RIS has one tag per line from TY to ER, and publishers' text never begins a line", () => {
  const lines = ris.split("\r\n");
  expect(lines.pop()).toBe("");
  for (const line of lines) expect(line).toMatch(/^[A-Z][A-Z0-9] {2}- [^\r\n]*$/);
  expect(lines[0]).toBe("TY  - DATA");
  expect(lines.filter((line) => line.startsWith("ER"))).toEqual(["ER  - "]);
  expect(lines.at(-1)).toBe("ER  - ");
  expect(lines).toEqual(
    expect.arrayContaining([
      "KW  - aviation",
      "KW  - nature",
      "DA  - 2026/11/20",
      `UR  - ${cited.url}`,
      "N1  - Airports, version 2.1 (v2), sha256:cd, https://data.example.org/v2",
    ]),
  );
});

test("no title can end its BibTeX field, add another, or break a line", () => {
  const hostile = citeAs({ ...cited, title: "Rain}}, author = {Mallory", publisher: "A\n}\n@misc{x" });
  expect(hostile.bibtex).not.toMatch(/author = \{Mallory/);
  expect(hostile.bibtex.split("\n")).toHaveLength(bibtex.split("\n").length);
  expect(hostile.text).not.toContain("\n");
});

test("CSL-JSON is an array of one dataset, and CITATION.cff is YAML that names every version", () => {
  const one = { ...cited, versions: cited.versions.slice(1) };
  expect(JSON.parse(citeAs(one).csl_json)).toMatchObject([
    { id: cited.key, type: "dataset", version: "2.1", issued: { "date-parts": [[2026, 11, 20]] }, URL: cited.url },
  ]);
  expect(JSON.parse(csl)[0].version).toBeUndefined();
  const read = parseYaml(cff);
  expect(read).toMatchObject({ "cff-version": "1.2.0", type: "dataset", license: "CC0-1.0", url: cited.url });
  expect(read.identifiers.map(({ value }: { value: string }) => value)).toEqual(["sha256:ab", "sha256:cd"]);
});
