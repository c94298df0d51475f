import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { sha256Hex } from "@/lib/kernel/sha256";
import { blobStore } from "@/lib/storage/blob-store";
import { proveCopy } from "@/lib/storage/copy-proof";
import { copiesDir } from "@/lib/storage/paths";
import { database } from "@/lib/store/postgres/database";
import { addArtifacts } from "@/lib/store/runs/artifacts";
import { useTestState } from "@/lib/testing/database";
import { storedRun } from "@/lib/testing/stored-run";
import { newWorkspace } from "@/lib/testing/workspace";
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

test("the tables that a run left are kept by --fix, rejects included", async () => {
  const { workspaceId } = await newWorkspace();
  const now = new Date();
  const texts = ["a sample", "what a failed run would have sealed", "rejects"];
  const kinds = ["sample_table", "candidate_table", "rejects"] as const;
  for (const text of [...texts, "of no run"]) {
    writeFileSync(join(folder, "blob"), text);
    await blobStore().put(sha256Hex(text), join(folder, "blob"), { keep: true });
  }
  const artifacts = kinds.map((kind, at) => {
    const text = texts[at] ?? "";
    const about = { name: `${kind}.parquet`, mediaType: "", bytes: text.length, digest: sha256Hex(text), columns: [] };
    return { kind, ...about, expiresAt: new Date(now.getTime() + 3_600_000) };
  });
  const { prisma } = await database();
  await prisma.$transaction(async (transaction) => {
    const { id } = await storedRun(transaction, workspaceId);
    await addArtifacts(transaction, id, artifacts, now);
  });
  const found = await doctor({ fix: true, olderThanMs: 0 });
  const unnamed = found.filter(({ problem }) => problem === "blob_without_version");
  expect(unnamed).toEqual([{ problem: "blob_without_version", subject: sha256Hex("of no run"), fixed: true }]);
  expect(found.filter(({ problem }) => problem === "blob_missing")).toEqual([]);
});
