import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { envExample } from "./cli/env-example";
import { ERRORS } from "./kernel/errors";

const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { encoding: "utf8" })
  .split("\n")
  .filter((path) => path && existsSync(path));
const sources = files.filter((path) => /\.tsx?$/.test(path));
const code = sources.filter((path) => !/\.(?:test|spec)\.tsx?$/.test(path));
const text = (path: string) => readFileSync(path, "utf8");

/** Codes of the contract whose routes are still to come. */
const AWAITED = ["subscription_inactive", "plan_required", "no_passing_release", "idempotency_key_reused"];

describe("the house stays true", () => {
  test("no source file is longer than 300 lines", () => {
    const long = code.map((path) => [path, text(path).split("\n").length] as const).filter(([, lines]) => lines > 301);
    expect(long).toEqual([]);
  });

  test("no line of code is longer than 120 columns, but for what cannot be broken", () => {
    const cannot = /biome-ignore|^\s*(?:: )?\/.*\/[a-z]*[,;)]*$/; // the linter's own comments, regular expressions
    const long = code.flatMap((path) =>
      text(path)
        .split("\n")
        .flatMap((line, at) => (line.length > 120 && !cannot.test(line) ? [`${path}:${at + 1}`] : [])),
    );
    expect(long).toEqual([]);
  });

  test("every error code is thrown somewhere, but for those that await their routes", () => {
    const lists = /(?:errors: |const [A-Z_]+[^=\n]* = (?:new Set\()?)\[[^\]]*\]/g; // naming a code is not throwing it
    const all = code
      .filter(
        (path) =>
          /^(?:lib|app)\//.test(path) && path !== "lib/kernel/errors.ts" && !/^lib\/(?:docs|testing)\//.test(path),
      )
      .map((path) => text(path).replace(lists, ""))
      .join("\n");
    const unthrown = Object.keys(ERRORS).filter((name) => !all.includes(`"${name}"`));
    expect(unthrown).toEqual(AWAITED);
  });

  test(".env.example holds every setting as it is", () => {
    expect(text(".env.example")).toBe(envExample());
  });

  test("every path that a README or SECURITY.md names exists", () => {
    const readmes = files.filter((path) => path.endsWith("README.md") || path === "SECURITY.md");
    const named = readmes.flatMap((readme) =>
      [...text(readme).matchAll(/`((?:app|components|lib|prisma|e2e|bench|public|\.ci)\/[A-Za-z0-9_./[\]-]+)`/g)].map(
        ([, path = ""]) => ({ readme, path }),
      ),
    );
    const missing = named.filter(({ readme, path }) => !existsSync(path) && !existsSync(join(dirname(readme), path)));
    expect(missing).toEqual([]);
  });

  test("the pictures in docs/screenshots are those that the README shows", () => {
    const shown = [...text("README.md").matchAll(/\((docs\/screenshots\/[^)]+)\)/g)].map(([, path]) => path);
    expect(files.filter((path) => path.startsWith("docs/screenshots/")).sort()).toEqual(shown.sort());
  });

  test("no folder hides its files behind an index", () => {
    expect(sources.filter((path) => /(^|\/)(index|utils|helpers|common|misc|types)\.tsx?$/.test(path))).toEqual([]);
  });
});
