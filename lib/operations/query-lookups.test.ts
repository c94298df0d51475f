import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { closeReadingEngine } from "@/lib/operations/reading/reading-engine";
import { queryReplySchema } from "@/lib/schemas/query-reply";
import { finishBackground } from "@/lib/store/background";
import { database } from "@/lib/store/postgres/database";
import { callCommand } from "@/lib/testing/command";
import { useTestState } from "@/lib/testing/database";
import { serve } from "@/lib/testing/serve";
import { queryTable, queryTableAnonymously } from "./query-table";

useTestState();
const folder = mkdtempSync(join(tmpdir(), "parquetry-lookups-"));
let made = 0;
let visits = "";
let places = "";
let dataset = "";

async function run(...args: string[]) {
  const { code, stdout, stderr } = await callCommand(...args, "--json");
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

/** Publishes a version of a table, in a dataset of its own. */
function publish(slug: string, text: string, ...more: string[]) {
  const file = join(folder, "rows.csv");
  writeFileSync(file, text);
  const about = ["--title", slug, "--publisher", "P", "--license", "MIT"];
  return run("publish", file, "--dataset", slug, "--table", "t", ...about, ...more);
}

const VISITS = "n,place\n1,10\n2,20\n3,10\n4,30\n5,20\n6,99\n";
const placesText = (edition: string) => `id,name\n10,ten ${edition}\n20,twenty ${edition}\n30,thirty ${edition}\n`;
const publishPlaces = (edition: string, ...more: string[]) =>
  publish(dataset, placesText(edition), "--primary-key", "id", ...more);

beforeEach(async () => {
  made += 1;
  dataset = `places-${made}`;
  visits = (await publish(`visits-${made}`, VISITS, "--published-at", "2020-01-01T00:00:00Z")).table_id;
  places = (await publishPlaces("old", "--label", "1.0", "--published-at", "2021-01-01T00:00:00Z")).table_id;
});
afterAll(async () => {
  await finishBackground();
  await closeReadingEngine();
  rmSync(folder, { recursive: true, force: true });
});

const keyOf = async (email: string): Promise<string> => (await run("key", "create", "--email", email)).key;

interface Asked {
  lookup?: object;
  [part: string]: unknown;
}

async function ask({ lookup: changed, ...rest }: Asked, { key, accept }: { key?: string; accept?: string } = {}) {
  const lookup = { table_id: places, on: { id: "place" }, columns: ["name"], as: "p", ...changed };
  const request = new Request("http://localhost/", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(key !== undefined && { "x-api-key": key }),
      ...(accept !== undefined && { accept }),
    },
    body: JSON.stringify({ columns: ["n", "p.name"], lookups: [lookup], ...rest }),
  });
  const operation = key === undefined ? queryTableAnonymously : queryTable;
  const reply = await serve({ POST: operation }).POST(request, { params: Promise.resolve({ table_id: visits }) });
  const text = await reply.text();
  return {
    status: reply.status,
    headers: reply.headers,
    text,
    body: text.startsWith("{") ? JSON.parse(text) : undefined,
  };
}

const namesOf = ({ body }: { body: { rows: { "p.name": string | null }[] } }) => body.rows.map((row) => row["p.name"]);

test("columns of another dataset's table, its version and digest; the datasets are cited and connected", async () => {
  const key = await keyOf("reader@example.com");
  const reply = await ask({}, { key });
  expect(reply.status).toBe(200);
  expect(namesOf(reply)).toEqual(["ten old", "twenty old", "ten old", "thirty old", "twenty old", null]);
  const parsed = queryReplySchema.parse(reply.body);
  expect(parsed.lookups).toEqual([
    {
      as: "p",
      id: places,
      version_id: expect.stringMatching(/-/),
      content_digest: expect.stringMatching(/^sha256:/),
      published_at: "2021-01-01T00:00:00.000Z",
    },
  ]);
  expect(parsed.execution.lookups).toEqual([{ as: "p", missing: 1 }]);
  expect(reply.headers.get("link")).toMatch(
    new RegExp(`visits-${made}>; rel="cite-as", <[^>]+${dataset}>; rel="cite-as"`),
  );
  const csv = await ask({}, { key, accept: "text/csv" });
  expect(csv.text.split("\r\n").slice(0, 2)).toEqual(["n,p.name", "1,ten old"]);
  expect(namesOf(await ask({}))).toHaveLength(6);
  await finishBackground();
  const { pool } = await database();
  const connected = await pool.query('SELECT d.slug FROM "Connection" c JOIN "Dataset" d ON d.id = c."datasetId"');
  expect(connected.rows.map(({ slug }) => slug)).toEqual(expect.arrayContaining([`visits-${made}`, dataset]));
});

