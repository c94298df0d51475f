import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { baseUrl } from "@/lib/kernel/env";
import type { AnyOperation } from "@/lib/operations/operation";
import { archiveInBrowser, downloadInBrowser, queryTableInBrowser } from "@/lib/operations/own-browser";
import { closeReadingEngine } from "@/lib/operations/reading/reading-engine";
import { getUsage, listConnectedDatasets } from "@/lib/operations/workspace/usage";
import { publishTable } from "@/lib/publish/publish";
import { finishBackground } from "@/lib/store/background";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { serve } from "@/lib/testing/serve";
import { sessionCookie } from "@/lib/testing/signed-in";
import { newWorkspace } from "@/lib/testing/workspace";
import { downloadCsvInBrowser } from "./download-csv-in-browser";

useTestState();
const folder = mkdtempSync(join(tmpdir(), "parquetry-own-browser-"));
let tableId = "";
let privateId = "";
let workspaceId = "";
let cookie = "";
let stranger = "";

beforeAll(async () => {
  const [own, other] = [await newWorkspace(), await newWorkspace()];
  ({ workspaceId } = own);
  cookie = await sessionCookie(own.userId);
  stranger = await sessionCookie(other.userId);
  tableId = await publish("open-rows", {});
  privateId = await publish("own-rows", { visibility: "private", workspaceId });
});
afterAll(async () => {
  await closeReadingEngine();
  rmSync(folder, { recursive: true, force: true });
});

async function publish(slug: string, access: { visibility?: "private"; workspaceId?: string }): Promise<string> {
  const file = join(folder, `${slug}.csv`);
  writeFileSync(file, `id\n${Array.from({ length: 500 }, (_, id) => `${id}\n`).join("")}`);
  const dataset = { slug, title: slug, publisher: { name: "Tests" }, license: "CC0-1.0", ...access };
  return (await publishTable({ file, dataset, table: { slug: "rows" } }, { now: () => new Date() })).table_id;
}

const OWN = () => ({ cookie, "sec-fetch-site": "same-origin", origin: new URL(baseUrl()).origin });

async function send(op: AnyOperation, headers: Record<string, string>, id = tableId, workspace = workspaceId) {
  const method = methodOf(op);
  const body = method === "POST" ? JSON.stringify({ columns: ["id"], limit: 400 }) : undefined;
  const sent = { ...headers, ...(body !== undefined && { "content-type": "application/json" }) };
  const request = new Request("http://localhost/", { method, headers: sent, ...(body !== undefined && { body }) });
  const subject = op === archiveInBrowser ? { slug: id === privateId ? "own-rows" : "open-rows" } : { table_id: id };
  const params = Promise.resolve({ workspace_id: workspace, ...subject });
  const reply = await serve({ [method]: op })[method](request, { params });
  const bytes = Buffer.from(await reply.arrayBuffer());
  const isJson = reply.headers.get("content-type")?.includes("json");
  return { status: reply.status, headers: reply.headers, bytes, json: isJson ? JSON.parse(String(bytes)) : undefined };
}

const methodOf = (op: AnyOperation) => op.http?.method ?? "GET";
const ALL: readonly AnyOperation[] = [queryTableInBrowser, downloadInBrowser, downloadCsvInBrowser, archiveInBrowser];

test("a signed-in person's pages get larger pages, whole files and the workspace's own tables", async () => {
  for (const id of [tableId, privateId]) {
    const { status, json } = await send(queryTableInBrowser, OWN(), id);
    expect([status, json.rows.length]).toEqual([200, 400]);
    const file = await send(downloadInBrowser, OWN(), id);
    expect(file.status).toBe(200);
    expect(file.headers.get("x-service-content-digest")).toBe(
      `sha256:${createHash("sha256").update(file.bytes).digest("hex")}`,
    );
  }
});

test("the whole table as CSV names its Parquet file, and is compressed if the browser accepts it", async () => {
  const csv = await send(downloadCsvInBrowser, { ...OWN(), "accept-encoding": "gzip;q=0, br" });
  expect(String(csv.bytes)).toBe(`id\r\n${Array.from({ length: 500 }, (_, id) => `${id}\r\n`).join("")}`);
  const parquet = await send(downloadInBrowser, OWN());
  expect(csv.headers.get("x-service-source-digest")).toBe(parquet.headers.get("x-service-content-digest"));
  expect(csv.headers.get("content-disposition")).toMatch(/^attachment; filename="open-rows-rows-[0-9a-f]{8}\.csv"$/);
  const compressed = await send(downloadCsvInBrowser, { ...OWN(), "accept-encoding": "br, gzip" });
  expect(compressed.headers.get("content-encoding")).toBe("gzip");
  expect(gunzipSync(compressed.bytes).equals(csv.bytes)).toBe(true);
  const again = { ...OWN(), "if-none-match": csv.headers.get("etag") ?? "" };
  expect((await send(downloadCsvInBrowser, again)).status).toBe(304);
  expect((await send(downloadCsvInBrowser, { ...again, "accept-encoding": "gzip" })).status).toBe(200);
});

