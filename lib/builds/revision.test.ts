import { expect, test } from "vitest";
import { checkTree } from "./check-recipe";
import { readTree } from "./document/tree";
import { differences, impactOf } from "./revision";

const document = (change: (recipe: Record<string, never>) => void = () => {}) => {
  const recipe = {
    schema_version: "service-recipe.v1",
    sources: [
      {
        name: "a",
        kind: "http",
        url: "https://a.example.org/x.csv",
        reader: { format: "csv", options: { columns: ["x", "y"] } },
      },
    ],
    tables: [
      {
        name: "t",
        from: "a",
        steps: [{ step: "trim" }],
        columns: [{ name: "x", type: "int32" }],
        checks: [{ check: "not_null", columns: ["x"] }],
      },
    ],
    publish: { license: "CC0-1.0", publisher: { name: "P" } },
  };
  change(recipe as never);
  return readTree(JSON.stringify(recipe));
};

const impact = (change: (recipe: never) => void) =>
  impactOf(checkTree(document(), new Map()), checkTree(document(change as never), new Map()));

test("a revision has the level of its greatest change", () => {
  type Loose = {
    sources: Record<string, unknown>[];
    tables: { steps: unknown[]; columns: unknown[]; checks: unknown[]; note?: string }[];
    publish: Record<string, unknown>;
  };
  const level = (change: (recipe: Loose) => void) => impact(change as never).level;
  expect(level((recipe) => Object.assign(recipe.tables[0] ?? {}, { note: "for readers" }))).toBe("texts");
  expect(level((recipe) => recipe.tables[0]?.steps.push({ step: "limit", rows: 5 }))).toBe("safe");
  expect(level((recipe) => recipe.tables[0]?.columns.splice(0, 1, { name: "x", type: "int64" }))).toBe("shape");
  expect(level((recipe) => Object.assign(recipe.sources[0] ?? {}, { url: "https://b.example.org/x.csv" }))).toBe(
    "sources",
  );
  expect(level((recipe) => Object.assign(recipe.publish, { license: "MIT" }))).toBe("publishing");
});

test("new hosts, retyped columns and weakened checks are named", () => {
  const found = impact(((recipe: { sources: object[]; tables: { columns: unknown[]; checks: unknown[] }[] }) => {
    Object.assign(recipe.sources[0] ?? {}, { url: "https://b.example.org/x.csv", credential: "key" });
    recipe.tables[0]?.columns.splice(0, 1, { name: "x", type: "int64" });
    recipe.tables[0]?.checks.splice(0, 1, { check: "not_null", columns: ["x"], severity: "warn" });
  }) as never);
  expect(found).toMatchObject({
    newHosts: ["b.example.org"],
    newCredentials: ["key"],
    columns: { added: [], removed: [], retyped: [{ table: "t", column: "x", from: "int32", to: "int64" }] },
    checksWeakened: [{ table: "t", check: "not_null" }],
    scheduleChanged: false,
  });
});

test("differences are reported by JSON Pointer", () => {
  const [before, after] = [readTree('{"a":[1,2],"b":1.50}'), readTree('{"a":[1,3,4],"b":1.5}')];
  expect(differences(before, after).map(({ pointer, op }) => `${op} ${pointer}`)).toEqual(["replace /a/1", "add /a/2"]);
});
