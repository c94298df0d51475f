import { expect, test } from "vitest";
import type { Failure, Fault } from "@/lib/kernel/errors";
import { checkRecipe, type KnownSources } from "./check-recipe";
import { readRecipe } from "./document/read-recipe";
import { recipeJsonSchema } from "./json-schema";
import { STEP_KINDS } from "./steps/registry";

const KNOWN = new Map([["a", ["name", "day"].map((name) => ({ name, type: "string", storage: "VARCHAR" }))]]);

function faultsOf(text: string, known: KnownSources = KNOWN): readonly Fault[] {
  try {
    checkRecipe(text, known);
    return [];
  } catch (error) {
    return (error as Failure).faults;
  }
}

const RECIPE = `
schema_version: service-recipe.v1
sources:
  - {name: a, kind: upload, upload: a, reader: {format: csv}}
tables:
  - name: t
    from: a
    steps: [{step: rename, columns: {name: label}}]
    columns: [{name: label}, {name: day}]
publish: {license: CC0-1.0, publisher: {name: P}}
`;

test("all faults are reported at once, with suggestions: shape, values, names and types", () => {
  const faults = faultsOf(`
schema_version: service-recipe.v1
sources:
  - {name: a, kind: upload, upload: a, reader: {format: cvs, options: {}}}
  - {name: b, kind: http, url: "https://x.example.org/?api_key=1", headers: {Authorization: secret}, reader: {format: csv}}
tables:
  - name: t
    from: a
    step: []
    steps:
      - {step: renam, columns: {}}
      - {step: limit, rows: 1.5}
    columns: [{name: x, typ: int32}]
publish: {license: 1.10, publisher: {}}
refesh: {}
`);
  expect(faults.map(({ pointer, code, didYouMean }) => [pointer, code, didYouMean])).toEqual([
    ["/publish/license", "invalid_request", undefined],
    ["/publish/publisher/name", "invalid_request", undefined],
    ["/refesh", "invalid_request", "refresh"],
    ["/sources/0/reader/format", "invalid_value", "csv"],
    ["/sources/1/headers/Authorization", "invalid_value", undefined],
    ["/sources/1/url", "invalid_value", undefined],
    ["/tables/0/columns/0/typ", "invalid_request", "type"],
    ["/tables/0/step", "invalid_request", "steps"],
    ["/tables/0/steps/0/step", "invalid_value", "rename"],
    ["/tables/0/steps/1/rows", "invalid_value", undefined],
  ]);
  expect(faults.find(({ pointer }) => pointer === "/publish/license")?.message).toContain('Put it in quotes: "1.10"');
});

test("a shape fault shows an example of the correct shape, once", () => {
  const header = "{format: csv, options: {header: {rows: 2, fill: true}, delimter: x}}";
  const steps = "{step: flatten, column: name, fields: [name]}, {step: unpivot, columns: [name], name: n, value: v}";
  const checks = "checks: [{check: references, columns: [name], to: other}]\n    columns";
  const text = RECIPE.replace("{format: csv}", header).replace("{step: rename, columns: {name: label}}", steps);
  const faults = faultsOf(text.replace("columns: [{", `${checks}: [{`));
  const messages = faults.map(({ pointer, message }) => [pointer, message]);
  expect(
    faults.flatMap(({ pointer, didYouMean }) => (didYouMean ? [[pointer.split("/").at(-1), didYouMean]] : [])),
  ).toEqual([
    ["delimter", "delimiter"],
    ["name", "names_to"],
    ["value", "values_to"],
  ]);
  const example = (pointer: string) => messages.find(([at]) => at === pointer)?.[1]?.split("For example: ")[1];
  expect(example("/sources/0/reader/options/header/rows")).toBe("{header: {rows: [4, 5], fill: right}}");
  expect(example("/tables/0/steps/0/fields")).toBe("{fields: {b: {at: /a/b, type: int32}, c: {at: /c, type: string}}}");
  expect(example("/tables/0/steps/1/name")).toBe("{step: unpivot, columns: [p, q], names_to: n, values_to: v}");
  expect(example("/tables/0/checks/0/to")).toBe("{to: {source: other, columns: [id]}}");
  expect(
    new Set(messages.map(([, message]) => message?.split("For example: ")[1]).filter(Boolean)).size,
  ).toBeGreaterThan(4);
});

