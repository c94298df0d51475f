import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { buildSite, isSiteBuilt } from "./site";

const root = mkdtempSync(join(tmpdir(), "parquetry-site-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** Installs a framework whose build runs this script. */
function install(script: string): void {
  write("package.json", "{}");
  write("node_modules/next/package.json", '{ "name": "next" }');
  write(
    "node_modules/next/dist/bin/next",
    `const { writeFileSync, existsSync, mkdirSync } = require("fs");\n${script}`,
  );
}

write("components/sql/worker.ts", "export {};");
const BUILD = 'mkdirSync(".next/static", { recursive: true }); writeFileSync(".next/BUILD_ID", "b");';

test("a start during the build of one that was killed waits for it to end, and builds again", async () => {
  const words =
    "console.error('\\u001b[31m⨯\\u001b[39m Another \\u001b[36mnext build\\u001b[39m process is already running.')";
  install(`if (!existsSync("seen")) { writeFileSync("seen", ""); ${words}; process.exit(1); }\n${BUILD}`);
  const said: string[] = [];
  await buildSite(root, "digest", (line) => said.push(line), 1);
  expect(said).toEqual([expect.stringContaining("Building"), expect.stringContaining("Another build is under way")]);
  expect([isSiteBuilt(root, "digest"), isSiteBuilt(root, "other")]).toEqual([true, false]);
});

test("a build that fails says why, and the next start tries again", async () => {
  install("console.error('no room left'); process.exit(1);");
  await expect(buildSite(root, "newer", () => undefined, 1)).rejects.toThrow("no room left");
  expect(isSiteBuilt(root, "newer")).toBe(false);
  install(BUILD);
  await buildSite(root, "newer", () => undefined, 1);
  expect(isSiteBuilt(root, "newer")).toBe(true);
});
