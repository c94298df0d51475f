import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readSource } from "@/lib/builds/document/source-shape";
import { tar } from "@/lib/kernel/tar";
import { listPackage } from "./list-package";

let root = "";
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "list-package-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const listed = async (files: [name: string, bytes: number][]) => {
  const folder = await mkdtemp(join(root, "run-"));
  const path = join(folder, "raw");
  await writeFile(path, gzipSync(tar(files.map(([name, bytes]) => [`package/${name}`, Buffer.alloc(bytes)]))));
  const about = { folder, path, isWhole: true, name: "", member: undefined };
  return await listPackage({ ...about, headBytes: 1, unpackedBytes: 10_000_000 });
};

test("the files of a package are listed as a recipe names them, those with data first", async () => {
  const { containers, warnings } = await listed([
    ["README.md", 10],
    ["package.json", 20],
    ["data/all.csv", 4096],
    ["data/all.json.gz", 300],
  ]);
  expect(containers[0]?.members).toEqual([
    { name: "data/all.csv", bytes: 4096 },
    { name: "data/all.json.gz", bytes: 300 },
    { name: "README.md", bytes: 10 },
    { name: "package.json", bytes: 20 },
  ]);
  expect(warnings.join()).toContain('The package has 4 files: "data/all.csv" (4.1 kB), "data/all.json.gz" (300 B)');
});

test("at most 50 are listed, and all are counted", async () => {
  const files = Array.from({ length: 60 }, (_, at): [string, number] => [`${at}.csv`, 1]);
  const { containers, format } = await listed(files);
  expect(containers[0]?.members).toHaveLength(50);
  expect(format.why).toBe("an npm package of 60 files");
});

test("only an inspection may name a package without a file", () => {
  const source = { name: "p", kind: "package", registry: "npm", package: "mime-db", reader: { format: "json" } };
  expect(readSource(source, "", "inspection").faults).toEqual([]);
  expect(readSource(source, "").faults).toMatchObject([{ message: expect.stringContaining("Give exactly one of") }]);
  expect(readSource({ ...source, path: "a", paths: "*" }, "", "inspection").faults).toHaveLength(1);
});
