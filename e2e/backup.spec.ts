import { createHash } from "node:crypto";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { LimitedService } from "./limited-service";
import { parquetryOn, readerKey } from "./service";
import { test } from "./test";

// A backup made while the service was read and written to is restored, and served by a second instance that shares
// nothing with the first.
const folder = mkdtempSync(join(tmpdir(), "parquetry-restored-"));
chmodSync(folder, 0o755); // the embedded PostgreSQL may run as another user
const running = process.env.PARQUETRY_E2E_DIR ?? "";
const restored = join(folder, "data");
const backup = join(folder, "backup");
const original = `http://localhost:${process.env.PORT ?? "4173"}`;
const service = new LimitedService("restored", {
  PARQUETRY_DATA_DIR: restored,
  LIMIT_DOWNLOAD_MINUTE: "1000",
  LIMIT_KEY_MINUTE: "1000",
  LIMIT_CATALOGUE_MINUTE: "1000",
  DATABASE_TIMEOUT_MS: "10000",
});
let key = "";

test.beforeAll(() => {
  key = readerKey();
});
test.afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Table {
  tableId: string;
  version_id: string;
}

interface Page {
  rows: unknown[];
  next_cursor: string | null;
  table: { version_id: string; content_digest: string };
}

const json = async <T>(address: string): Promise<T> => (await (await fetch(address)).json()) as T;

async function tablesOf(base: string): Promise<Record<string, Table>> {
  const { datasets } = await json<{ datasets: { slug: string; tables: (Table & { slug: string })[] }[] }>(
    `${base}/api/v2/public/datasets?limit=100`,
  );
  return Object.fromEntries(
    datasets.flatMap(({ slug, tables }) => tables.map((table) => [`${slug}/${table.slug}`, table])),
  );
}