test("an unknown key of a pagination method is reported with the keys that this method has", () => {
  const source = "kind: http, url: 'https://data.example.org/a', pages: {by: page, parameter: page, size: 2}";
  const faults = faultsOf(RECIPE.replace("kind: upload, upload: a", source).replace("csv", "json"));
  const fault = faults.find(({ pointer }) => pointer === "/sources/0/pages/parameter");
  expect(fault?.allowed).toEqual(expect.arrayContaining(["page", "limit", "size", "stop"]));
  expect(fault?.message).toContain("For example: {pages: {by: page, page: page,");
});

test.each(["{by: pages, page: p}", "{page: p}"])(
  "an unknown method of pagination is reported at its key: %s",
  (pages) => {
    const source = `kind: http, url: 'https://data.example.org/a', pages: ${pages}`;
    const faults = faultsOf(RECIPE.replace("kind: upload, upload: a", source).replace("csv", "json"));
    const fault = faults.find(({ pointer }) => pointer.startsWith("/sources/0/pages"));
    expect([fault?.pointer, fault?.allowed]).toEqual([
      "/sources/0/pages/by",
      expect.arrayContaining(["page", "offset"]),
    ]);
  },
);

test.each([
  ["{by: link_header, stop: {short_page: true}}", ["/sources/0/pages/stop/short_page"]],
  ["{by: page, stop: {short_page: true}}", ["/sources/0/pages/stop/short_page"]],
  ["{by: page, size: 2, stop: {short_page: true}}", []],
])("short_page requires a size: %s", (pages, pointers) => {
  const source = `kind: http, url: 'https://data.example.org/a', pages: ${pages}`;
  const faults = faultsOf(RECIPE.replace("kind: upload, upload: a", source).replace("csv", "json"));
  expect(faults.map(({ pointer }) => pointer).filter((pointer) => pointer.includes("pages"))).toEqual(pointers);
});

test("a stored recipe with a short_page that has no effect remains readable", () => {
  const source = "kind: http, url: 'https://data.example.org/a', pages: {by: page, stop: {short_page: true}}";
  const stored = RECIPE.replace("kind: upload, upload: a", source).replace("csv", "json");
  expect(readRecipe(stored).recipe.sources[0]).toMatchObject({ kind: "http" });
});

test("equal documents have the same digest, however they are written", () => {
  const { tree, documentDigest, canonical } = readRecipe(RECIPE);
  const spelled = JSON.stringify(tree, null, 2);
  expect(readRecipe(spelled).documentDigest).toBe(documentDigest);
  expect(readRecipe(canonical).canonical).toBe(canonical);
});

test("sources that were never inspected are checked as far as possible", () => {
  const partial = checkRecipe(RECIPE, new Map());
  expect(partial.checked).toBe("partial");
  expect(partial.unchecked).toMatchObject([{ pointer: "/sources/0" }]);
  expect(checkRecipe(RECIPE, KNOWN).checked).toBe("full");
  expect(faultsOf(RECIPE.replace("{name: label}", "{nam: label}")).map(({ pointer }) => pointer)).toContain(
    "/tables/0/steps/0/columns/nam",
  );
});

test("columns that a JSON reader names are known before it is read, but not their types", () => {
  const reader = "{format: json, options: {fields: {name: /properties/name, day: /d}}}";
  const named = RECIPE.replace("{format: csv}", reader);
  expect(named).not.toBe(RECIPE);
  const { unchecked, tables } = checkRecipe(named, new Map());
  expect(unchecked).toEqual([{ pointer: "/sources/0", why: expect.stringContaining("Their names are checked") }]);
  expect(tables[0]).toMatchObject({ isOpen: false });
  const wrong = faultsOf(named.replace("{name: label}", "{nam: label}"), new Map());
  expect(wrong).toMatchObject([
    { pointer: "/tables/0/steps/0/columns/nam", code: "unknown_column", didYouMean: "name" },
  ]);
});

