import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tableFromIPC } from "apache-arrow";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closeReadingEngine } from "@/lib/operations/reading/reading-engine";
import { changesSchema } from "@/lib/schemas/changes";
import { copiesDir } from "@/lib/storage/paths";
import { callCommand } from "@/lib/testing/command";
import { useTestState } from "@/lib/testing/database";
import { serve } from "@/lib/testing/serve";
import { queryChanges } from "./query-changes";
import { queryTable } from "./query-table";

useTestState({ LIMIT_KEY_MINUTE: "1000", LIMIT_KEY_DAY: "1000" });
const folder = mkdtempSync(join(tmpdir(), "parquetry-changes-"));
let key = "";
const ids: Record<string, string> = {};

async function run(...args: string[]) {
  const { code, stdout, stderr } = await callCommand(...args, "--json");
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

const TEXTS = ["--title", "D", "--publisher", "P", "--license", "MIT"];

/** Publishes a version of a table, whose dataset has its name, and returns the version's id. */
async function publish(table: string, label: string, csv: string, ...more: string[]): Promise<string> {
  const file = join(folder, "rows.csv");
  writeFileSync(file, csv);
  const first = ids[table] === undefined ? TEXTS : [];
  const made = await run("publish", file, "--dataset", table, "--table", "t", "--label", label, ...first, ...more);
  ids[table] = made.table_id;
  return made.version_id;
}

const KEYED = ["--primary-key", "id"];

beforeAll(async () => {
  ({ key } = await run("key", "create", "--email", "reader@example.com"));
  await publish("keyed", "one", "id,word\n1,one\n9007199254740993,two\n3,three\n5,\n", ...KEYED);
  await publish("keyed", "two", 'id,word\n9007199254740993,zwei\n1,one\n4,four\n5,""\n', ...KEYED);
  await publish("keyed", "three", "id,size,word\n1,1.5,one\n4,,vier\n", ...KEYED);
  await publish("plain", "one", "word\nx\nx\nx\ny\n");
  await publish("plain", "two", "word\nx\nz\nz\n");
});

afterAll(async () => {
  await closeReadingEngine();
  rmSync(folder, { recursive: true, force: true });
});

function ask(table: string, search: string, headers: Record<string, string> = {}) {
  const request = new Request(`http://localhost/changes?${search}`, { headers: { "x-api-key": key, ...headers } });
  return serve({ GET: queryChanges }).GET(request, { params: Promise.resolve({ table_id: ids[table] ?? table }) });
}

async function pageOf(table: string, search: string) {
  const reply = await ask(table, search);
  const text = await reply.text();
  const document = changesSchema.parse(JSON.parse(text));
  return { reply, text, ...document };
}

const linesOf = async (table: string, search: string): Promise<string[]> => {
  const reply = await ask(table, search, { accept: "application/x-ndjson" });
  expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "application/x-ndjson; charset=utf-8"]);
  return (await reply.text()).split("\n").slice(0, -1);
};

const fault = async (reply: Response) => {
  const { error, details } = await reply.json();
  return [reply.status, error, ...(details ?? []).map(({ pointer }: { pointer: string }) => pointer)];
};

const ONE_TO_TWO = [
  '{"op":"deleted","key":{"id":3},"row":{"id":3,"word":"three"},"changed":[]}',
  '{"op":"updated","key":{"id":9007199254740993},"row":{"id":9007199254740993,"word":"zwei"},"changed":["word"]}',
  '{"op":"inserted","key":{"id":4},"row":{"id":4,"word":"four"},"changed":[]}',
  '{"op":"updated","key":{"id":5},"row":{"id":5,"word":""},"changed":["word"]}',
];

test("by the key, rows are deleted, inserted and updated, with all digits and names of changed columns", async () => {
  expect(await linesOf("keyed", "since=one&until=two")).toEqual(ONE_TO_TWO);
  const { text, changes: _changes, ...about } = await pageOf("keyed", "since=1&until=2");
  expect(text).toContain(`"changes":[${ONE_TO_TWO.join(",\n")}]`);
  expect(about).toMatchObject({
    ...{ since: { label: "one", number: 1, rows: 4 }, until: { label: "two", number: 2 } },
    ...{
      key: ["id"],
      columns: [
        { name: "id", type: "int64" },
        { name: "word", type: "string" },
      ],
    },
    ...{ total_changes: 4, next_cursor: null },
  });
});