async function query(base: string, tableId: string, body: object): Promise<Page> {
  const headers = { "content-type": "application/json", "x-api-key": key };
  const reply = await fetch(`${base}/api/v2/public/tables/${tableId}/query`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  expect(reply.status).toBe(200);
  return (await reply.json()) as Page;
}

/** Sends requests without pause, four at a time. Every reply must be a 200. Returns their number once it is stopped. */
function keepAsking(tableId: string, columns: string[]): () => Promise<number> {
  let going = true;
  const ask = async () => {
    let asked = 0;
    for (; going; asked += 1) await query(original, tableId, { columns, limit: 100, offset: (asked * 37) % 10_000 });
    return asked;
  };
  const all = Promise.all([ask(), ask(), ask(), ask()]);
  return async () => {
    going = false;
    return (await all).reduce((sum, count) => sum + count, 0);
  };
}

/** Publishes new versions, one after another. */
function keepPublishing(): () => Promise<number> {
  let going = true;
  const work = async () => {
    let published = 0;
    for (; going; published += 1) {
      const file = join(folder, "growing.csv");
      writeFileSync(file, `id\n${Array.from({ length: 10 + published }, (_, id) => `${id}\n`).join("")}`);
      const about = [
        "--dataset",
        "growing",
        "--table",
        "rows",
        "--title",
        "Growing",
        "--publisher",
        "Tests",
        "--license",
        "CC0-1.0",
      ];
      await parquetryOn(running, "publish", file, ...about, "--json");
    }
    return published;
  };
  const done = work();
  return () => {
    going = false;
    return done;
  };
}

test("a backup of the running service, under load, restores to one that gives the same replies", async () => {
  test.setTimeout(600_000);
  const before = await tablesOf(original);
  const flights = before["us-flights-2001/flights"] ?? Object.values(before)[0];
  if (!flights) throw new Error("no table");
  const { columns } = await json<{ columns: { name: string }[] }>(
    `${original}/api/v2/public/tables/${flights.tableId}/schema`,
  );
  const names = columns.map(({ name }) => name);
  const firstQuery = { columns: names, order_by: [{ column: names[0] }], limit: 1000 };
  const first = await query(original, flights.tableId, firstQuery);
  const [asking, publishing] = [keepAsking(flights.tableId, names), keepPublishing()];
  const made = JSON.parse(await parquetryOn(running, "backup", backup, "--json"));
  expect(made).toMatchObject({ folder: backup, keys: expect.arrayContaining(["keys/secret"]) });
  expect(await asking()).toBeGreaterThan(20);
  expect(await publishing()).toBeGreaterThan(0);
  expect(JSON.parse(await parquetryOn(running, "backup", "--check", backup, "--json")).problems).toEqual([]);

  const receipt = JSON.parse(await parquetryOn(restored, "restore", backup, "--json"));
  expect(receipt).toMatchObject({ rows: made.rows, blobs: made.blobs, same_secret: true });
  expect(JSON.parse(await parquetryOn(restored, "verify", "--json"))).toMatchObject({ blobs: made.blobs, bad: [] });
  await service.start();

  const after = await tablesOf(service.base);
  for (const [name, { tableId, version_id }] of Object.entries(before)) {
    if (name === "growing/rows") continue;
    expect([name, after[name]?.tableId, after[name]?.version_id]).toEqual([name, tableId, version_id]);
    const [ours, theirs] = [await download(original, tableId), await download(service.base, tableId)];
    expect([name, theirs]).toEqual([name, ours]);
  }
  const second = { ...firstQuery, cursor: first.next_cursor };
  expect((await query(service.base, flights.tableId, second)).rows).toEqual(
    (await query(original, flights.tableId, second)).rows,
  );
});

/** The digest in the header and the measured one. */
async function download(base: string, tableId: string): Promise<[string | null, string]> {
  const reply = await fetch(`${base}/api/v2/public/tables/${tableId}/current`, { headers: { "x-api-key": key } });
  expect(reply.status).toBe(200);
  const hash = createHash("sha256");
  for await (const chunk of reply.body ?? []) hash.update(chunk as Uint8Array);
  const measured = `sha256:${hash.digest("hex")}`;
  expect(reply.headers.get("x-service-content-digest")).toBe(measured);
  return [reply.headers.get("etag"), measured];
}

test("maintenance mode covers every route, and a withdrawn dataset disappears with the next request", async () => {
  const status = async (path: string) => (await fetch(`${service.base}${path}`, { redirect: "manual" })).status;
  const routes = [
    "/",
    "/datasets",
    "/sign-in",
    "/api/v2/public/datasets",
    "/api/account",
    "/api/auth/session",
    "/api/none",
    "/llms-full.txt",
  ];
  await parquetryOn(restored, "maintenance", "on", "--message", "Moving house.", "--retry-after", "77");
  await expect.poll(() => status("/datasets")).toBe(503);
  for (const path of routes) {
    const reply = await fetch(`${service.base}${path}`);
    expect([
      path,
      reply.status,
      reply.headers.get("retry-after"),
      reply.headers.get("cache-control"),
      reply.headers.get("content-type"),
    ]).toEqual([path, 503, "77", "no-store", "text/plain; charset=utf-8"]);
    expect(await reply.text()).toMatch(/^Moving house\.\nRequest ID: req_/);
  }
  for (const probe of ["/healthz", "/readyz"]) expect(await status(probe)).toBe(200); // a balancer keeps the instance
  await parquetryOn(restored, "maintenance", "off");
  await expect.poll(() => status("/datasets")).toBe(200);

  const seen = ["/datasets/mime-types", "/api/v2/public/datasets/mime-types", "/datasets/mime-types/llms.txt"];
  const listed = async () =>
    (
      await Promise.all(
        ["/llms-full.txt", "/datasets"].map(async (path) => (await fetch(`${service.base}${path}`)).text()),
      )
    ).map((text) => text.includes("/datasets/mime-types"));
  expect(await listed()).toEqual([true, true]);
  await parquetryOn(restored, "dataset", "visibility", "mime-types", "withdrawn");
  for (const path of seen) expect([path, await status(path)]).toEqual([path, 404]);
  expect(await listed()).toEqual([false, false]);
  await parquetryOn(restored, "dataset", "visibility", "mime-types", "public");
  for (const path of seen) expect([path, await status(path)]).toEqual([path, 200]);
  const actions = JSON.parse(await parquetryOn(restored, "audit", "--limit", "50", "--json"))
    .map(({ action }: { action: string }) => action)
    .filter((action: string) => action !== "dataset.connected"); // added by the readers while the backup was made
  expect(actions.slice(0, 5)).toEqual([
    "dataset.visibility_changed",
    "dataset.visibility_changed",
    "service.maintenance",
    "service.maintenance",
    "service.restored",
  ]);
});

/** Sends a signal to the restored service's PostgreSQL and all of its processes. */
function signalDatabase(signal: "SIGSTOP" | "SIGCONT"): void {
  const server = Number(
    readFileSync(join(restored, "postgres", "cluster", "postmaster.pid"), "utf8").split("\n", 1)[0],
  );
  const own = readFileSync(`/proc/${server}/task/${server}/children`, "utf8").trim().split(" ").map(Number);
  for (const pid of [server, ...own]) process.kill(pid, signal);
}

test("while the database does not respond, a page says so and when to retry; then it is shown again", async () => {
  const page = () => fetch(`${service.base}/datasets/mauna-loa-co2/versions`, { headers: { accept: "text/html" } });
  signalDatabase("SIGSTOP");
  const reply = await page().finally(() => signalDatabase("SIGCONT"));
  expect([reply.status, reply.headers.get("retry-after")]).toEqual([503, "5"]);
  expect(await reply.text()).toContain("<h1>Unavailable</h1>");
  await expect.poll(async () => (await page()).status).toBe(200);
});
