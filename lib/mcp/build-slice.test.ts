import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Client } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createKey } from "@/lib/access/use-keys";
import { handle } from "@/lib/door/handle";
import { baseUrl } from "@/lib/kernel/env";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { database } from "@/lib/store/postgres/database";
import { type Builder, startBuilder } from "@/lib/testing/builder";
import { useTestState } from "@/lib/testing/database";
import { newWorkspace } from "@/lib/testing/workspace";

/** What an office publishes: its own names, points for thousands and commas for decimals, a row that is not a gauge. */
const FILE = 'Gauge;Level;Day\nA;"1.234,5";31.10.2026\nB;"2,5";30.10.2026\nSum;"1.237";31.10.2026\n';
let requests = 0;
const office: Server = createServer((request, reply) => {
  requests += 1;
  if (request.headers["if-none-match"] === '"one"') return void reply.writeHead(304).end();
  reply.writeHead(200, { "content-type": "text/csv", etag: '"one"' }).end(FILE);
});
const port = await new Promise<number>((resolve) =>
  office.listen(0, "127.0.0.1", () => resolve((office.address() as AddressInfo).port)),
);
useTestState({ SOURCE_PRIVATE_HOSTS: `127.0.0.1:${port}` });

let builder: Builder;
let client: Client;
const keys = { own: "", foreign: "" };

beforeAll(async () => {
  builder = await startBuilder();
  client = builder.client;
  const keyOf = async (owner: { workspaceId: string; userId: string }) => {
    const { workspaceId, userId } = owner;
    return (await createKey({ kind: "use", name: "k", workspaceId, userId, expiresAt: null }, ADMINISTRATOR)).key;
  };
  keys.own = await keyOf(builder);
  keys.foreign = await keyOf(await newWorkspace());
});
afterAll(async () => {
  await builder?.close();
  office.close();
});

async function call<T extends object>(name: string, args: Record<string, unknown>): Promise<T> {
  const { structuredContent, content, isError } = await client.callTool({ name, arguments: args });
  if (isError) throw new Error(`${name}: ${JSON.stringify(content)}`);
  return structuredContent as T;
}

const RECIPE = `
schema_version: service-recipe.v1
sources:
  - name: office
    kind: http
    url: http://127.0.0.1:${port}/levels.csv
    reader: {format: csv, options: {delimiter: ";"}}
tables:
  - name: levels
    title: Levels
    from: office
    steps:
      - {step: rename, columns: {Gauge: gauge, Level: level, Day: day}}
      - {step: parse, columns: [level], as: float64, number: {decimal: ",", thousands: ["."]}}
      - {step: parse, columns: [day], as: date, date: {formats: ["%d.%m.%Y"]}}
      - {step: filter, filters: [{column: gauge, operator: neq, value: Sum}]}
      - {step: derive, columns: {doubled: {fn: mul, args: [{col: level}, 2]}}}
      - {step: select, columns: [gauge, day, doubled]}
    columns:
      - {name: gauge, type: string, nullable: false}
      - {name: day, type: date}
      - {name: doubled, type: float64, unit: cm}
    primary_key: [gauge]
    order_by: [gauge]
    checks:
      - {check: row_count, min: 2}
      - {check: range, column: doubled, min: 0}
publish:
  license: DL-DE-BY-2.0
  publisher: {name: Office of levels}
`;

/** The public routes that answer with a table, each tried. */
async function openRoutes(
  tableId: string,
  versionId: string,
  slug: string,
  key: string | undefined,
): Promise<string[]> {
  const tables = `/api/v2/public/tables/${tableId}`;
  const body = JSON.stringify({ columns: ["gauge"], version_id: versionId });
  const current = JSON.stringify({ columns: ["gauge"] });
  const tried: [path: string, body?: string][] = [
    [`/api/v2/public/datasets/${slug}`],
    ...["schema", "preview", "versions"].map((name): [string] => [`${tables}/${name}`]),
    [`${tables}/query`, current],
    [`${tables}/current`],
    [`/api/v2/public/datasets/${slug}/versions/${versionId}`],
    [`/api/v2/public/datasets/${slug}/archive.zip`],
    [`/api/public/tables/${tableId}/query`, body],
  ];
  const open: string[] = [];
  for (const [path, sent] of tried) {
    const headers = { "content-type": "application/json", ...(key !== undefined && { "x-api-key": key }) };
    const init = sent === undefined ? {} : { method: "POST", body: sent };
    const reply = await handle(new Request(`${baseUrl()}${path}`, { headers, ...init }));
    await reply.arrayBuffer();
    if (reply.status === 200) open.push(path);
  }
  const listed = await handle(new Request(`${baseUrl()}/api/v2/public/datasets?q=levels`));
  if ((await listed.text()).includes(tableId)) open.push("the catalogue");
  return open;
}

