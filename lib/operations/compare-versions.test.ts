import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closeReadingEngine } from "@/lib/operations/reading/reading-engine";
import { publishTable } from "@/lib/publish/publish";
import { comparisonSchema } from "@/lib/schemas/comparison";
import type { ColumnNote } from "@/lib/schemas/publish";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { serve } from "@/lib/testing/serve";
import { compareVersions } from "./compare-versions";

useTestState();

const folder = mkdtempSync(join(tmpdir(), "parquetry-compare-"));
let tableId = "";
const versions: string[] = [];

beforeAll(async () => {
  await publish("id,word,old\n1,one,7\n9007199254740993,two,7\n3,three,8\n");
  await publish("id,word,fresh\n1,one,7\n9007199254740993,zwei,7\n4,four,8\n", {
    columns: [{ name: "word", description: "A number's name" }],
    primaryKey: ["id"],
  });
  await publish("word,id\none,x\n");
});

afterAll(async () => {
  await closeReadingEngine();
  rmSync(folder, { recursive: true, force: true });
});

async function publish(csv: string, more: { columns?: ColumnNote[]; primaryKey?: string[] } = {}) {
  const file = join(folder, `${versions.length}.csv`);
  writeFileSync(file, csv);
  const dataset = {
    slug: "compared",
    title: "T",
    summary: "",
    description: "",
    publisher: { name: "P" },
    license: "CC0-1.0",
    topics: [],
  };
  const receipt = await publishTable(
    { file, dataset, table: { slug: "rows", name: "Rows" }, ...more },
    { now: () => new Date() },
  );
  tableId = receipt.table_id;
  versions.push(receipt.version_id);
}

function compare(search: string, headers: Record<string, string> = {}) {
  return serve({ GET: compareVersions }).GET(new Request(`http://localhost/compare${search}`, { headers }), {
    params: Promise.resolve({ table_id: tableId }),
  });
}

const between = (from: number, to: number) => compare(`?from=${versions[from]}&to=${versions[to]}`);

test("columns, rows and profiles of two versions side by side, with every digit", async () => {
  const reply = await between(0, 1);
  const text = await reply.text();
  const found = comparisonSchema.parse(JSON.parse(text));
  expect(found.columns).toEqual({
    added: [{ name: "fresh", type: "int64" }],
    removed: [{ name: "old", type: "int64" }],
    retyped: [],
    described: [
      {
        name: "word",
        from: { description: null, unit: null, nullable: false },
        to: { description: "A number's name", unit: null, nullable: false },
      },
    ],
    perhaps_renamed: [{ from: "old", to: "fresh" }],
    reordered: false,
  });
  expect(found.primary_key).toEqual({ from: [], to: ["id"] });
  expect(found.rows).toMatchObject({
    compared_by: "primary_key",
    key: ["id"],
    columns: ["id", "word"],
    added: 1,
    removed: 1,
    changed: 1,
    unchanged: 1,
  });
  expect(found.rows?.examples).toMatchObject({ added: [{ id: 4, word: "four" }], removed: [{ id: 3, word: "three" }] });
  expect(text).toContain('"changed":[{"key":{"id":9007199254740993},"before":{"word":"two"},"after":{"word":"zwei"}}]');
  expect(found.profiles.map(({ name, differs, from, to }) => [name, differs, from === null, to === null])).toEqual([
    ["id", true, false, false],
    ["word", true, false, false],
    ["fresh", true, true, false],
    ["old", true, false, true],
  ]);
  const again = await compare(`?from=${versions[0]}&to=${versions[1]}`, {
    "if-none-match": reply.headers.get("etag") ?? "",
  });
  expect([again.status, await again.text()]).toEqual([304, ""]);
});

test("swapped, added rows are removed ones; a version equals itself", async () => {
  const back = comparisonSchema.parse(await (await between(1, 0)).json());
  expect([back.rows?.added, back.rows?.removed, back.columns.added[0]?.name, back.columns.removed[0]?.name]).toEqual([
    1,
    1,
    "old",
    "fresh",
  ]);
  const same = comparisonSchema.parse(await (await between(1, 1)).json());
  expect([same.rows?.key, same.rows?.added, same.rows?.removed, same.rows?.changed, same.rows?.unchanged]).toEqual([
    ["id"],
    0,
    0,
    0,
    3,
  ]);
  const keyless = comparisonSchema.parse(await (await between(0, 0)).json());
  expect(keyless.rows).toMatchObject({ compared_by: "whole_rows", added: 0, removed: 0, changed: null, unchanged: 3 });
  expect(same.profiles.some(({ differs }) => differs)).toBe(false);
});

test("a retyped key cannot match rows: whole rows are counted in the remaining columns", async () => {
  const found = comparisonSchema.parse(await (await between(1, 2)).json());
  expect(found.columns).toMatchObject({ retyped: [{ name: "id", from: "int64", to: "string" }], reordered: true });
  expect(found.rows).toMatchObject({
    compared_by: "whole_rows",
    columns: ["word"],
    added: 0,
    removed: 2,
    changed: null,
    unchanged: 1,
  });
});

test("fewer examples of very wide rows are shown, but all rows are counted", async () => {
  const names = Array.from({ length: 40 }, (_, at) => `c${at}`);
  const row = names.map(() => "x".repeat(1000)).join(",");
  await publish(`id,${names}\n0,${row}\n`, { primaryKey: ["id"] });
  await publish(
    `id,${names}\n${Array.from({ length: 10 }, (_, id) => id)
      .map((id) => `${id},${row}`)
      .join("\n")}\n`,
    { primaryKey: ["id"] },
  );
  const found = comparisonSchema.parse(await (await between(3, 4)).json());
  expect([found.rows?.added, found.rows?.examples.added.length]).toEqual([9, 6]);
});

test("all faults are reported at once; either version may be not found or withdrawn", async () => {
  const wrong = await compare(`?from=${"x".repeat(65)}&examples=99&more=1`);
  const { error, details } = await wrong.json();
  expect([wrong.status, error, details.map(({ pointer }: { pointer: string }) => pointer).sort()]).toEqual([
    400,
    "invalid_request",
    ["?examples", "?from", "?more", "?to"],
  ]);
  const unknown = "00000000-0000-4000-8000-000000000000";
  expect((await compare(`?from=${unknown}&to=${versions[0]}`)).status).toBe(404);
  const { pool } = await database();
  await pool.query(`UPDATE "Version" SET "withdrawnAt" = now() WHERE id = $1::uuid`, [versions[0]]);
  for (const search of [`?from=${versions[0]}&to=${versions[1]}`, `?from=${versions[1]}&to=${versions[0]}`]) {
    const gone = await compare(search);
    expect([gone.status, (await gone.json()).error]).toEqual([410, "version_withdrawn"]);
  }
});
