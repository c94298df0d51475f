import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { PublishRequest } from "@/lib/schemas/publish";
import { database } from "@/lib/store/postgres/database";
import { blobFile } from "@/lib/testing/blob-file";
import { useTestState } from "@/lib/testing/database";
import { publishTable } from "./publish";

const state = useTestState();
const ctx = { now: () => new Date("2026-01-02T03:04:05Z") };
let files = 0;

interface Options extends Partial<Pick<PublishRequest, "columns" | "orderBy" | "publishedAt">> {
  dataset?: string;
  title?: string;
  format?: string;
}

/** Publishes a small file to the table `t` of a dataset. */
async function publish(content: string, { dataset = "d", title = "T", format = "csv", ...rest }: Options = {}) {
  files += 1;
  const file = join(state.dataDir(), `${files}.${format}`);
  writeFileSync(file, content);
  const about = {
    slug: dataset,
    title,
    summary: "s",
    description: "d",
    publisher: { name: "Prüfamt für Maße" },
    license: "MIT",
    topics: ["x"],
  };
  return await publishTable({ file, dataset: about, table: { slug: "t", name: "T" }, ...rest }, ctx);
}

const CSV = 'id,name\n2,007\n1,\n3,""\n';

test("a first publication stores a read-only blob and records everything", async () => {
  const receipt = await publish(CSV, { dataset: "first" });
  expect(receipt).toMatchObject({ outcome: "published", dataset: "first", table: "t", rows: 3, change: "first" });
  const stored = statSync(blobFile(receipt.content_digest.slice(7)));
  expect([stored.size, stored.mode & 0o777]).toEqual([receipt.bytes, 0o444]);
  const { prisma } = await database();
  const dataset = await prisma.dataset.findUniqueOrThrow({
    where: { slug: "first" },
    include: { publisher: true, tables: { include: { currentVersion: true } } },
  });
  expect(dataset.publisher).toMatchObject({ slug: "prufamt-fur-masse", name: "Prüfamt für Maße" });
  expect(dataset.publishedAt).toEqual(ctx.now());
  expect(dataset.tables[0]?.currentVersion).toMatchObject({
    id: receipt.version_id,
    sequence: 1,
    rows: 3n,
    change: "first",
  });
  expect(dataset.tables[0]?.currentVersion?.columns).toEqual([
    { name: "id", type: "int64", storage: "BIGINT", nullable: false, description: null, unit: null },
    { name: "name", type: "string", storage: "VARCHAR", nullable: true, description: null, unit: null },
  ]);
});

describe("what a publication changes", () => {
  const notes = [{ name: "id", description: "The id", unit: "1" }];
  test.each<[string, string, Options, string | null]>([
    ["the same bytes", CSV, {}, null],
    [
      "the same rows from another format",
      '[{"id":2,"name":"007"},{"id":1},{"id":3,"name":""}]',
      { format: "json" },
      null,
    ],
    ["changed notes", CSV, { columns: notes }, "metadata"],
    ["rows at the end", `${CSV}4,x\n`, {}, "appended"],
    ["rows in between and twice", 'id,name\n2,007\n9,z\n2,007\n3,""\n1,\n', {}, "appended"],
    ["more rows but one lost", 'id,name\n2,007\n3,""\n3,""\n5,y\n', {}, "restated"],
    ["another order", 'id,name\n1,\n2,007\n3,""\n', {}, "restated"],
    ["an empty string for a null", 'id,name\n2,007\n1,""\n3,""\n', {}, "restated"],
    ["fewer rows", "id,name\n2,007\n", {}, "restated"],
    ["an additional column", 'id,name,more\n2,007,1\n1,,2\n3,"",3\n', {}, "columns_added"],
    ["one column fewer", "id\n2\n1\n3\n", {}, "breaking"],
    ["another type", CSV, { columns: [{ name: "id", type: "string" }] }, "breaking"],
    ["another name", 'ID,name\n2,007\n1,\n3,""\n', {}, "breaking"],
  ])("%s: %s", async (name, content, options, change) => {
    const dataset = `change-${name.replaceAll(" ", "-")}`;
    const first = await publish(CSV, { dataset });
    const second = await publish(content, { dataset, ...options });
    expect([second.outcome, second.change]).toEqual([change === null ? "unchanged" : "published", change]);
    expect(second.version_id === first.version_id).toBe(change === null);
    expect(second.table_id).toBe(first.table_id);
  });

  test("NaN equals NaN", async () => {
    await publish("x\n1.5\nNaN\n", { dataset: "nan" });
    expect((await publish("x\n1.50\nNaN\n", { dataset: "nan" })).outcome).toBe("unchanged");
  });

  test("an unchanged file still updates the dataset's title", async () => {
    await publish(CSV, { dataset: "title" });
    expect((await publish(CSV, { dataset: "title", title: "New title" })).outcome).toBe("unchanged");
    const { prisma } = await database();
    expect((await prisma.dataset.findUniqueOrThrow({ where: { slug: "title" } })).title).toBe("New title");
  });
});

test("a table with hundreds of columns fits into memory", async () => {
  const line = (cell: (at: number) => string) => Array.from({ length: 300 }, (_, at) => cell(at)).join(",");
  const rest = `${line((at) => (at % 2 ? "" : `-${at}.25`))}\n`.repeat(500);
  const before = process.memoryUsage.rss();
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 50);
  const { version_id, rows } = await publish(`${line((at) => `c${at}`)}\n${line((at) => `${at}.5`)}\n${rest}`, {
    dataset: "wide",
  });
  clearInterval(watch);
  expect(most - before).toBeLessThan(2 * 2 ** 30);
  const { prisma } = await database();
  const { columns, profiles } = await prisma.version.findUniqueOrThrow({ where: { id: version_id } });
  expect([rows, (columns as { type: string }[]).filter(({ type }) => type === "float64").length]).toEqual([501, 300]);
  expect(profiles).toMatchObject({
    c0: { null_count: 0, min: -0.25, max: 0.5 },
    c31: { null_count: 500, min: 31.5, max: 31.5 },
    c32: { null_count: 0, min: -32.25, max: 32.5 },
    c298: { null_count: 0, min: -298.25, max: 298.5, quantiles: { p05: -298.25, p95: -298.25 } },
  });
});

test("a rejected file leaves only the old version", async () => {
  const first = await publish(CSV, { dataset: "rejected" });
  await expect(publish("id,name\n1\n", { dataset: "rejected" })).rejects.toMatchObject({ code: "invalid_request" });
  expect((await publish(CSV, { dataset: "rejected" })).version_id).toBe(first.version_id);
});