test("without a key, rows are deleted and inserted as often as they occur more in one version", async () => {
  const row = (op: string, word: string) => `{"op":"${op}","key":null,"row":{"word":"${word}"},"changed":[]}`;
  expect(await linesOf("plain", "since=one")).toEqual([
    ...[row("deleted", "x"), row("deleted", "x"), row("deleted", "y")],
    ...[row("inserted", "z"), row("inserted", "z")],
  ]);
});

test("where columns differ, the first change says how, and a new column is updated where it is not null", async () => {
  const [schema, ...rows] = await linesOf("keyed", "since=two");
  expect(JSON.parse(schema ?? "")).toEqual({
    ...{ op: "schema", key: null, row: null, changed: ["size"] },
    columns: {
      since: [
        { name: "id", type: "int64" },
        { name: "word", type: "string" },
      ],
      until: [
        { name: "id", type: "int64" },
        { name: "size", type: "float64" },
        { name: "word", type: "string" },
      ],
    },
  });
  expect(rows.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ op: "deleted", row: { id: 9007199254740992, size: null, word: "zwei" } }),
    expect.objectContaining({ op: "deleted", key: { id: 5 } }),
    expect.objectContaining({ op: "updated", row: { id: 1, size: 1.5, word: "one" }, changed: ["size"] }),
    expect.objectContaining({ op: "updated", row: { id: 4, size: null, word: "vier" }, changed: ["word"] }),
  ]);
});

test("pages of any size have the same changes, from one computation, even if its file is lost in between", async () => {
  const files = () => readdirSync(copiesDir()).filter((name) => name.startsWith("changes-"));
  const whole = await linesOf("keyed", "since=one");
  const before = files();
  const found: string[] = [];
  let next: string | null = "since=one&limit=1";
  while (next !== null) {
    const reply: Response = await ask("keyed", next, { accept: "application/x-ndjson" });
    found.push(...(await reply.text()).split("\n").slice(0, -1));
    const url = /<([^>]+)>; rel="next"/.exec(reply.headers.get("link") ?? "")?.[1];
    expect(reply.headers.get("x-truncated")).toBe(String(url !== undefined));
    next = url === undefined ? null : `${url.split("?")[1]}&limit=1`;
    if (found.length === 2) {
      expect(files()).toEqual(before);
      for (const name of before) rmSync(join(copiesDir(), name));
    }
  }
  expect(found).toEqual(whole);
});

test("pages stay on their versions when a newer one is published", async () => {
  const first = await pageOf("plain", "since=one&limit=2");
  await publish("plain", "three", "word\nx\n");
  const second = await pageOf("plain", `cursor=${first.next_cursor}&since=one`);
  expect([second.until.label, second.changes.length, second.next_cursor]).toEqual(["two", 3, null]);
});

test("Arrow has the columns' own types in the members of key and row", async () => {
  const reply = await ask("keyed", "since=two", { accept: "application/vnd.apache.arrow.stream" });
  const table = tableFromIPC(new Uint8Array(await reply.arrayBuffer()));
  expect(table.schema.fields.map(({ name, type }) => `${name} ${type}`)).toEqual([
    "op Utf8",
    "key Struct<{id:Int64}>",
    "row Struct<{id:Int64, size:Float64, word:Utf8}>",
    "changed List<Utf8>",
  ]);
  expect(table.getChild("op")?.toArray()).toEqual(["schema", "deleted", "deleted", "updated", "updated"]);
  expect(table.getChild("row")?.get(1)?.toJSON()).toEqual({ id: 9007199254740993n, size: null, word: "zwei" });
  expect(reply.headers.get("content-disposition")).toMatch(/filename="keyed-t-[0-9a-f]{8}-changes\.arrows"$/);
});

test("equal versions have no changes, and an unchanged page is not sent again", async () => {
  const same = await pageOf("keyed", "since=two&until=two");
  expect([same.total_changes, same.changes]).toEqual([0, []]);
  const first = await ask("keyed", "since=one");
  const again = await ask("keyed", "since=one", { "if-none-match": first.headers.get("etag") ?? "" });
  expect([again.status, await again.text()]).toEqual([304, ""]);
});