test("a version published between two pages is not read before the last page, but by the next query", async () => {
  const first = await ask({ limit: 2 });
  await publishPlaces("new", "--label", "2.0");
  const second = await ask({ limit: 2, cursor: first.body.next_cursor });
  const third = await ask({ limit: 2, cursor: second.body.next_cursor });
  expect([first, second, third].flatMap(namesOf)).toEqual([
    "ten old",
    "twenty old",
    "ten old",
    "thirty old",
    "twenty old",
    null,
  ]);
  expect(third.body.lookups).toEqual(first.body.lookups);
  const again = await ask({ limit: 2 });
  expect(namesOf(again)).toEqual(["ten new", "twenty new"]);
  expect(again.headers.get("etag")).not.toBe(first.headers.get("etag"));
  const moved = await ask({ limit: 2, cursor: first.body.next_cursor, lookup: { version_id: "2.0" } });
  expect([moved.status, moved.body.error]).toEqual([400, "cursor_mismatch"]);
});

test("a version of it is named by label or time; the body's time is of both tables", async () => {
  await publishPlaces("new", "--label", "2.0", "--published-at", "2023-01-01T00:00:00Z");
  const first = async (more: Asked) => namesOf(await ask({ limit: 1, ...more }))[0];
  expect(await first({})).toBe("ten new");
  expect(await first({ lookup: { version_id: "1.0" } })).toBe("ten old");
  expect(await first({ lookup: { as_of: "2022-06-01" } })).toBe("ten old");
  expect(await first({ as_of: "2022-06-01" })).toBe("ten old");
  expect(await first({ as_of: "2022-06-01", lookup: { version_id: "2" } })).toBe("ten new");
  const early = await ask({ as_of: "2020-06-01" });
  expect([early.status, early.body.details[0].pointer]).toEqual([404, "/as_of"]);
  const unknown = await ask({ lookup: { version_id: "3.0" } });
  expect([unknown.status, unknown.body.details[0].pointer]).toEqual([404, "/lookups/0/version_id"]);
});

test("a malformed part and an unknown column are reported together", async () => {
  const { status, body } = await ask({ columns: ["p.name", "nope"], limit: 0 });
  const faults = body.details.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]);
  expect([status, faults.sort()]).toEqual([
    400,
    [
      ["/columns/1", "unknown_column"],
      ["/limit", "invalid_limit"],
    ],
  ]);
});

test("who may not read the other table gets the failure of an unknown one, on every page", async () => {
  const [owner, stranger] = [await keyOf("owner@example.com"), await keyOf("stranger@example.com")];
  const { pool } = await database();
  const found = await pool.query(
    'SELECT m."workspaceId" AS id FROM "Membership" m JOIN "User" u ON u.id = m."userId" WHERE u.email = $1',
    ["owner@example.com"],
  );
  const workspace = String(found.rows[0]?.id);
  const first = await ask({ limit: 2 }, { key: stranger });
  const without = ({ status, text }: { status: number; text: string }) => [status, text.replace(/req_[\w-]+/, "")];
  const unknown = without(await ask({ lookup: { table_id: "11111111-1111-4111-8111-111111111111" } }));
  expect(unknown[0]).toBe(404);
  await run("dataset", "visibility", dataset, "withdrawn");
  expect(without(await ask({}, { key: owner }))).toEqual(unknown);
  await run("dataset", "visibility", dataset, "private", "--workspace", workspace);
  for (const reply of [
    await ask({}),
    await ask({}, { key: stranger }),
    await ask({ limit: 2, cursor: first.body.next_cursor }, { key: stranger }),
    await ask({ lookup: { table_id: "no uuid" } }),
    await ask({ lookup: { version_id: "1.0" } }),
  ])
    expect(without(reply)).toEqual(unknown);
  expect(namesOf(await ask({}, { key: owner }))).toHaveLength(6);
});
