import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { closeReadingEngine } from "@/lib/operations/reading/reading-engine";
import { publishTable } from "@/lib/publish/publish";
import { useTestState } from "@/lib/testing/database";
import { serve } from "@/lib/testing/serve";
import { compareVersions } from "./compare-versions";

useTestState({ QUERY_TIMEOUT_MS: "1" });

const folder = mkdtempSync(join(tmpdir(), "parquetry-compare-timeout-"));

afterAll(async () => {
  await closeReadingEngine();
  rmSync(folder, { recursive: true, force: true });
});

async function publish(word: string) {
  const file = join(folder, `${word}.csv`);
  writeFileSync(file, `id,word\n${Array.from({ length: 50_000 }, (_, id) => `${id},${word}${id}\n`).join("")}`);
  const dataset = { slug: "slow", title: "Slow", publisher: { name: "P" }, license: "CC0-1.0" };
  return await publishTable({ file, dataset, table: { slug: "rows" }, primaryKey: ["id"] }, { now: () => new Date() });
}

test("a comparison that takes too long offers the difference as a file, and says how long that may take", async () => {
  const [one, two] = [await publish("one"), await publish("two")];
  const request = new Request(`http://localhost/compare?from=${one.version_id}&to=${two.version_id}`);
  const reply = await serve({ GET: compareVersions }).GET(request, {
    params: Promise.resolve({ table_id: one.table_id }),
  });
  const { error, message } = await reply.json();
  expect([reply.status, error]).toEqual([504, "query_timeout"]);
  expect(message).toContain("Save every row that differs as a file instead");
  expect(message).not.toContain("filter");
});
