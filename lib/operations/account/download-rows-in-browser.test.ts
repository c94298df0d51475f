import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { afterAll, beforeAll, expect, test } from "vitest";
import yauzl from "yauzl";
import { baseUrl } from "@/lib/kernel/env";
import type { AnyOperation } from "@/lib/operations/operation";
import { queryTableInBrowser } from "@/lib/operations/own-browser";
import { closeReadingEngine } from "@/lib/operations/reading/reading-engine";
import { publishTable } from "@/lib/publish/publish";
import { copiesDir } from "@/lib/storage/paths";
import { finishBackground } from "@/lib/store/background";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { serve } from "@/lib/testing/serve";
import { sessionCookie } from "@/lib/testing/signed-in";
import { newWorkspace } from "@/lib/testing/workspace";
import { downloadRowsCsv, downloadRowsExcel, downloadRowsParquet } from "./download-rows-in-browser";

useTestState({ ARTIFACT_BYTES: "2200000" });
const folder = mkdtempSync(join(tmpdir(), "parquetry-rows-"));
/** More than one piece of every format. */
const ROWS = 70_000;
let tableId = "";
let privateId = "";
let longId = "";
let workspaceId = "";
let userId = "";
let cookie = "";
let stranger = "";

beforeAll(async () => {
  const [own, other] = [await newWorkspace(), await newWorkspace()];
  ({ workspaceId, userId } = own);
  cookie = await sessionCookie(own.userId);
  stranger = await sessionCookie(other.userId);
  tableId = await publish("open-rows", {});
  privateId = await publish("own-rows", { visibility: "private", workspaceId });
  longId = await publish("long-rows", {}, `n,long\n1,${"é".repeat(32_768)}\n`);
});
afterAll(async () => {
  await closeReadingEngine();
  rmSync(folder, { recursive: true, force: true });
});

/** `wide` has more digits than a double, `word` what a format has to quote or escape. */
const lineOf = (id: number) => `${id},${9007199254740993n + BigInt(id)},${id % 7},"w,${id % 3}"`;

const lines = Array.from({ length: ROWS }, (_, id) => `${lineOf(id)}\n`);

async function publish(
  slug: string,
  access: { visibility?: "private"; workspaceId?: string },
  csv = `id,wide,part,word\n${lines.join("")}`,
): Promise<string> {
  const file = join(folder, `${slug}.csv`);
  writeFileSync(file, csv);
  const dataset = { slug, title: "Rows", publisher: { name: "Agency" }, license: "CC0-1.0", ...access };
  return (await publishTable({ file, dataset, table: { slug: "rows" } }, { now: () => new Date() })).table_id;
}

interface Sent {
  headers?: Record<string, string>;
  table?: string;
  workspace?: string;
  method?: "GET" | "HEAD";
}

async function ask(op: AnyOperation, query: object, sent: Sent = {}): Promise<Response> {
  const { headers = {}, table = tableId, workspace = workspaceId, method = "GET" } = sent;
  const own = { cookie, "sec-fetch-site": "same-origin", origin: new URL(baseUrl()).origin };
  const url = `http://localhost/?${new URLSearchParams({ query: JSON.stringify(query) })}`;
  const request = new Request(url, { method, headers: { ...own, ...headers } });
  return serve({ GET: op })[method](request, { params: Promise.resolve({ workspace_id: workspace, table_id: table }) });
}

const bytesOf = async (reply: Response) => Buffer.from(await reply.arrayBuffer());
const csvOf = async (query: object) => (await ask(downloadRowsCsv, query)).text();
const asFile = (bytes: Buffer) => bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;

async function downloads(): Promise<number> {
  await finishBackground();
  const { prisma } = await database();
  return prisma.download.count();
}

const FILTERED = { filters: [{ column: "part", operator: "gte", value: 1 }] };
const filtered = Array.from({ length: ROWS }, (_, id) => id).filter((id) => id % 7 >= 1);

