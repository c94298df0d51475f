import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeRelease } from "./release";

const run = (cwd: string, program: string, ...args: string[]): string =>
  execFileSync(program, args, { cwd, encoding: "utf8", maxBuffer: 2 ** 28 });

interface Lock {
  packages: Readonly<Record<string, { version: string; name?: string; dev?: true }>>;
}
interface Sbom {
  serialNumber: string;
  metadata: { timestamp: string; component: { name: string; type: string } };
  components: readonly { name: string; version: string }[];
}

describe("a release of a clean clone", () => {
  const folder = mkdtempSync(join(tmpdir(), "parquetry-release-"));
  const [clone, first, second] = [join(folder, "clone"), join(folder, "first"), join(folder, "second")];
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  const name = `parquetry-${version}`;

  beforeAll(() => {
    run(folder, "git", "clone", "--quiet", "--no-hardlinks", resolve("."), clone);
    makeRelease(clone, first);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test("has an archive, an SBOM and their checksums, which sha256sum verifies", () => {
    expect(readdirSync(first).sort()).toEqual(["SHA256SUMS", `${name}.cdx.json`, `${name}.tar.gz`]);
    expect(run(first, "sha256sum", "--check", "--strict", "SHA256SUMS")).toBe(
      `${name}.tar.gz: OK\n${name}.cdx.json: OK\n`,
    );
    appendFileSync(join(first, `${name}.cdx.json`), " ");
    expect(() => run(first, "sha256sum", "--check", "--status", "SHA256SUMS")).toThrow();
    makeRelease(clone, first);
  });

  test("has every tracked file, and says of which commit", () => {
    const tracked = run(clone, "git", "ls-files", "-z").split("\0").filter(Boolean);
    const archived = run(first, "tar", "--list", "--file", `${name}.tar.gz`, "--quoting-style=literal")
      .split("\n")
      .filter((path) => path && !path.endsWith("/"));
    expect(archived.sort()).toEqual(tracked.map((path) => `${name}/${path}`).sort());
    const tar = execFileSync("gzip", ["-dc", `${name}.tar.gz`], { cwd: first, maxBuffer: 2 ** 28 });
    const commit = execFileSync("git", ["get-tar-commit-id"], { input: tar.subarray(0, 1024), encoding: "utf8" });
    expect(commit).toBe(run(clone, "git", "rev-parse", "HEAD"));
  });

  test("names in its SBOM exactly the packages that production installs", () => {
    const sbom = JSON.parse(readFileSync(join(first, `${name}.cdx.json`), "utf8")) as Sbom;
    const lock = JSON.parse(readFileSync(join(clone, "package-lock.json"), "utf8")) as Lock;
    const installed = Object.entries(lock.packages)
      .filter(([path, { dev }]) => path !== "" && !dev)
      .map(([path, each]) => `${each.name ?? path.split("node_modules/").at(-1)}@${each.version}`);
    expect(installed.length).toBeGreaterThan(200);
    const named = sbom.components.map((each) => `${each.name}@${each.version}`);
    expect([...new Set(named)].sort()).toEqual([...new Set(installed)].sort());
    expect(sbom.metadata.component).toMatchObject({ name: "parquetry", type: "application" });
  });

  test("is the same bytes again", () => {
    makeRelease(clone, second);
    const contents = (at: string) => readdirSync(at).map((file) => [file, readFileSync(join(at, file), "base64")]);
    expect(contents(second)).toEqual(contents(first));
  });

  test("is refused while tracked files have changes, by name", () => {
    const before = readFileSync(join(clone, "LICENSE"));
    appendFileSync(join(clone, "LICENSE"), "\n");
    expect(() => makeRelease(clone, second)).toThrow(/Commit them first:\n M LICENSE$/);
    writeFileSync(join(clone, "LICENSE"), before);
  });
});
