import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { createUseKey } from "@/lib/access/use-keys";
import { publishTable } from "@/lib/publish/publish";
import type { PublishReceipt } from "@/lib/schemas/publish";
import { finishBackground } from "@/lib/store/background";
import { database } from "@/lib/store/postgres/database";
import { blobFile } from "@/lib/testing/blob-file";
import { useTestState } from "@/lib/testing/database";
import { serve } from "@/lib/testing/serve";
import { archiveDataset } from "./archive-dataset";

useTestState({ ARTIFACT_BYTES: "1000000" });
afterEach(() => void vi.useRealTimers());

const folder = mkdtempSync(join(tmpdir(), "parquetry-archive-"));
let key: string;
let first: PublishReceipt;
let second: PublishReceipt;

beforeAll(async () => {
  ({ key } = await createUseKey({ email: "reader@example.com", name: "reader" }, new Date()));
  first = await publish("whole", "one", "id,word\n1,ä\n2,b\n");
  second = await publish("whole", "two", "id\n9007199254740993\n");
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function publish(slug: string, table: string, csv: string, license = "CC0-1.0") {
  const file = join(folder, `${table}.csv`);
  writeFileSync(file, csv);
  const dataset = {
    slug,
    title: `The “${slug}”: all`,
    summary: "s",
    description: "",
    publisher: { name: "Tests" },
    license,
    topics: [],
  };
  const at = new Date("2026-01-02T03:04:06Z");
  return publishTable(
    { file, dataset, table: { slug: table, name: table }, primaryKey: ["id"], publishedAt: at },
    { now: () => at },
  );
}

function ask(
  named: string,
  headers: Record<string, string> = {},
  method: "GET" | "HEAD" = "GET",
  signal?: AbortSignal,
) {
  const [slug = "", query = ""] = named.split("?");
  const request = new Request(`http://localhost/api/v2/public/datasets/${slug}/archive.zip?${query}`, {
    method,
    headers: { "x-api-key": key, ...headers },
    ...(signal && { signal }),
  });
  return serve({ GET: archiveDataset })[method](request, { params: Promise.resolve({ slug }) });
}

const bytesOf = async (reply: Response) => Buffer.from(await reply.arrayBuffer());

const READ = `import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as z:
    assert z.testzip() is None
    print(json.dumps({i.filename: [i.file_size, i.compress_type, i.date_time, z.read(i).hex()] for i in \
z.infolist()}))`;

/** The files of an archive as Python's zipfile reads them, which checks their CRC. */
function unzipped(bytes: Buffer): Record<string, { size: number; method: number; at: number[]; content: Buffer }> {
  const path = join(folder, "read.zip");
  writeFileSync(path, bytes);
  const found = JSON.parse(
    execFileSync("python3", ["-c", READ, path], { encoding: "utf8", maxBuffer: 1 << 26 }),
  ) as Record<string, [number, number, number[], string]>;
  return Object.fromEntries(
    Object.entries(found).map(([name, [size, method, at, hex]]) => [
      name,
      { size, method, at, content: Buffer.from(hex, "hex") },
    ]),
  );
}

async function receipts(): Promise<string[]> {
  const { pool } = await database();
  const { rows } = await pool.query(`SELECT "versionId"::text AS id FROM "Download" ORDER BY at`);
  return rows.map(({ id }) => id);
}

/** SHA256SUMS has the digest of every other file, as sha256sum writes it. */
function expectDigests(files: ReturnType<typeof unzipped>): void {
  const { "whole/SHA256SUMS": list, ...others } = files;
  const digest = (content: Buffer) => createHash("sha256").update(content).digest("hex");
  const lines = Object.entries(others).map(
    ([name, { content }]) => `${digest(content)}  ${name.slice("whole/".length)}`,
  );
  expect(String(list?.content).trimEnd().split("\n").sort()).toEqual(lines.sort());
}

test("Python's zipfile reads every table and its metadata, with the Data Package's digests", async () => {
  const reply = await ask("whole");
  expect([reply.status, reply.headers.get("content-type"), reply.headers.get("content-disposition")]).toEqual([
    200,
    "application/zip",
    'attachment; filename="whole-2026-01-02.zip"',
  ]);
  const bytes = await bytesOf(reply);
  const files = unzipped(bytes);
  expect(Object.keys(files).sort()).toEqual(
    [
      "CITATION.bib",
      "CITATION.cff",
      "CITATION.json",
      "LICENSE.txt",
      "README.md",
      "SHA256SUMS",
      "data/one.parquet",
      "data/two.parquet",
      "datapackage.json",
      "schema/one.json",
      "schema/two.json",
    ].map((name) => `whole/${name}`),
  );
  const described = JSON.parse(String(files["whole/datapackage.json"]?.content));
  for (const { path, hash, bytes: size, schema } of described.resources) {
    const content = files[`whole/${path}`]?.content ?? Buffer.alloc(0);
    expect([`sha256:${createHash("sha256").update(content).digest("hex")}`, content.length, schema.primaryKey]).toEqual(
      [hash, size, ["id"]],
    );
  }
  expect(Object.values(files).map(({ method, at }) => [method, ...at])).toEqual(
    Object.values(files).map(() => [0, 2026, 1, 2, 3, 4, 6]),
  );
  expectDigests(files);
  expect(String(files["whole/schema/two.json"]?.content)).toContain('"max": 9007199254740993');
  expect(String(files["whole/CITATION.cff"]?.content)).toContain(`value: "${first.content_digest}"`);
  expect(String(files["whole/LICENSE.txt"]?.content)).toContain("https://spdx.org/licenses/CC0-1.0.html");
  expect(String(files["whole/LICENSE.txt"]?.content)).toMatch(/\nCC0-1\.0\n\nCreative Commons Legal Code[\s\S]*Waiver/);
});

test("a licence's text has no placeholders of its template, and says who states the holders", async () => {
  await publish("mit", "three", "id\n1\n", "MIT");
  const text = String(unzipped(await bytesOf(await ask("mit")))["mit/LICENSE.txt"]?.content);
  expect(text).toContain("\nMIT\n\nMIT License\n\nCopyright (c) the holders that the publisher, Tests, names: http");
  expect(text).not.toMatch(/<(?:year|copyright holders)>/);
  expect(text).toContain("Permission is hereby granted");
});

test("with format=csv it has rows as CSV, and at its end their digests and those of the Parquet", async () => {
  const reply = await ask("whole?format=csv");
  expect([reply.status, reply.headers.get("content-length"), reply.headers.get("content-disposition")]).toEqual([
    200,
    null,
    'attachment; filename="whole-2026-01-02-csv.zip"',
  ]);
  const bytes = await bytesOf(reply);
  const files = unzipped(bytes);
  expect(String(files["whole/data/one.csv"]?.content)).toBe("id,word\r\n1,ä\r\n2,b\r\n");
  expect(Object.keys(files).slice(-2)).toEqual(["whole/datapackage.json", "whole/SHA256SUMS"]);
  expectDigests(files);
  expect(Object.keys(files).some((name) => name.endsWith(".parquet"))).toBe(false);
  const { resources } = JSON.parse(String(files["whole/datapackage.json"]?.content));
  expect(resources.map(({ path }: { path: string }) => path)).toEqual(["data/one.csv", "data/two.csv"]);
  expect(resources.map(({ sourceHash }: { sourceHash: string }) => sourceHash)).toEqual([
    first.content_digest,
    second.content_digest,
  ]);
  for (const { path, hash, bytes: size, format, mediatype } of resources) {
    const content = files[`whole/${path}`]?.content ?? Buffer.alloc(0);
    const digest = `sha256:${createHash("sha256").update(content).digest("hex")}`;
    expect([digest, content.length, format, mediatype]).toEqual([hash, size, "csv", "text/csv"]);
  }
  expect(String(files["whole/README.md"]?.content)).toContain("`data/two.csv`");
  expect(bytes.equals(await bytesOf(await ask("whole?format=csv")))).toBe(true);
  const head = await ask("whole?format=csv", {}, "HEAD");
  expect([head.status, head.headers.get("content-length"), head.headers.get("etag")]).toEqual([
    200,
    null,
    reply.headers.get("etag"),
  ]);
  expect(head.headers.get("etag")).not.toBe((await ask("whole", {}, "HEAD")).headers.get("etag"));
  expect((await ask("whole?format=tsv")).status).toBe(400);
});

test("unzip accepts the archive, the same versions give the same bytes, and HEAD has their length", async () => {
  const [one, two, head] = [await ask("whole"), await ask("whole"), await ask("whole", {}, "HEAD")];
  const bytes = await bytesOf(one);
  expect(bytes.equals(await bytesOf(two))).toBe(true);
  expect([
    head.status,
    head.headers.get("content-length"),
    head.headers.get("etag"),
    (await bytesOf(head)).length,
  ]).toEqual([200, String(bytes.length), one.headers.get("etag"), 0]);
  const path = join(folder, "whole.zip");
  writeFileSync(path, bytes);
  expect(execFileSync("unzip", ["-t", path], { encoding: "utf8" })).toContain("No errors detected");
});

test("a complete archive is one receipt and download per table; HEAD, 304 and aborts record none", async () => {
  await finishBackground();
  const before = (await receipts()).length;
  const { key: own } = await createUseKey({ email: "own@example.com", name: "own" }, new Date());
  const whole = await ask("whole", { "x-api-key": own });
  expect(/r=(\d+)/.exec(whole.headers.get("ratelimit") ?? "")?.[1]).toBe("58");
  await bytesOf(whole);
  const since = async () => (await receipts()).slice(before).sort();
  await expect.poll(since).toEqual([first.version_id, second.version_id].sort());
  expect((await ask("whole", { "if-none-match": whole.headers.get("etag") ?? "" })).status).toBe(304);
  await ask("whole", {}, "HEAD");
  await (await ask("whole")).body?.cancel();
  await finishBackground();
  expect(await since()).toHaveLength(2);
});

test("a damaged file is 502, a too large dataset 413, an unknown one 404, a missing key 401", async () => {
  const damaged = await publish("damaged", "t", "id\n1\n");
  const path = blobFile(damaged.content_digest.slice("sha256:".length));
  chmodSync(path, 0o644);
  const bytes = readFileSync(path);
  bytes[40] = (bytes[40] ?? 0) ^ 1;
  writeFileSync(path, bytes);
  const errorOf = async (reply: Response) => [reply.status, (await reply.json()).error];
  expect(await errorOf(await ask("damaged"))).toEqual([502, "integrity_failure"]);
  const rows = Array.from(
    { length: 60_000 },
    (_, at) => `${at},${createHash("sha256").update(String(at)).digest("hex")}`,
  );
  await publish("large", "t", `id,hash\n${rows.join("\n")}\n`);
  expect(await errorOf(await ask("large"))).toEqual([413, "artifact_too_large"]);
  expect(await errorOf(await ask("nowhere"))).toEqual([404, "not_found"]);
  expect(await errorOf(await ask("whole", { "x-api-key": "" }))).toEqual([401, "key_missing"]);
});

test("an archive with a damaged file counts as one download, a complete one as one per table", async () => {
  vi.useFakeTimers({ toFake: ["Date"] }); // all within one minute
  const remaining = async (slug: string, status: number) => {
    const reply = await ask(slug);
    expect(reply.status).toBe(status);
    await reply.arrayBuffer();
    return Number(/"minute";r=(\d+)/.exec(reply.headers.get("ratelimit") ?? "")?.[1]);
  };
  for (const [table, csv] of [
    ["sound", "id\n1\n"],
    ["broken", "id\n2\n"],
  ] as const) {
    const { content_digest } = await publish("partly", table, csv);
    if (table !== "broken") continue;
    const path = blobFile(content_digest.slice("sha256:".length));
    chmodSync(path, 0o644);
    writeFileSync(path, "not what was published");
  }
  const before = await remaining("whole", 200);
  expect(before - (await remaining("whole", 200))).toBe(2);
  const after = await remaining("partly", 502);
  expect(before - 2 - after).toBe(1);
});