test("all rows of a filtered view as CSV, with their number, compressed if the browser accepts it", async () => {
  const reply = await ask(downloadRowsCsv, FILTERED);
  expect(reply.headers.get("x-service-rows")).toBe(String(filtered.length));
  expect(reply.headers.get("content-disposition")).toMatch(
    /^attachment; filename="open-rows-rows-[0-9a-f]{8}-rows\.csv"$/,
  );
  expect(reply.headers.get("cache-control")).toBe("private, no-cache");
  const csv = await reply.text();
  expect(csv).toBe(`id,wide,part,word\r\n${filtered.map((id) => `${lineOf(id)}\r\n`).join("")}`);
  const compressed = await ask(downloadRowsCsv, FILTERED, { headers: { "accept-encoding": "gzip" } });
  expect(String(gunzipSync(await bytesOf(compressed)))).toBe(csv);
  const again = { headers: { "if-none-match": reply.headers.get("etag") ?? "" } };
  expect((await ask(downloadRowsCsv, FILTERED, again)).status).toBe(304);
  expect((await ask(downloadRowsCsv, { ...FILTERED, columns: ["id"] }, again)).status).toBe(200);
});

const lastWith = (part: number) => Array.from({ length: 7 }, (_, at) => ROWS - 1 - at).find((id) => id % 7 === part);

test("in the view's order, with its columns, its limit, and the first rows of each", async () => {
  const sorted = {
    columns: ["id"],
    order_by: [
      { column: "part", direction: "desc" },
      { column: "id", direction: "desc" },
    ],
  };
  const order = filtered.toSorted((a, b) => (b % 7) - (a % 7) || b - a);
  expect(await csvOf({ ...sorted, ...FILTERED })).toBe(`id\r\n${order.map((id) => `${id}\r\n`).join("")}`);
  expect(await csvOf({ ...sorted, limit: 30_000 })).toBe(
    `id\r\n${order
      .slice(0, 30_000)
      .map((id) => `${id}\r\n`)
      .join("")}`,
  );
  expect(await csvOf({ ...sorted, top: { by: ["part"], count: 1 } })).toBe(
    `id\r\n${[6, 5, 4, 3, 2, 1, 0].map((part) => `${lastWith(part)}\r\n`).join("")}`,
  );
});

