import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { insideContext } from "@/lib/http/context";
import { publishTable } from "@/lib/publish/publish";
import { database } from "@/lib/store/database";
import { useTestState } from "@/lib/testing/database";
import { catalogueDocument } from "./catalogue-document";

useTestState();
const folder = mkdtempSync(join(tmpdir(), "parquetry-documents-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let written = 0;
const read = catalogueDocument("test", (datasets) => {
  written += 1;
  return datasets.map(({ slug, title }) => `${slug} ${title}`).join(", ");
});
const ask = () => read({}, insideContext());

async function publish(slug: string) {
  const file = join(folder, `${slug}.csv`);
  writeFileSync(file, "id\n1\n");
  const dataset = { slug, title: slug, publisher: { name: "Tests" }, license: "CC0-1.0", topics: [] };
  await publishTable({ file, dataset, table: { slug: "rows", name: "Rows" } } as Parameters<typeof publishTable>[0], {
    now: () => new Date(),
  });
}

test("a catalogue document is generated once per state of the catalogue, whatever the concurrency", async () => {
  await publish("one");
  expect(new Set(await Promise.all(Array.from({ length: 20 }, ask)))).toEqual(new Set(["one one"]));
  expect([await ask(), written]).toEqual(["one one", 1]);
  await publish("two");
  expect((await ask()).split(", ").toSorted()).toEqual(["one one", "two two"]);
  expect(written).toBe(2);
  const { pool } = await database();
  await pool.query(`UPDATE "Dataset" SET title = 'Renamed' WHERE slug = 'one'`);
  expect(await ask()).toContain("one Renamed");
  await pool.query(`UPDATE "Dataset" SET visibility = 'withdrawn' WHERE slug = 'one'`);
  expect([await ask(), written]).toEqual(["two two", 4]);
});
