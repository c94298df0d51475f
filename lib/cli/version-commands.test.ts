import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closeReadingEngine } from "@/lib/operations/reading/reading-engine";
import { ROUTED } from "@/lib/operations/registry";
import { doctor } from "@/lib/publish/doctor";
import { listAudit } from "@/lib/store/audit";
import { database } from "@/lib/store/postgres/database";
import { callCommand } from "@/lib/testing/command";
import { useTestState } from "@/lib/testing/database";
import { serve } from "@/lib/testing/serve";

useTestState();
const folder = mkdtempSync(join(tmpdir(), "parquetry-versions-"));
let key = "";
let tableId = "";
const versions: string[] = [];

async function json(...args: string[]) {
  const { code, stdout, stderr } = await callCommand(...args, "--json");
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

/** Publishes that many rows to a dataset; the first time with the required fields. */
async function publish(dataset: string, rows: number, ...more: string[]) {
  const file = join(folder, `${dataset}.csv`);
  writeFileSync(file, `id\n${Array.from({ length: rows }, (_, id) => `${id}\n`).join("")}`);
  return json("publish", file, "--dataset", dataset, "--table", "t", ...more);
}
const first = ["--title", "Rivers", "--publisher", "P", "--license", "MIT"];

/** A request to the operation of this name, with a key. */
async function ask(name: string, values: Record<string, string>, query = "", body?: object) {
  const op = ROUTED.find((each) => each.name === name);
  if (!op) throw new Error(`no operation ${name}`);
  const request = new Request(`http://localhost/${query}`, {
    method: op.http.method,
    headers: { "x-api-key": key, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const reply = await serve({ [op.http.method]: op })[op.http.method](request, { params: Promise.resolve(values) });
  const text = await reply.text();
  return { status: reply.status, body: text.startsWith("{") ? JSON.parse(text) : text };
}
const query = (body: object) => ask("query_table", { table_id: tableId }, "", { columns: ["id"], ...body });
const [one, two, three] = [() => versions[0] ?? "", () => versions[1] ?? "", () => versions[2] ?? ""];

beforeAll(async () => {
  ({ key } = await json("key", "create", "--email", "reader@example.com"));
  for (const rows of [3, 4, 5]) {
    const receipt = await publish("rivers", rows, ...(rows === 3 ? first : []));
    tableId = receipt.table_id;
    versions.push(receipt.version_id);
  }
});
afterAll(async () => {
  await closeReadingEngine();
  rmSync(folder, { recursive: true, force: true });
});

test("withdrawing the current version makes the newest remaining one current at once", async () => {
  const page = (await query({ limit: 2 })).body;
  expect(page.table.version_id).toBe(three());
  await json("version", "withdraw", two(), "--reason", "Superseded.");
  expect((await query({})).body.table.version_id).toBe(three());
  const withdrawn = await json("version", "withdraw", three(), "--reason", "Names by mistake.");
  expect(withdrawn).toMatchObject({ dataset: "rivers", table: "t", version: three(), current_version: one() });
  expect((await query({})).body).toMatchObject({ table: { version_id: one() }, execution: { returned_rows: 3 } });
  expect((await query({ limit: 2, cursor: page.next_cursor })).body.error).toBe("version_withdrawn");
  expect(await json("version", "withdraw", three(), "--reason", "Again")).toEqual(withdrawn);
});

test("a withdrawn version returns 410 with its reason wherever its id is used, and is listed nowhere", async () => {
  const [table, dataset] = [{ table_id: tableId }, { slug: "rivers" }];
  const replies = [
    await query({ version_id: three() }),
    await ask("download_current", table, `?version_id=${three()}`),
    await ask("compare_versions", table, `?from=${one()}&to=${three()}`),
    await ask("compare_versions", table, `?from=${three()}&to=${one()}`),
    await ask("get_version", { ...dataset, version_id: three() }),
    await ask("get_citation", dataset, `?version_id=${three()}`),
  ];
  expect(replies.map(({ status, body }) => [status, body.error])).toEqual(
    replies.map(() => [410, "version_withdrawn"]),
  );
  for (const { body } of replies) expect(body.message).toContain("Names by mistake. Read the current version.");
  const told = [
    await ask("list_versions", table),
    await ask("get_dataset", dataset),
    await ask("get_citation", dataset),
    await ask("get_croissant", dataset),
    await ask("get_data_package", dataset),
    await ask("search_datasets", {}),
  ];
  for (const { status, body } of told) {
    expect(status).toBe(200);
    const text = JSON.stringify(body);
    expect(text).not.toContain(three());
    expect(text).toContain(one());
  }
  expect((await ask("archive_dataset", dataset)).status).toBe(200);
});

test("a dataset whose only version is withdrawn is not found until something is published", async () => {
  const { version_id, table_id } = await publish("alone", 2, ...first);
  await json("version", "withdraw", version_id, "--reason", "Mistake");
  const seen = async () => [
    (await ask("get_dataset", { slug: "alone" })).status,
    (await ask("get_table_schema", { table_id })).status,
    (await ask("query_table", { table_id }, "", { columns: ["id"], version_id })).status,
    (await ask("get_version", { slug: "alone", version_id })).status,
    (await ask("search_datasets", {})).body.datasets.length,
  ];
  expect(await seen()).toEqual([404, 404, 404, 404, 1]);
  expect(await doctor({ fix: false })).toEqual([]);
  expect(await publish("alone", 2)).toMatchObject({ outcome: "published", change: "first", table_id });
  expect(await seen()).toEqual([200, 200, 410, 410, 2]);
});

test("the log records who withdrew what and why; the version itself does not change", async () => {
  const [entry] = (await listAudit({ limit: 100 })).filter(({ subject }) => subject === three());
  expect(entry).toMatchObject({
    action: "version.withdrawn",
    actor: "operator",
    details: { dataset: "rivers", table: "t", reason: "Names by mistake.", current_version_id: one() },
  });
  const { prisma } = await database();
  await expect(prisma.version.update({ where: { id: three() }, data: { withdrawnAt: null } })).rejects.toThrow(
    /immutable/,
  );
});

test.each<[string[], RegExp]>([
  [["11111111-1111-4111-8111-111111111111", "--reason", "x"], /Unknown version: 1111/],
  [["x", "--reason", "x"], /version_id: /],
  [["11111111-1111-4111-8111-111111111111", "--reason", " "], /reason: /],
  [["11111111-1111-4111-8111-111111111111"], /--reason <text>/],
])("withdraw %j is rejected", async (args, message) => {
  expect(await callCommand("version", "withdraw", ...args)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(message),
  });
});