test("a dataset's archive, also of a private one, is a download of each table", async () => {
  await finishBackground();
  const { pool } = await database();
  const receipts = async () => (await pool.query(`SELECT count(*)::int AS n FROM "Download"`)).rows[0]?.n;
  const before = await receipts();
  for (const id of [tableId, privateId]) {
    const { status, headers, bytes } = await send(archiveInBrowser, OWN(), id);
    expect([status, headers.get("content-type"), String(bytes.subarray(0, 2))]).toEqual([200, "application/zip", "PK"]);
    expect(headers.get("cache-control")).toBe("private, no-cache");
  }
  await finishBackground();
  expect(await receipts()).toBe(before + 2);
});

test("no other site can use the session, whatever it makes a browser send", async () => {
  for (const op of ALL) {
    for (const headers of [
      { cookie, "sec-fetch-site": "cross-site", origin: "https://evil.example" },
      { cookie, "sec-fetch-site": "same-site", origin: "https://sibling.example" },
      { cookie, "sec-fetch-site": "cross-site" },
      { cookie, origin: "null" },
      { cookie, referer: "https://evil.example/" },
      { cookie },
    ] as Record<string, string>[]) {
      const { status, json, headers: got } = await send(op, headers);
      expect([op.name, headers, status, json.error]).toEqual([op.name, headers, 403, "forbidden_origin"]);
      expect(got.get("access-control-allow-origin")).toBeNull();
    }
    const preflight = await serve({ [methodOf(op)]: op })[methodOf(op)](
      new Request("http://localhost/", { method: "OPTIONS", headers: { origin: "https://evil.example" } }),
      { params: Promise.resolve({ workspace_id: workspaceId, table_id: tableId }) },
    );
    expect(preflight.headers.get("access-control-allow-origin")).toBeNull();
    expect((await send(op, OWN())).headers.get("access-control-allow-origin")).toBeNull();
  }
});

test("other people's workspaces and tables are not found, and a session is required", async () => {
  for (const op of ALL) {
    expect((await send(op, { ...OWN(), cookie: stranger })).status).toBe(404);
    const { cookie: _none, ...headers } = OWN();
    expect((await send(op, headers)).json.error).toBe("key_missing");
  }
  const { workspaceId: elsewhere, userId } = await newWorkspace();
  const headers = { ...OWN(), cookie: await sessionCookie(userId) };
  for (const op of ALL) expect((await send(op, headers, privateId, elsewhere)).status).toBe(404);
});

test("reads count for the person, appear in the workspace's usage, and connect the dataset", async () => {
  const { workspaceId: mine, userId } = await newWorkspace();
  const headers = { ...OWN(), cookie: await sessionCookie(userId) };
  const { headers: first } = await send(queryTableInBrowser, headers, tableId, mine);
  expect(first.get("ratelimit")).toContain('"minute";r=59');
  expect(first.get("ratelimit-policy")).toContain('"day";q=5000');
  const file = await send(downloadInBrowser, headers, tableId, mine);
  expect(file.headers.get("ratelimit-policy")).toContain('"day";q=2000');
  await finishBackground();
  const ask = async (op: AnyOperation) => {
    const request = new Request("http://localhost/", { headers });
    const reply = await serve({ GET: op }).GET(request, { params: Promise.resolve({ workspace_id: mine }) });
    return reply.json();
  };
  const usage = await ask(getUsage);
  expect(usage.keys).toMatchObject([{ kind: "browser", queries: 1, downloads: 1, revoked: false }]);
  expect(usage.limits).toMatchObject([{ kind: "browser", queries_day: { used: 1 }, downloads_day: { used: 1 } }]);
  expect((await ask(listConnectedDatasets)).datasets).toMatchObject([{ slug: "open-rows" }]);
  const { pool } = await database();
  const { rows } = await pool.query(`SELECT count(*)::int AS n FROM "Download" WHERE "keyHash" = $1`, [userId]);
  expect(rows).toEqual([{ n: 0 }]); // the receipt has the person only as a keyed hash
});
