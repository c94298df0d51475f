import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { copyPrograms, runProgram } from "./postgres-programs";

const root = mkdtempSync(join(tmpdir(), "parquetry-programs-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const native = join(root, "package", "native");
mkdirSync(join(native, "bin"), { recursive: true });
writeFileSync(join(root, "package", "package.json"), '{"version":"18.0.0"}');
writeFileSync(join(native, "bin", "pg_ctl"), "#!/bin/sh\necho ours\n", { mode: 0o755 });
writeFileSync(join(native, "bin", "data"), "", { mode: 0o600 });

let folder = "";
let copy = "";
beforeEach(() => {
  folder = mkdtempSync(join(root, "data-"));
  copy = join(folder, "programs-18.0.0");
});

test("the copy is in the data folder, runs, and can be written only by its owner, whatever the umask", async () => {
  const umask = process.umask(0o077);
  try {
    expect(copyPrograms(native, folder)).toBe(copy);
  } finally {
    process.umask(umask);
  }
  expect(await runProgram(join(copy, "bin", "pg_ctl"), [])).toBe("ours\n");
  const modeOf = (...path: string[]) => (statSync(join(copy, ...path)).mode & 0o777).toString(8);
  expect([modeOf(), modeOf("bin"), modeOf("bin", "pg_ctl"), modeOf("bin", "data")]).toEqual([
    "755",
    "755",
    "755",
    "644",
  ]);
  expect(copyPrograms(native, folder)).toBe(copy);
  expect(readdirSync(folder)).toEqual(["programs-18.0.0"]);
});

const made = () => copyPrograms(native, folder);
const planted: [name: string, plant: () => void][] = [
  ["a link", () => symlinkSync(native, copy)],
  ["a copy that others can write to", () => chmodSync(made(), 0o777)],
  ["a copy whose programs others can replace", () => chmodSync(join(made(), "bin"), 0o775)],
  ["a copy in a folder that others can write to", () => chmodSync(join(made(), ".."), 0o777)],
];
if (process.getuid?.() === 0)
  planted.push(
    ["another user's copy", () => chownSync(made(), 4321, 4321)],
    [
      "another user's folder of programs",
      () => {
        renameSync(join(made(), "bin"), join(copy, "old"));
        mkdirSync(join(copy, "bin"));
        chownSync(join(copy, "bin"), 4321, 4321);
      },
    ],
  );

test.each(planted)("nothing is executed from %s", (_name, plant) => {
  plant();
  expect(() => copyPrograms(native, folder)).toThrow(/Unsafe folder: .*nothing is executed/);
});

test("a program inherits PATH and LANG, and nothing else of the environment", async () => {
  vi.stubEnv("PARQUETRY_SECRET", "never-inherited");
  try {
    const names = (await runProgram("/usr/bin/env", [])).match(/^\w+(?==)/gm);
    expect(names?.sort()).toEqual(["LANG", "PATH"]);
  } finally {
    vi.unstubAllEnvs();
  }
});
