import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createUseKey } from "@/lib/access/use-keys";
import { makeBackup } from "@/lib/backup/backup";
import { checkBackup } from "@/lib/backup/check";
import { sha256Hex } from "@/lib/kernel/sha256";
import { archiveDataset } from "@/lib/operations/archive-dataset";
import { compareVersions } from "@/lib/operations/compare-versions";
import { downloadCurrent } from "@/lib/operations/download-current";
import type { AnyOperation } from "@/lib/operations/operation";
import { previewTable } from "@/lib/operations/preview-table";
import { queryTable } from "@/lib/operations/query-table";
import { closeReadingEngine } from "@/lib/operations/reading/reading-engine";
import { doctor } from "@/lib/publish/doctor";
import { editColumn } from "@/lib/publish/edit-column";
import { publishTable } from "@/lib/publish/publish";
import { verifyBlobs } from "@/lib/publish/verify";
import type { PublishReceipt } from "@/lib/schemas/publish";
import { blobStore } from "@/lib/storage/blob-store";
import { blobFile } from "@/lib/testing/blob-file";
import { useTestState } from "@/lib/testing/database";
import { PackedObjects } from "@/lib/testing/made-up-driver";
import { forgetObjectStore, useObjectStore } from "@/lib/testing/memory-objects";
import { serve } from "@/lib/testing/serve";

const MIB = 1 << 20;
const state = useTestState({ READ_COPIES_MB: "0" }); // so that queries read the driver's own local path
const context = { now: () => new Date() };

let objects: PackedObjects;
const store = blobStore();
let key = "";
let first: PublishReceipt;
let second: PublishReceipt;

beforeAll(async () => {
  await closeReadingEngine();
  objects = useObjectStore(new PackedObjects(state.dataDir(), 64 * MIB));
  key = (await createUseKey({ email: "reader@example.com", name: "reader" }, new Date())).key;
  first = await publish(10);
  second = await publish(40_000); // compared with the previous version, from its local copy
});

afterAll(async () => {
  await closeReadingEngine();
  forgetObjectStore();
});

const wordOf = (id: number) => sha256Hex(String(id));

function publish(rows: number): Promise<PublishReceipt> {
  const file = join(state.dataDir(), "rows.csv");
  writeFileSync(file, `id,word\n${Array.from({ length: rows }, (_, id) => `${id},${wordOf(id)}`).join("\n")}\n`);
  const about = { slug: "held", title: "Held", summary: "", description: "", topics: [], license: "CC0-1.0" };
  const dataset = { ...about, publisher: { name: "Tests" } };
  return publishTable({ file, dataset, table: { slug: "rows", name: "Rows" }, primaryKey: ["id"] }, context);
}

async function ask(operation: AnyOperation, end = "", init: RequestInit = {}): Promise<Response> {
  const method = init.method === "POST" ? "POST" : "GET";
  const headers = { "x-api-key": key, "content-type": "application/json", ...(init.headers as object) };
  const params = Promise.resolve(operation === archiveDataset ? { slug: "held" } : { table_id: second.table_id });
  const url = `http://localhost/api/v2/public/tables/${second.table_id}/${end}`;
  return await serve({ [method]: operation })[method](new Request(url, { ...init, method, headers }), { params });
}

const bytesOf = async (reply: Response) => Buffer.from(await reply.arrayBuffer());
const digestOf = ({ content_digest }: PublishReceipt) => content_digest.slice("sha256:".length);

test("published data is stored in the driver, not among the data folder's blobs", async () => {
  expect([first.change, second.change]).toEqual(["first", "appended"]);
  for (const receipt of [first, second]) {
    expect(await store.stat(digestOf(receipt))).toEqual({ bytes: receipt.bytes });
    expect(existsSync(blobFile(digestOf(receipt)))).toBe(false);
  }
});

test("queries, previews and comparisons read from it", async () => {
  const body = JSON.stringify({
    columns: ["id"],
    filters: [{ column: "word", operator: "eq", value: wordOf(39_999) }],
  });
  const queried = await ask(queryTable, "query", { method: "POST", body });
  expect([queried.status, (await queried.json()).rows]).toEqual([200, [{ id: 39_999 }]]);
  expect((await (await ask(previewTable, "preview?limit=1")).json()).rows).toEqual([{ id: 0, word: wordOf(0) }]);
  const compared = await (await ask(compareVersions, "versions/compare?from=1&to=2")).json();
  expect(compared.rows).toMatchObject({ added: 39_990, removed: 0 });
});

test("downloads are the published bytes: complete, in ranges and in archives", async () => {
  const whole = await bytesOf(await ask(downloadCurrent, "current"));
  expect([`sha256:${sha256Hex(whole)}`, whole.length]).toEqual([second.content_digest, second.bytes]);
  expect(whole.length).toBeGreaterThan(MIB); // sent as a handle, not from memory
  const part = await bytesOf(await ask(downloadCurrent, "current", { headers: { range: "bytes=1000-1999" } }));
  expect(part.equals(whole.subarray(1000, 2000))).toBe(true);
  const archive = await bytesOf(await ask(archiveDataset, "archive.zip"));
  expect(archive.includes(whole)).toBe(true); // archives store without compression
});

test("a backup of the driver's data is complete", async () => {
  const folder = join(state.dataDir(), "..", `backup-${second.version_id}`);
  await makeBackup(folder, { keys: false });
  expect(await checkBackup(folder)).toMatchObject({ problems: [] });
});

test("columns are edited from its data, and unused blobs are found and removed", async () => {
  const edited = await editColumn({ dataset: "held", table: "rows", column: "word", description: "A word." }, context);
  expect(edited.outcome).toBe("published");
  const file = join(state.dataDir(), "stray");
  writeFileSync(file, "no version's bytes");
  const digest = sha256Hex("no version's bytes");
  await store.put(digest, file);
  const findings = await doctor({ fix: true, olderThanMs: 0 });
  expect(findings).toEqual([{ problem: "blob_without_version", subject: digest, fixed: true }]);
  expect([await store.stat(digest), (await verifyBlobs()).bad]).toEqual([undefined, []]);
});

test("damage in its data is detected by every reader", async () => {
  const digests: string[] = [];
  for await (const { digest, bytes } of store.list()) {
    objects.overwrite(store.keyOf(digest), Buffer.alloc(bytes));
    digests.push(digest);
  }
  expect((await (await ask(downloadCurrent, "current")).json()).error).toBe("integrity_failure");
  const { bad } = await verifyBlobs();
  expect(bad.map(({ digest, problem }) => `${digest} ${problem}`).sort()).toEqual(
    digests.map((digest) => `${digest} damaged`).sort(),
  );
});