test("Parquet has the columns' own types, every row once, and says where the rows are from", async () => {
  const bytes = await bytesOf(await ask(downloadRowsParquet, FILTERED));
  const metadata = parquetMetadata(asFile(bytes));
  expect(metadata.row_groups.length).toBeGreaterThan(1);
  expect(Number(metadata.num_rows)).toBe(filtered.length);
  const rows = await parquetReadObjects({ file: asFile(bytes) });
  expect(rows).toEqual(
    filtered.map((id) => ({
      id: BigInt(id),
      wide: 9007199254740993n + BigInt(id),
      part: BigInt(id % 7),
      word: `w,${id % 3}`,
    })),
  );
  const facts = Object.fromEntries((metadata.key_value_metadata ?? []).map(({ key, value }) => [key, value]));
  expect(facts).toMatchObject({
    ...{ title: "Rows", publisher: "Agency", license: "CC0-1.0", dataset: "open-rows", version: "number 1" },
    ...{
      query: JSON.stringify(FILTERED),
      rows: String(filtered.length),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
  });
  const empty = await bytesOf(
    await ask(downloadRowsParquet, { filters: [{ column: "id", operator: "lt", value: 0 }] }),
  );
  expect(await parquetReadObjects({ file: asFile(empty) })).toEqual([]);
});

test("Excel has numbers, text where it would lose digits, and a sheet about the rows", async () => {
  const query = { ...FILTERED, limit: 60_000 };
  const parts = await partsOf(await bytesOf(await ask(downloadRowsExcel, query)));
  const sheet = parts["xl/worksheets/sheet1.xml"] ?? "";
  const found = [
    ...sheet.matchAll(
      /<row r="(\d+)"><c r="A\d+" t="n"><v>(\d+)<\/v><\/c><c r="B\d+" t="inlineStr"><is><t [^>]*>(\d+)</g,
    ),
  ];
  expect(found.map(([, row, id, wide]) => [row, id, wide])).toEqual(
    filtered.slice(0, 60_000).map((id, at) => [String(at + 2), String(id), String(9007199254740993n + BigInt(id))]),
  );
  expect(sheet.slice(0, 1000)).toContain('<row r="1"><c r="A1" t="inlineStr" s="1"><is><t xml:space="preserve">id<');
  expect(parts["xl/worksheets/sheet2.xml"]).toMatch(/>Query<[\s\S]*"limit":60000[\s\S]*>Rows<[\s\S]*>60000</);
});

async function partsOf(workbook: Buffer): Promise<Record<string, string>> {
  const zip = await yauzl.fromBufferPromise(workbook);
  const parts: Record<string, string> = {};
  for await (const entry of zip.eachEntry()) {
    expect(entry.extraFields, "Excel repairs archives with ZIP64").toEqual([]);
    parts[entry.fileName] = await text(await zip.openReadStreamPromise(entry));
  }
  return parts;
}

test("all groups, more than a page has, from one statement, whose file is removed", async () => {
  const query = {
    columns: [],
    group_by: [{ column: "id", width: 2, as: "two" }],
    aggregates: [
      { function: "count", as: "n" },
      { function: "sum", column: "wide", as: "sum" },
    ],
    order_by: [{ column: "two", direction: "desc" }],
  };
  const reply = await ask(downloadRowsCsv, query);
  expect(reply.headers.get("x-service-rows")).toBe("35000");
  const csv = await reply.text();
  const twos = Array.from({ length: ROWS / 2 }, (_, at) => BigInt(ROWS - 2 - 2 * at));
  const sums = twos.map((two) => `${two},2,${2n * (9007199254740993n + two) + 1n}\r\n`);
  expect(csv).toBe(`two,n,sum\r\n${sums.join("")}`);
  expect(await csvOf({ ...query, limit: 2 })).toBe(`two,n,sum\r\n${sums.slice(0, 2).join("")}`);
  const rows = await parquetReadObjects({ file: asFile(await bytesOf(await ask(downloadRowsParquet, query))) });
  expect(rows).toHaveLength(35_000);
  const left = () => readdirSync(copiesDir()).filter((name) => name.startsWith("groups-"));
  await expect.poll(left).toEqual([]);
});

test("rows near a place have their distances, and are grouped like others", async () => {
  const near = { latitude: "part", longitude: "part", of: [0, 0], km: 200 };
  const order = { order_by: [{ column: "distance_km" }, { column: "id" }] };
  const kept = Array.from({ length: ROWS }, (_, id) => id).filter((id) => id % 7 < 2);
  const lines = (await csvOf({ columns: ["id", "distance_km"], near, ...order })).trimEnd().split("\r\n").slice(1);
  expect(lines.map((line) => Number(line.split(",")[0]))).toEqual(kept.toSorted((a, b) => (a % 7) - (b % 7) || a - b));
  expect(lines.at(-1)).toMatch(/,157\.\d+$/);
  const excel = await partsOf(
    await bytesOf(await ask(downloadRowsExcel, { columns: ["word", "distance_km"], near, limit: 9 })),
  );
  expect(excel["xl/worksheets/sheet1.xml"]?.match(/<row /g)).toHaveLength(10);
  const groups = { columns: [], near, group_by: ["part"], aggregates: [{ function: "count", as: "n" }] };
  expect(await csvOf(groups)).toBe("part,n\r\n0,10000\r\n1,10000\r\n");
});

test("a complete file counts once, a broken one and a HEAD never", async () => {
  const before = await downloads();
  const broken = await ask(downloadRowsParquet, FILTERED);
  await broken.body?.cancel();
  const head = await ask(downloadRowsCsv, FILTERED, { method: "HEAD" });
  expect([head.status, (await head.text()).length]).toEqual([200, 0]);
  expect(head.headers.get("ratelimit-policy")).toContain('"day";q=5000'); // it is a query
  expect(await downloads()).toBe(before);
  const reply = await ask(downloadRowsCsv, FILTERED);
  expect(reply.headers.get("ratelimit-policy")).toContain('"day";q=2000');
  await reply.text();
  expect(await downloads()).toBe(before + 1);
});

test("what cannot be a file is rejected before its first byte, with what to do", async () => {
  const cases: [AnyOperation, object, number, RegExp][] = [
    [downloadRowsCsv, { cursor: "x", total: true }, 400, /cursor does not apply to a file of all rows/],
    [downloadRowsCsv, { columns: ["nope"] }, 400, /nope/],
    [downloadRowsCsv, { limit: 0 }, 400, /limit/],
    [downloadRowsExcel, { columns: ["long"] }, 413, /^Cell of "long" too long: 32,768 characters \(maximum 32,767\)/],
    [downloadRowsCsv, {}, 413, /^The file would have about 2\.\d MB \(maximum 2\.2 MB\)\. Filter the rows/],
  ];
  for (const [op, query, status, message] of cases) {
    const reply = await ask(op, query, "columns" in query && String(query.columns) === "long" ? { table: longId } : {});
    expect([reply.status, (await reply.json()).message]).toEqual([status, expect.stringMatching(message)]);
  }
});

test("a private dataset's rows are for its members, and no other site can use a session", async () => {
  expect((await ask(downloadRowsCsv, FILTERED, { table: privateId })).status).toBe(200);
  for (const op of [downloadRowsCsv, downloadRowsParquet, downloadRowsExcel]) {
    expect((await ask(op, FILTERED, { headers: { cookie: stranger } })).status).toBe(404);
    const { workspaceId: elsewhere, userId: other } = await newWorkspace();
    const headers = { cookie: await sessionCookie(other) };
    expect((await ask(op, FILTERED, { headers, table: privateId, workspace: elsewhere })).status).toBe(404);
    const foreign = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };
    expect((await ask(op, FILTERED, { headers: foreign })).status).toBe(403);
    expect((await ask(op, FILTERED, { headers: { cookie: "" } })).status).toBe(401);
  }
  expect(userId).not.toBe("");
});

