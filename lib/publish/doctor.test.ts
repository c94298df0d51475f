import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { proveCopy } from "@/lib/storage/copy-proof";
import { copiesDir } from "@/lib/storage/paths";
import { useTestState } from "@/lib/testing/database";
import { doctor } from "./doctor";
import { publishTable } from "./publish";

useTestState();
const folder = mkdtempSync(join(tmpdir(), "parquetry-doctor-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function published(table: string): Promise<string> {
  const file = join(folder, `${table}.csv`);
  writeFileSync(file, `${table}\n1\n`);
  const dataset = { slug: "d", title: "D", summary: "", description: "", publisher: { name: "P" }, topics: [] };
  const request = { file, dataset: { ...dataset, license: "MIT" }, table: { slug: table, name: table } };
  return (await publishTable(request, { now: () => new Date() })).content_digest.slice("sha256:".length);
}

test("read copies without a valid proof are found, and removed by --fix; others remain", async () => {
  const digests = [await published("proven"), await published("changed"), await published("bare")];
  mkdirSync(copiesDir(), { recursive: true });
  const [proven, changed, bare] = digests.map((digest) => join(copiesDir(), `${digest}.duckdb`)) as [
    string,
    string,
    string,
  ];
  for (const path of [proven, changed, bare]) writeFileSync(path, "a copy");
  writeFileSync(`${proven}.proof`, await proveCopy(proven, digests[0] ?? ""));
  writeFileSync(`${changed}.proof`, "0".repeat(64));
  rmSync(`${bare}.proof`, { force: true }); // publishing made one
  const found = (await doctor({ fix: true, olderThanMs: 0 })).filter(({ problem }) => problem === "copy_without_proof");
  expect(found.map(({ subject }) => subject).sort()).toEqual([changed, `${changed}.proof`, bare].sort());
  expect(
    readdirSync(copiesDir())
      .map((name) => join(copiesDir(), name))
      .sort(),
  ).toEqual([proven, `${proven}.proof`]);
});
