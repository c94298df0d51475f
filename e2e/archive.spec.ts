import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { readerKey } from "./service";
import { test } from "./test";

const ADDRESS = "/api/v2/public/datasets/browser-compatibility/archive.zip";

test("a dataset of three tables comes as one archive that unzip and DuckDB's own digests agree with", async ({
  request,
}) => {
  const headers = { "x-api-key": readerKey() };
  const head = await request.head(ADDRESS, { headers });
  const reply = await request.get(ADDRESS, { headers });
  const bytes = await reply.body();
  expect([reply.status(), reply.headers()["content-length"], reply.headers().etag]).toEqual([
    200,
    String(bytes.length),
    head.headers().etag,
  ]);
  expect(head.headers()["content-length"]).toBe(String(bytes.length));
  const folder = mkdtempSync(join(tmpdir(), "archive-"));
  try {
    writeFileSync(join(folder, "a.zip"), bytes);
    execFileSync("unzip", ["-q", "a.zip"], { cwd: folder });
    const read = (path: string) =>
      execFileSync("cat", [join(folder, "browser-compatibility", path)], { maxBuffer: 1 << 28 });
    const { resources } = JSON.parse(String(read("datapackage.json")));
    expect(resources.map(({ path }: { path: string }) => path)).toEqual([
      "data/support.parquet",
      "data/features.parquet",
      "data/releases.parquet",
    ]);
    for (const { path, hash } of resources)
      expect(`sha256:${createHash("sha256").update(read(path)).digest("hex")}`).toBe(hash);
    expect(String(read("README.md"))).toContain("# Browser compatibility");
  } finally {
    rmSync(folder, { recursive: true });
  }
  expect(
    (await request.get(ADDRESS, { headers: { ...headers, "if-none-match": reply.headers().etag ?? "" } })).status(),
  ).toBe(304);
  expect((await request.get(ADDRESS)).status()).toBe(401);
});