test("a page with an edited label is sent again", async () => {
  const etag = (await ask("plain", "since=one")).headers.get("etag") ?? "";
  const { until } = await pageOf("plain", "since=one");
  await run("version", "edit", until.version_id, "--label", "deux");
  const again = await ask("plain", "since=one", { "if-none-match": etag });
  expect([again.status, (await again.json()).until.label]).toEqual([200, "deux"]);
});

test("what cannot be read is rejected with what is wrong", async () => {
  const { next_cursor: cursor } = await pageOf("keyed", "since=one&until=two&limit=1");
  const body = JSON.stringify({ columns: ["id"], limit: 1 });
  const post = new Request("http://localhost/", {
    ...{ method: "POST", body, headers: { "x-api-key": key, "content-type": "application/json" } },
  });
  const queried = await serve({ POST: queryTable }).POST(post, {
    params: Promise.resolve({ table_id: ids.keyed ?? "" }),
  });
  const ofQuery = (await queried.json()).next_cursor;
  const rejected = async (search: string, table = "keyed") => fault(await ask(table, search));
  expect(await rejected("limit=10001")).toEqual([400, "invalid_limit", "?limit", "?since"]);
  expect(await rejected("since=one&limit=0")).toEqual([400, "invalid_limit", "?limit"]);
  expect(await rejected("since=nine&until=two")).toEqual([404, "not_found", "?since"]);
  expect(await rejected(`cursor=${cursor?.replace(/.(?=...$)/, (last) => (last === "A" ? "E" : "A"))}`)).toEqual([
    ...[400, "invalid_cursor", "?cursor"],
  ]);
  for (const search of [`cursor=${cursor}&since=two`, `cursor=${cursor}&until=three`, `cursor=${ofQuery}`])
    expect(await rejected(search)).toEqual([400, "cursor_mismatch", "?cursor"]);
  expect(await rejected(`cursor=${cursor}`, "plain")).toEqual([400, "cursor_mismatch", "?cursor"]);
  expect((await ask("keyed", "since=one", { accept: "text/csv" })).status).toBe(406);
});

test("a version that was withdrawn is 410, and so is the next page of changes from it", async () => {
  await publish("gone", "one", "id\n1\n2\n3\n", ...KEYED);
  await publish("gone", "two", "id\n4\n", ...KEYED);
  const { since, next_cursor: cursor } = await pageOf("gone", "since=one&limit=1");
  await run("version", "withdraw", since.version_id, "--reason", "Wrong rows.");
  for (const search of ["since=one", `since=${since.version_id}`, "since=1", `cursor=${cursor}`, "since=two&until=one"])
    expect(await fault(await ask("gone", search))).toEqual([410, "version_withdrawn"]);
});

test("only a valid use key of a workspace that reads the table gets its changes, a query per page", async () => {
  const status = async (headers: Record<string, string>, table = "keyed") =>
    fault(await ask(table, "since=one", headers));
  const other = await run("key", "create", "--email", "other@example.com");
  expect(await status({ "x-api-key": "" })).toEqual([401, "key_missing"]);
  const reply = await ask("keyed", "since=one&limit=1", { "x-api-key": other.key });
  expect(reply.headers.get("ratelimit")).toMatch(/"minute";r=999;/);
  await publish("own", "one", "id\n1\n", ...KEYED);
  const keys = await run("key", "list");
  const { workspace } = keys.find(({ email }: { email: string }) => email === "reader@example.com");
  for (const visibility of ["withdrawn", "private"])
    await run("dataset", "visibility", "own", visibility, "--workspace", workspace);
  await run("workspace", "plan", workspace, "free", "--subscription", "canceled"); // a plan is for building
  expect((await ask("own", "since=one")).status).toBe(200);
  expect(await status({ "x-api-key": other.key }, "own")).toEqual([404, "not_found"]);
  await run("key", "revoke", other.id);
  expect(await status({ "x-api-key": other.key })).toEqual([401, "key_revoked"]);
});
