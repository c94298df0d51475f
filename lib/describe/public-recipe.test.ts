import { expect, test } from "vitest";
import { stringifyExactJson } from "@/lib/formats/exact-json";
import type { SealedBuild } from "@/lib/store/releases/sealed-builds";
import { builtLineage, isRecipeShown } from "./lineage";
import { shownRecipe } from "./public-recipe";

const DIGEST = "ab".repeat(32);
const http = (name: string, more: object = {}) => ({
  ...{ name, kind: "http", url: `https://data.example.org/${name}.csv?year=2026`, reader: { format: "csv" } },
  ...more,
});

const documentOf = (...sources: object[]): string =>
  JSON.stringify({
    schema_version: "service-recipe.v1",
    sources,
    tables: [{ name: "levels", from: (sources[0] as { name: string }).name, checks: [{ check: "row_count", min: 1 }] }],
    publish: { license: "CC0-1.0", publisher: { name: "Office" } },
  });

const buildOf = (document: string, showsRecipe = true): SealedBuild => ({
  tableId: "t1",
  versionId: "v1",
  sealedAt: new Date("2026-11-20T10:00:05Z"),
  claimedAt: new Date("2026-11-20T10:00:00Z"),
  finishedAt: new Date("2026-11-20T10:00:05Z"),
  revision: 2,
  document,
  documentDigest: DIGEST,
  recipeDigest: `sha256:${DIGEST}`,
  showsRecipe,
  lineage: JSON.stringify({
    table: "levels",
    columns: { gauge: { from: [{ source: "office", column: "Pegel" }], steps: [0], kind: "copied" } },
    sources: (JSON.parse(document) as { sources: { name: string }[] }).sources.map(({ name }) => ({
      name,
      read_at: "2026-11-20T10:00:01.000Z",
      parts: [{ partition: null, digest: DIGEST, bytes: 12 }],
    })),
    engine: { duckdb: "1.5.6", readers: 1 },
  }),
  checks: [
    {
      check: "row_count",
      table: "levels",
      title: null,
      severity: "error",
      outcome: "passed",
      failures: 0,
      examined: 3,
      message: "3 rows",
    },
  ],
});

const AT = { base: "https://parquetry.example", tables: new Map(), withRecipe: true };
const lineage = (build: SealedBuild) => builtLineage(build, AT);

test("headers of a source with a credential are hidden; the rest of the recipe is shown", () => {
  const secret = {
    credential: "office-key",
    query: { dataset: "internal-7" },
    headers: { "X-Client": "internal-8" },
    method: "POST",
    body: { select: "internal-9" },
  };
  const document = documentOf(http("office", secret), http("open"));
  const { recipe, isWhole } = shownRecipe(document);
  const text = stringifyExactJson({ recipe, lineage: lineage(buildOf(document)) });
  for (const word of ["office-key", "internal", "office.csv?"]) expect(text, word).not.toContain(word);
  expect([isWhole, text.includes("open.csv?year=2026")]).toEqual([false, true]);
  expect(recipe.sources[0]).toEqual({
    ...{ name: "office", kind: "http", method: "POST", url: "https://data.example.org/office.csv" },
    reader: { format: "csv" },
  });
  expect(shownRecipe(documentOf(http("open"))).isWhole).toBe(true);
});

test("numbers of a public recipe keep their digits", () => {
  const document = documentOf(http("open")).replace('"min":1', '"min":9007199254740993');
  expect(stringifyExactJson(shownRecipe(document).recipe)).toContain('"min":9007199254740993');
});

test("a hidden recipe shows what was read and checked, but neither steps nor messages", () => {
  const built = lineage(buildOf(documentOf(http("office", { license: "DL-DE-BY-2.0" })), false));
  expect(built).toMatchObject({
    recipe: { revision: 2, url: null, is_whole: null, recipe_digest: `sha256:${DIGEST}` },
    run: { seconds: 5, engine: { duckdb: "1.5.6" } },
    checks: [{ check: "row_count", outcome: "passed", message: null }],
    columns: [],
    sources: [
      {
        ...{ name: "office", url: "https://data.example.org/office.csv", license: "DL-DE-BY-2.0", bytes: 12 },
        parts: [{ partition: null, content_digest: `sha256:${DIGEST}`, bytes: 12 }],
      },
    ],
  });
  expect(built.recipe.document).toBeUndefined();
});

test("unlisted sources and private tables are counted, and hide the recipe", () => {
  const table = { name: "own", kind: "table", table: "secret-plans/rows" };
  for (const hidden of [http("hidden", { listed: false, title: "Secret plans" }), table]) {
    const build = buildOf(documentOf(http("office"), hidden));
    const built = lineage(build);
    expect(isRecipeShown(build, AT.tables)).toBe(false);
    expect([built.sources.map(({ name }) => name), built.unlisted_source_count]).toEqual([["office"], 1]);
    expect(JSON.stringify(built)).not.toMatch(/secret|hidden|own/i);
  }
});

test("a public table of this service is named with its page", () => {
  const build = buildOf(documentOf({ name: "own", kind: "table", table: "reference/countries" }));
  const found = { datasetSlug: "reference", title: "Reference", tableSlug: "countries", license: "CC0-1.0" };
  const tables = new Map([["reference/countries", found]]);
  const url = "https://parquetry.example/datasets/reference?table=countries";
  expect(builtLineage(build, { ...AT, tables })).toMatchObject({
    recipe: { url: "https://parquetry.example/api/v2/public/tables/t1/lineage?version_id=v1&recipe=true" },
    sources: [{ name: "own", title: "Reference", url, license: "CC0-1.0" }],
    unlisted_source_count: 0,
  });
});

test("a release without recorded sources names those of its recipe", () => {
  const build = buildOf(documentOf(http("office")));
  const built = lineage({ ...build, lineage: JSON.stringify({ table: "levels", columns: {} }) });
  expect(built).toMatchObject({ run: { engine: null }, sources: [{ name: "office", read_at: null, parts_total: 0 }] });
});