test("the rows are those of the pages of the same query", async () => {
  const request = new Request("http://localhost/", {
    method: "POST",
    headers: {
      ...{ cookie, "sec-fetch-site": "same-origin", origin: new URL(baseUrl()).origin },
      ...{ "content-type": "application/json", accept: "text/csv" },
    },
    body: JSON.stringify({ columns: ["id", "word"], ...FILTERED, limit: 1000 }),
  });
  const params = Promise.resolve({ workspace_id: workspaceId, table_id: tableId });
  const page = await serve({ POST: queryTableInBrowser }).POST(request, { params });
  expect(await csvOf({ columns: ["id", "word"], ...FILTERED, limit: 1000 })).toBe(await page.text());
});

test("columns of another table are in files of rows and of groups, which cite both datasets", async () => {
  const file = join(folder, "parts.csv");
  writeFileSync(file, "part,label\n0,zero\n1,one\n3,three\n");
  const dataset = { slug: "parts", title: "Parts", publisher: { name: "Agency" }, license: "CC0-1.0" };
  const request = { file, dataset, table: { slug: "parts" }, primaryKey: ["part"] };
  const { table_id } = await publishTable(request, { now: () => new Date() });
  const lookups = [{ table_id, on: { part: "part" }, columns: ["label"], as: "p" }];
  const linesOf = async (query: object) =>
    (await text((await ask(downloadRowsCsv, query)).body as never)).split("\r\n");
  const rows = await ask(downloadRowsCsv, { columns: ["id", "p.label"], lookups, limit: 4 });
  expect(rows.headers.get("link")).toMatch(/open-rows>; rel="cite-as", <[^>]+parts>; rel="cite-as"/);
  expect((await rows.text()).split("\r\n").slice(0, 5)).toEqual(["id,p.label", "0,zero", "1,one", "2,", "3,three"]);
  const all = await linesOf({ lookups, filters: [{ column: "p.label", operator: "eq", value: "three" }] });
  expect(all[0]).toBe("id,wide,part,word,p.label");
  expect(all.filter((line) => line.endsWith(",three"))).toHaveLength(ROWS / 7);
  const groups = { group_by: ["p.label"], aggregates: [{ function: "count", as: "n" }], lookups };
  expect((await linesOf(groups)).slice(0, 5)).toEqual([
    "p.label,n",
    `one,${ROWS / 7}`,
    `three,${ROWS / 7}`,
    `zero,${ROWS / 7}`,
    `,${(ROWS / 7) * 4}`,
  ]);
  const unknown = [{ ...lookups[0], table_id: "11111111-1111-4111-8111-111111111111" }];
  expect((await ask(downloadRowsCsv, { columns: ["id"], lookups: unknown })).status).toBe(404);
});
