import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { importsOf, projectFiles } from "@/lib/testing/import-graph";
import { digestSources, PROGRAM_ALONE } from "./sources";

const root = mkdtempSync(join(tmpdir(), "parquetry-sources-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test.each([
  ["lib/engine/plan.ts", { program: true, site: true }],
  ["package-lock.json", { program: true, site: true }],
  ["prisma/schema.prisma", { program: true, site: true }],
  ["next.config.ts", { program: true, site: true }],
  ["lib/server/main.ts", { program: true, site: false }],
  ["app/page.tsx", { program: false, site: true }],
  ["app/docs/commands.json", { program: false, site: true }],
  ["postcss.config.ts", { program: false, site: true }],
  ["lib/engine/plan.test.ts", { program: false, site: false }],
  ["lib/engine/README.md", { program: false, site: false }],
  ["lib/showcase/datasets/mime-types.yaml", { program: false, site: false }],
  ["lib/engine/cases/filters.json", { program: false, site: false }],
])("a change of %s requires %o", (path, stale) => {
  const write = (text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    return digestSources(root);
  };
  const before = write("one");
  const after = write("two");
  expect({ program: after.program !== before.program, site: after.site !== before.site }).toEqual(stale);
  expect(write("one")).toEqual(before);
});

test("the digest for building the pages covers everything that a page imports", () => {
  const imports = Map.groupBy(importsOf(projectFiles().filter((path) => /\.tsx?$/.test(path))), ({ from }) => from);
  const fileOf = (to: string) => [`${to}.ts`, `${to}.tsx`, to].find((path) => imports.has(path));
  const reached = new Set([...imports.keys()].filter((path) => path.startsWith("app/") && !path.includes(".test.")));
  for (const path of reached)
    for (const { to, typeOnly } of imports.get(path) ?? []) {
      const file = typeOnly ? undefined : fileOf(to);
      if (file) reached.add(file);
    }
  expect(reached.size).toBeGreaterThan(500);
  expect([...reached].filter((path) => PROGRAM_ALONE.test(path))).toEqual([]);
});
