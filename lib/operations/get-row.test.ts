import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { publishTable } from "@/lib/publish/publish";
import type { PublishReceipt } from "@/lib/schemas/publish";
import { tableRowSchema } from "@/lib/schemas/table";
import { useTestState } from "@/lib/testing/database";
import { serve } from "@/lib/testing/serve";
import { getRow } from "./get-row";

useTestState();

const folder = mkdtempSync(join(tmpdir(), "parquetry-row-"));
const LONG = "é".repeat(60_000);
let old: PublishReceipt;
let current: PublishReceipt;

beforeAll(async () => {
  old = await publish(`id,text\n3,three\n1,${LONG}\n2,\n`, "2024-03-01");
  current = await publish("id,text\n1,one\n2,two\n3,three\n4,four\n", "2025-03-01");
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function publish(csv: string, day: string) {
  const file = join(folder, "rows.csv");
  writeFileSync(file, csv);
  const dataset = {
    slug: "words",
    title: "Words",
    summary: "",
    description: "",
    publisher: { name: "Tests" },
    license: "CC0-1.0",
    topics: [],
  };
  const table = { slug: "rows", name: "Rows" };
  return publishTable({ file, dataset, table, orderBy: ["id"], publishedAt: new Date(day) }, { now: () => new Date() });
}

async function ask(position: string, search = "") {
  const reply = await serve({ GET: getRow }).GET(new Request(`http://localhost/x${search}`), {
    params: Promise.resolve({ table_id: current.table_id, position }),
  });
  return { status: reply.status, body: await reply.json() };
}

test("rows are counted from 1 in the stored order, each with its page and a citation", async () => {
  const read = await ask("2");
  expect(read.status).toBe(200);
  const row = tableRowSchema.parse(read.body);
  expect([row.position, row.row, row.truncated_cells]).toEqual([2, { id: 2, text: "two" }, []]);
  expect(row.url).toMatch(new RegExp(`/datasets/words/rows/rows/2\\?version=${current.version_id}$`));
  expect(row.citation).toContain(current.content_digest);
  expect(row.citation).toMatch(/\/versions\/[0-9a-f-]{36}\. Row 2: http\S+$/);
  expect((await ask("4")).body.row).toEqual({ id: 4, text: "four" });
});

test("an older version keeps its rows, and a cell beyond the limit is truncated and listed", async () => {
  const { body } = await ask("1", `?version_id=${old.version_id}`);
  expect([body.table.version_id, body.row.id, body.row.text.length]).toEqual([old.version_id, 1, 49_152]);
  expect(body.truncated_cells).toEqual(["text"]);
  expect((await ask("2", "?version_id=1")).body.row).toEqual({ id: 2, text: null });
});

test.each(["0", "5", "-1", "1.5", "01", "1e3", "abc", "9".repeat(400), "٣"])(
  "no row %s: 404 that says how many there are",
  async (position) => {
    const { status, body } = await ask(position);
    expect([status, body.error]).toEqual([404, "not_found"]);
    expect(body.message).toContain("4 rows");
  },
);