const ROWS = [
  ["A", "2026-10-31", 2469],
  ["B", "2026-10-30", 5],
];

test("an agent builds a dataset from a CSV file on the web, and reads it back", async () => {
  const { dataset } = await call<{ dataset: { slug: string } }>("create_dataset", { title: "Levels" });
  const args = { dataset: dataset.slug, recipe: RECIPE, start: true };
  const { run } = await call<{ run: { run_id: string } }>("register_recipe", args);
  const { run_id } = run;
  expect(requests).toBe(0);
  const confirmed = await call<{ sample: { recipe_digest: string } }>("confirm_run", { run_id, wait_ms: 20_000 });
  expect(confirmed).toMatchObject({
    state: "awaiting_approval",
    sample: { tables: [{ table: "levels", rows: 2, columns: 3 }], rejects: [] },
  });
  const sampled = await call("query_run", { run_id, table: "levels", columns: ["gauge", "day", "doubled"] });
  expect(sampled).toMatchObject({ rows: ROWS, sampled: true });
  const near = { latitude: "doubled", longitude: "doubled", of: [5, 5], km: 9 };
  for (const part of [{ near }, { filters: [{ column: "doubled", operator: "eq", value: 5 }] }]) {
    const some = await call("query_run", { run_id, table: "levels", columns: ["gauge"], ...part });
    expect(some).toMatchObject({ rows: [["B"]], total_rows: null });
  }
  const { recipe_digest } = confirmed.sample;
  await expect(call("approve_full_run", { run_id, recipe_digest: "sha256:0" })).rejects.toThrow(/recipe_digest/);
  const approved = await call("approve_full_run", { run_id, recipe_digest, wait_ms: 20_000 });
  expect(approved).toMatchObject({ state: "sealed", outcome: "released", approval: { state: "approved" } });
  expect(await call("approve_full_run", { run_id, recipe_digest })).toMatchObject({ state: "sealed" });
  const { prisma } = await database();
  const table = await prisma.table.findFirstOrThrow({ include: { versions: true } });
  const [sealed] = table.versions;
  for (const key of [undefined, keys.own, keys.foreign])
    expect(await openRoutes(table.id, sealed?.id ?? "", dataset.slug, key)).toEqual([]);
  const { receipts } = await call<{ receipts: { table_id: string }[] }>("promote_table", { dataset: dataset.slug });
  expect(receipts).toMatchObject([{ table: "levels", current: true, visibility: "private" }]);
  const table_id = receipts[0]?.table_id ?? "";
  expect(await call("query_table", { table_id, columns: ["gauge", "day", "doubled"] })).toMatchObject({
    rows: ROWS,
    citation: expect.stringMatching(/^Cite: levels, table Levels, /),
  });
  expect(table_id).toBe(table.id);
  const read = (key?: string) => openRoutes(table_id, sealed?.id ?? "", dataset.slug, key);
  expect(await read()).toEqual([]);
  expect(await read(keys.foreign)).toEqual([]);
  expect(await read(keys.own)).toEqual([
    `/api/v2/public/datasets/${dataset.slug}`,
    ...["schema", "preview", "versions", "query", "current"].map((name) => `/api/v2/public/tables/${table_id}/${name}`),
    `/api/v2/public/datasets/${dataset.slug}/versions/${sealed?.id}`,
    `/api/v2/public/datasets/${dataset.slug}/archive.zip`,
  ]);
  const again = await call<{ run_id: string }>("start_run", { dataset: dataset.slug });
  const refreshed = { run_id: again.run_id, known_state: "queued_full", wait_ms: 20_000 };
  let state = await call<{ state: string }>("get_run", refreshed);
  while (!["sealed", "failed"].includes(state.state))
    state = await call("get_run", { ...refreshed, known_state: state.state });
  expect(state).toMatchObject({ kind: "refresh", state: "sealed", outcome: "unchanged" });
});
