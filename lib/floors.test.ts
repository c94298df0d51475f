import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { FLOORS, floorOf, floorsTable, folderOf } from "./testing/floors";
import { cyclesOf, type Import, importsOf, projectFiles } from "./testing/import-graph";

const OUTSIDE = /^(?:e2e|bench|\.ci|lib\/testing)\/|\.test\.tsx?$|(?:^|\/)[^/]+\.config\.ts$|^prisma\//;
const sources = projectFiles().filter((path) => /\.tsx?$/.test(path));
const house = sources.filter((path) => /^(?:lib|app|components)\//.test(path) && !OUTSIDE.test(path));
const imports = importsOf(house);

/** Packages and generated code that only one folder may import. */
const KEEPERS: readonly (readonly [name: RegExp, folder: string])[] = [
  [/^@duckdb\/node-/, "lib/engine/duckdb/"],
  [/^@duckdb\/duckdb-wasm/, "components/sql/"],
  [/^(?:pg|pg-copy-streams|@prisma\/.*|prisma\/generated\/.*)$/, "lib/store/"],
  [/^stripe$/, "lib/billing/"],
  [/^nodemailer$/, "lib/mail/"],
  [/^ioredis$/, "lib/limits/"],
  [/^@node-oauth\//, "lib/oauth/"],
];
/** Storage, database and provider code that pages may reach only through operations. */
const BEHIND_OPERATIONS = /^lib\/(?:store|storage|publish|backup|vault|billing)\//;
const CLOCK = /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(|\bMath\.random\(|\brandomUUID\(|\brandomBytes\(/;

describe("the floors", () => {
  test("every folder of lib is on a floor", () => {
    const lost = house.filter((path) => folderOf(path) === undefined);
    expect(lost).toEqual([]);
  });

  test("imports go to the same floor or below", () => {
    const isUpward = ({ from, to }: Import) => {
      const [at, target] = [folderOf(from), folderOf(to)].map((folder) => (folder ? floorOf(folder) : undefined));
      return at !== undefined && target !== undefined && target > at;
    };
    expect(imports.filter(isUpward)).toEqual([]);
  });

  test("no folder imports itself through others", () => {
    const edges = imports
      .map(({ from, to }) => [roomOf(from), roomOf(to)] as const)
      .filter(([from, to]) => from !== undefined && to !== undefined && from !== to);
    expect(cyclesOf(edges as [string, string][])).toEqual([]);
  });

  test("no file imports itself through others, not even for a type", () => {
    const isFile = new Set(house);
    const edges = imports.flatMap(({ from, to }) => {
      const file = [to, `${to}.ts`, `${to}.tsx`].find((path) => isFile.has(path));
      return file === undefined ? [] : [[from, file] as const];
    });
    expect(edges.length).toBeGreaterThan(1_000);
    expect(cyclesOf(edges)).toEqual([]);
  });

  test("a package reserved for one folder is imported only there", () => {
    const strays = imports.filter(({ from, to }) =>
      KEEPERS.some(([name, folder]) => name.test(to) && !from.startsWith(folder)),
    );
    expect(strays).toEqual([]);
  });

  test("pages reach storage and the database through operations", () => {
    const strays = imports.filter(({ from, to }) => /^(?:app|components)\//.test(from) && BEHIND_OPERATIONS.test(to));
    expect(strays).toEqual([]);
  });

  test("below the services nothing reads a clock, randomness or files, except the engine's DuckDB", () => {
    const pure = house.filter((path) => /^lib\/(?:engine|schemas)\//.test(path) && !path.includes("/engine/duckdb/"));
    expect(pure.filter((path) => CLOCK.test(readFileSync(path, "utf8")))).toEqual([]);
    expect(imports.filter(({ from, to }) => pure.includes(from) && /^node:fs/.test(to))).toEqual([]);
  });

  test("imports from other folders use @/, which Node, reading lib/start itself, does not know", () => {
    const others = house.filter((path) => !path.startsWith("lib/start/"));
    expect(others.filter((path) => /from "\.\.\//.test(readFileSync(path, "utf8")))).toEqual([]);
  });

  test("the scripts that pages load do not contain zod, whose first use breaks their policy", () => {
    const isFile = new Set(house);
    const fileOf = (name: string) => [name, `${name}.ts`, `${name}.tsx`].find((path) => isFile.has(path)) ?? name;
    const next = Map.groupBy(
      imports.filter(({ typeOnly }) => !typeOnly),
      ({ from }) => from,
    );
    const scripts = house.filter((path) => readFileSync(path, "utf8").startsWith('"use client"'));
    const loadedBy = new Map(scripts.map((path) => [path, ""]));
    for (const at of loadedBy.keys())
      for (const { to } of next.get(at) ?? []) if (!loadedBy.has(fileOf(to))) loadedBy.set(fileOf(to), at);
    expect(scripts).not.toEqual([]);
    expect(loadedBy.get("zod"), "the file that imports it").toBeUndefined();
  });

  test("CONTRIBUTING.md shows them", () => {
    expect(readFileSync("CONTRIBUTING.md", "utf8")).toContain(floorsTable());
  });
});

/** The folder that imports are attributed to; undefined for pages, whose folders are URLs. */
function roomOf(path: string): string | undefined {
  const folder = folderOf(path);
  if (folder === undefined || folder === "app") return undefined;
  if (folder !== "lib/engine" && folder !== "components") return folder;
  const parts = path.split("/").slice(0, -1);
  return parts.slice(0, folder.split("/").length + (path.startsWith("components/explorer/") ? 2 : 1)).join("/");
}

test("folders that no longer exist are not listed", () => {
  const empty = FLOORS.flatMap(({ folders }) => Object.keys(folders)).filter(
    (folder) => !house.some((path) => path.startsWith(`${folder}/`)),
  );
  expect(empty).toEqual([]);
});
