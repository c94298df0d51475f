import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { QueryPage } from "@/lib/engine/run/reply";
import type { SealedVersion } from "@/lib/engine/run/sealed-version";
import { ask, column, type EngineFixture, openFixture, seal } from "@/lib/testing/engine-fixture";
import { writingProgram } from "@/lib/testing/writing-program";
import { PAGE_FORMATS, type PageFormat } from "./page-formats";
import { PageWriter } from "./page-writer";

const COLUMNS = [
  column("id", "int64", "BIGINT"),
  column("latitude", "float64", "DOUBLE"),
  column("longitude", "float64", "DOUBLE"),
  column("text", "string", "VARCHAR"),
];
const ROWS = "SELECT range, range / 7, range / 3, repeat('é', (range % 40)::INTEGER) FROM range(2000)";

let fixture: EngineFixture;
let version: SealedVersion;
let writer: PageWriter;
let program = "";
beforeAll(async () => {
  fixture = await openFixture("page-writer");
  version = await seal(fixture, "page-writer", ROWS, COLUMNS);
  program = await writingProgram();
  writer = new PageWriter(program, 60_000);
});
afterAll(async () => {
  await writer.close();
  await fixture.close();
});

const pageOf = async (limit: number): Promise<QueryPage> =>
  (await ask(fixture.engine, version, { columns: COLUMNS.map(({ name }) => name), limit })).page;

function formatOf(extension: string): PageFormat {
  const format = PAGE_FORMATS.find((known) => known.extension === extension);
  if (!format) throw new Error(`There is no ${extension}`);
  return format;
}

test("the thread writes the same as each format, and the page remains readable", async () => {
  const page = await pageOf(2000);
  for (const format of PAGE_FORMATS) {
    const written = await writer.write({ format, page, wideAsText: true }, {});
    expect(Buffer.compare(written, await format.write(page, true)), format.extension).toBe(0);
  }
});

test("requests are answered while a large page is written", async () => {
  const writing = writer.write({ format: formatOf("csv"), page: await pageOf(2000), wideAsText: false }, {});
  let turns = 0;
  let isOver = false;
  const over = writing.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await setImmediate();
    turns += 1;
  }
  await over;
  expect(turns).toBeGreaterThan(10);
});

test("a page that a format cannot hold is rejected with its message, and the next one is written", async () => {
  const page = await pageOf(2000);
  const wide = { ...page, columns: Array.from({ length: 101 }, () => COLUMNS[0] as (typeof COLUMNS)[number]) };
  const writing = writer.write({ format: formatOf("xlsx"), page: wide, wideAsText: false }, {});
  await expect(writing).rejects.toMatchObject({
    code: "result_too_large",
    message: expect.stringContaining("Too many cells for a workbook: 202,000"),
  });
  const csv = await writer.write({ format: formatOf("csv"), page, wideAsText: false }, {});
  expect(csv.byteLength).toBeGreaterThan(0);
});

test("callers beyond the waiting time or memory limit get busy", async () => {
  const page = await pageOf(2000);
  const xlsx = { format: formatOf("xlsx"), page, wideAsText: false };
  const hurried = new PageWriter(program, 0);
  const first = hurried.write(xlsx, { subject: "one" });
  await expect(hurried.write(xlsx, { subject: "two" })).rejects.toMatchObject({ code: "busy", retryAfterSeconds: 1 });
  await first;
  await hurried.close();
  const narrow = new PageWriter(program, 60_000, 1.5 * Buffer.concat([...page.rowParts]).byteLength);
  const held = narrow.write(xlsx, { subject: "one" });
  await expect(narrow.write(xlsx, { subject: "two" })).rejects.toMatchObject({ code: "busy", retryAfterSeconds: 1 });
  await held;
  expect((await narrow.write(xlsx, { subject: "two" })).byteLength).toBeGreaterThan(0);
  await narrow.close();
});

test("pages of callers that have gone are not written, and a thread that ends is replaced", async () => {
  const csv = { format: formatOf("csv"), page: await pageOf(2000), wideAsText: false };
  await expect(writer.write(csv, { signal: AbortSignal.abort(new Error("gone")) })).rejects.toThrow("gone");
  const ending = join(fixture.folder, "ending.js");
  writeFileSync(ending, 'require("node:worker_threads").parentPort.once("message", () => process.exit(1));');
  const mortal = new PageWriter(ending, 60_000);
  await expect(mortal.write(csv, {})).rejects.toThrow("ended");
  await expect(mortal.write(csv, {}), "and not never").rejects.toThrow("ended");
});
