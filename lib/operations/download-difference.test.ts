import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { decompress } from "fzstd";
import { parquetReadObjects } from "hyparquet";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createUseKey } from "@/lib/access/use-keys";
import { closeReadingEngine } from "@/lib/operations/reading/reading-engine";
import { publishTable } from "@/lib/publish/publish";
import { copiesDir } from "@/lib/storage/paths";
import { finishBackground } from "@/lib/store/background";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { serve } from "@/lib/testing/serve";
import { downloadDifference, downloadDifferenceCsv } from "./download-difference";

useTestState();

const folder = mkdtempSync(join(tmpdir(), "parquetry-difference-"));
let tableId = "";
let key = "";
const versions: string[] = [];

beforeAll(async () => {
  ({ key } = await createUseKey({ email: "reader@example.com", name: "reader" }, new Date()));
  await publish('id,word,change\n1,one,a\n9007199254740993,two,b\n3,"th,ree",c\n5,,d\n6,six,e\n', ["id"]);
  await publish('id,word,change\n6,six,e\n1,one,a\n9007199254740993,zwei,B\n4,four,c\n5,"",d\n', ["id"]);
  await publish("word,change\nx,1\nx,1\ny,2\n", []);
  await publish("word,change\nx,1\nz,3\nz,3\n", []);
  await publish("other\n1\n", []);
});

afterAll(async () => {
  await closeReadingEngine();
  rmSync(folder, { recursive: true, force: true });
});

async function publish(csv: string, primaryKey: string[]) {
  const file = join(folder, `${versions.length}.csv`);
  writeFileSync(file, csv);
  const texts = { slug: "differing", title: "T", summary: "", description: "", topics: [] };
  const dataset = { ...texts, publisher: { name: "P" }, license: "CC0-1.0" };
  const columns = csv.startsWith("word,change") ? [{ name: "change", type: "string" }] : [];
  const receipt = await publishTable(
    { file, dataset, table: { slug: "rows", name: "Rows" }, primaryKey, columns },
    { now: () => new Date() },
  );
  tableId = receipt.table_id;
  versions.push(receipt.version_id);
}

function ask(form: "csv" | "parquet", from: number, to: number, headers: Record<string, string> = {}) {
  const operation = form === "csv" ? downloadDifferenceCsv : downloadDifference;
  const url = `http://localhost/difference?from=${versions[from]}&to=${versions[to]}`;
  return serve({ GET: operation }).GET(new Request(url, { headers: { "x-api-key": key, ...headers } }), {
    params: Promise.resolve({ table_id: tableId }),
  });
}

const COMPRESSORS = { ZSTD: (input: Uint8Array) => decompress(input) };

const csvOf = async (from: number, to: number) => (await ask("csv", from, to)).text();

test("every row that differs is included: changed ones before and after, added ones, removed ones", async () => {
  expect(await csvOf(0, 1)).toBe(
    [
      "_change,changed_columns,id,word,change",
      "changed_from,word; change,9007199254740993,two,b",
      "changed_to,word; change,9007199254740993,zwei,B",
      "changed_from,word,5,,d",
      'changed_to,word,5,"",d',
      "added,,4,four,c",
      'removed,,3,"th,ree",c',
      "",
    ].join("\r\n"),
  );
});

test("without a key, whole rows are compared, each with the number of additional copies", async () => {
  expect(await csvOf(2, 3)).toBe(
    ["_change,times,word,change", "added,2,z,3", "removed,1,x,1", "removed,1,y,2", ""].join("\r\n"),
  );
});

test("equal versions have no difference, and versions without a common column cannot be compared", async () => {
  expect(await csvOf(1, 1)).toBe("_change,changed_columns,id,word,change\r\n");
  const reply = await ask("csv", 3, 4);
  expect([reply.status, (await reply.json()).details]).toEqual([
    400,
    [expect.objectContaining({ pointer: "?from", code: "invalid_value" })],
  ]);
});

test("Parquet has the columns' own types, its length and its digest; CSV is compressed if accepted", async () => {
  const reply = await ask("parquet", 0, 1);
  const bytes = Buffer.from(await reply.arrayBuffer());
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  const rows = await parquetReadObjects({ file, compressors: COMPRESSORS });
  expect(rows).toHaveLength(6);
  expect(rows[0]).toEqual({
    _change: "changed_from",
    changed_columns: "word; change",
    id: 9007199254740993n,
    word: "two",
    change: "b",
  });
  const digest = createHash("sha256").update(bytes).digest("base64");
  expect(reply.headers.get("content-digest")).toBe(`sha-256=:${digest}:`);
  expect(reply.headers.get("content-disposition")).toMatch(
    /^attachment; filename="differing-rows-[0-9a-f]{8}-to-[0-9a-f]{8}\.parquet"$/,
  );
  const compressed = await ask("csv", 0, 1, { "accept-encoding": "gzip" });
  expect(compressed.headers.get("content-encoding")).toBe("gzip");
  expect(String(gunzipSync(Buffer.from(await compressed.arrayBuffer())))).toBe(await csvOf(0, 1));
  const again = await ask("parquet", 0, 1, { "if-none-match": reply.headers.get("etag") ?? "" });
  expect(again.status).toBe(304);
});

test("a complete download writes one receipt, an aborted one none, and neither leaves a file", async () => {
  const receipts = async () => {
    await finishBackground();
    const { prisma } = await database();
    return prisma.download.count();
  };
  const before = await receipts();
  const left = await ask("csv", 0, 1);
  await left.body?.cancel();
  expect(await receipts()).toBe(before);
  await csvOf(0, 1);
  expect(await receipts()).toBe(before + 1);
  const files = () => readdirSync(copiesDir()).filter((name) => name.startsWith("difference-"));
  await expect.poll(files).toEqual([]); // removed once the stream is closed
});

test("a key is required", async () => {
  expect((await ask("csv", 0, 1, { "x-api-key": "" })).status).toBe(401);
});