test("aggregates over columns that are not known yet are checked by the query's own rules", () => {
  const aggregate = `{step: aggregate, group_by: [{column: d, bucket: mnth}, name], aggregates: [
        {function: count, column: name, as: n}, {function: sum, as: s}, {function: median, column: v, as: m},
        {function: cuont, as: c}, {function: count, as: m}, {function: quantile, column: v, at: 2, as: q},
        {function: count, as: k, filters: [{column: v, operator: gt, value: 3}]}, {function: first, as: f}]}`;
  const text = RECIPE.replace("{step: rename, columns: {name: label}}", aggregate);
  const json = text.replace("{format: csv}", "{format: json}");
  const at = (pointer: string) => `/tables/0/steps/0${pointer}`;
  const found = (faults: readonly Fault[]) => faults.map(({ pointer, code }) => [pointer, code]);
  const expected = [
    [at("/aggregates/0/column"), "invalid_request"],
    [at("/aggregates/1/column"), "invalid_request"],
    [at("/aggregates/3/function"), "unknown_function"],
    [at("/aggregates/4/as"), "alias_conflict"],
    [at("/aggregates/5/at"), "invalid_value"],
    [at("/aggregates/7/column"), "invalid_request"],
    [at("/group_by/0/bucket"), "invalid_value"],
  ];
  const open = faultsOf(json, new Map());
  expect(found(open).filter(([pointer]) => pointer?.startsWith(at("")))).toEqual(expected);
  expect(open.find(({ pointer }) => pointer === at("/aggregates/0/column"))?.message).toContain("is_not_null");
  expect(found(faultsOf(text))).toEqual(
    expect.arrayContaining(expected.filter(([, code]) => code !== "invalid_value")),
  );
});

test.each([
  "a: &x [1]\nb: [*x, *x]\n<<: {}",
  "a: !!js/function x",
  `${"- ".repeat(5000)}x`,
  "a: 1\na: 2",
  `${"[".repeat(100)}`,
])("hostile YAML is rejected: %#", (text) => {
  expect(() => readRecipe(text)).toThrow();
});

test("invalid YAML is rejected with the line of the error", () => {
  expect(() => readRecipe("schema_version: service-recipe.v1\nsources:\n  - name: a\n   kind: http\n")).toThrow(
    "The document is not a valid recipe text. Line 4: ",
  );
});

test("patterns of readers are compiled by the engine that runs them", () => {
  const options = '{header: {drop_text: "[z-a]"}, stop_at: {column: 1, matches: "(?<=x)"}}';
  const text = RECIPE.replace("{format: csv}", `{format: csv, options: ${options}}`);
  expect(faultsOf(text).map(({ pointer }) => pointer)).toEqual([
    "/sources/0/reader/options/header/drop_text",
    "/sources/0/reader/options/stop_at/matches",
  ]);
});

test("the published JSON Schema has every step", () => {
  const text = JSON.stringify(recipeJsonSchema("https://data.example.org"));
  for (const name of Object.keys(STEP_KINDS)) expect(text).toContain(`"const":"${name}"`);
});

test.each([
  ["every: P0D", "/refresh/every", "at least one minute"],
  ["every: PT59S", "/refresh/every", "at least one minute"],
  ["every: P1001Y", "/refresh/every", "at most 1,000 years"],
  ["every: daily", "/refresh/every", "ISO 8601"],
  ["{every: P1D, read_every: PT0S}", "/refresh/read_every", "at least one minute"],
  ["{every: P1D, expected_by: P999999Y}", "/refresh/expected_by", "Use a time"],
  ["{every: P1D, grace: P999999M}", "/refresh/grace", "at most 1,000 years"],
  ['{every: P1D, anchor: "2026-02-30T06:00"}', "/refresh/anchor", "no such day"],
  ['{every: P1D, anchor: "2026-02-28T24:00"}', "/refresh/anchor", "local date and time"],
])("a schedule that no calendar can follow is rejected at its place: %s", (given, pointer, message) => {
  const refresh = given.startsWith("{") ? given : `{${given}}`;
  const faults = faultsOf(`${RECIPE}refresh: ${refresh}\n`);
  expect(faults).toEqual([expect.objectContaining({ pointer, message: expect.stringContaining(message) })]);
});

test.each(["2019-13", "2019-02-29"])("partitions begin on days that exist, not on %s", (from) => {
  const source = `{name: a, kind: http, template: {url: "https://x.example.org/{date:%Y}.csv", partition: {by: day, from: "${from}"}}, reader: {format: csv}}`;
  const faults = faultsOf(RECIPE.replace(/\{name: a, kind: upload.*/, source));
  expect(faults.map(({ pointer }) => pointer)).toContain("/sources/0/template/partition/from");
});
