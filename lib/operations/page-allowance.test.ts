import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readComparison } from "@/app/catalogue";
import { firstAnswer } from "@/app/datasets/[slug]/[table]/first-answer";
import { readView } from "@/components/explorer/view-address";
import { insideContext } from "@/lib/http/context";
import { publishTable } from "@/lib/publish/publish";
import type { PublishReceipt } from "@/lib/schemas/publish";
import { useTestState } from "@/lib/testing/database";

useTestState({ LIMIT_ADDRESS_MINUTE: "2" });

const COLUMNS = [{ name: "id", type: "int64" }] as const;
const folder = mkdtempSync(join(tmpdir(), "parquetry-first-answer-"));
let published: PublishReceipt;

beforeAll(async () => {
  const file = join(folder, "rows.csv");
  writeFileSync(file, "id\n1\n2\n");
  const dataset = { slug: "rows", title: "Rows", summary: "", description: "", publisher: { name: "Tests" }, license: "CC0-1.0", topics: [] };
  published = await publishTable({ file, dataset, table: { slug: "rows", name: "Rows" }, publishedAt: new Date("2025-01-01") }, { now: () => new Date() });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const from = (address: string) => ({ ...insideContext(), address });
const { view } = readView({}, COLUMNS);

test("the first rows of a page take from the queries of the visitor's address, and say when there are none left", async () => {
  const open = (address: string) => firstAnswer(published.table_id, view, COLUMNS, 100, from(address));
  for (const _ of [1, 2]) expect(await open("192.0.2.1")).toMatchObject({ phase: "done" });
  expect(await open("192.0.2.1")).toMatchObject({ phase: "failed", rows: [], problem: { code: "rate_limited" } });
  expect((await open("192.0.2.2")).problem).toBeUndefined();
});

test("a comparison on a page takes from them as well", async () => {
  const ids = { from: published.version_id, to: published.version_id };
  for (const _ of [1, 2]) expect(await readComparison(published.table_id, ids, from("192.0.2.3"))).toHaveProperty("comparison");
  expect(await readComparison(published.table_id, ids, from("192.0.2.3"))).toEqual({ message: expect.stringMatching(/queries|limit|minute/i) });
});
