import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { insideContext } from "@/lib/http/context";
import { publishTable } from "@/lib/publish/publish";
import type { OpenText } from "@/lib/storage/cached-text";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { catalogueDocument } from "./catalogue-document";

useTestState();
const folder = mkdtempSync(join(tmpdir(), "parquetry-documents-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let written = 0;
const read = catalogueDocument("test", async function* (batches) {
  written += 1;
  for await (const datasets of batches) yield datasets.map(({ slug, title }) => `${slug} ${title}, `).join("");
});
let now = new Date("2026-01-01T00:00:00Z");

async function contentOf({ bytes, file }: OpenText): Promise<string> {
  const buffer = Buffer.alloc(bytes);
  expect((await file.read(buffer, 0, bytes, 0)).bytesRead).toBe(bytes);
  await file.close();
  return buffer.toString().replace(/, $/, "");
}

const open = () => read({}, { ...insideContext(), now: () => now });
const ask = async () => contentOf(await open());

async function publish(slug: string) {
  const file = join(folder, `${slug}.csv`);
  writeFileSync(file, "id\n1\n");
  const dataset = { slug, title: slug, publisher: { name: "Tests" }, license: "CC0-1.0", topics: [] };
  await publishTable({ file, dataset, table: { slug: "rows", name: "Rows" } } as Parameters<typeof publishTable>[0], {
    now: () => new Date(),
  });
}

test("a catalogue document is generated once per state of the catalogue and quarter of an hour", async () => {
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
  const { prisma } = await database();
  const { id: datasetId } = await prisma.dataset.findUniqueOrThrow({ where: { slug: "two" } });
  const standing = { datasetId, state: "fresh", reason: "", tables: {}, since: now, computedAt: now, checkAt: now };
  await prisma.standing.create({ data: standing });
  expect([await ask(), written]).toEqual(["two two", 5]);
  await prisma.standing.update({ where: { datasetId }, data: { checkAt: new Date() } });
  expect([await ask(), written]).toEqual(["two two", 5]);
  await prisma.standing.update({ where: { datasetId }, data: { state: "stale" } });
  expect([await ask(), written]).toEqual(["two two", 6]);
  now = new Date(now.getTime() + 15 * 60_000); // without a worker, nothing stores its result
  expect([await ask(), written]).toEqual(["two two", 7]);
});

test("a reader gets a document to its end, although the catalogue changes and others read the next one", async () => {
  const slow = await open();
  const { pool } = await database();
  await pool.query(`UPDATE "Dataset" SET title = 'Again' WHERE slug = 'two'`);
  expect(await ask()).toBe("two Again");
  expect(await contentOf(slow)).toBe("two two");
  const [one, other] = [await open(), await open()];
  expect(one.etag).toBe(other.etag);
  expect(one.etag).not.toBe(slow.etag);
  await Promise.all([one.file.close(), one.file.close()]);
  expect(await contentOf(other)).toBe("two Again");
});
