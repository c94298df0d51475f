import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closeReadingEngine } from "@/lib/operations/reading/reading-engine";
import { OPERATIONS } from "@/lib/operations/registry";
import { callCommand } from "@/lib/testing/command";
import { useTestState } from "@/lib/testing/database";
import { serve } from "@/lib/testing/serve";

useTestState();
const folder = mkdtempSync(join(tmpdir(), "parquetry-labels-"));
let key = "";
let tableId = "";
/** The ids of 1.0, 1.1 and 2024, in this order. */
const ids: string[] = [];

async function run(...args: string[]) {
  const { code, stdout, stderr } = await callCommand(...args, "--json");
  return code === 0 ? JSON.parse(stdout) : { stderr };
}

/** Publishes rows 0 to `rows` - 1 of a table. */
function publish(rows: number, table: string, ...more: string[]) {
  const file = join(folder, "rows.csv");
  writeFileSync(file, `id\n${Array.from({ length: rows }, (_, id) => `${id}\n`).join("")}`);
  return run("publish", file, "--dataset", "d", "--table", table, ...more);
}

const released = (label: string, day: string) => ["--label", label, "--published-at", `${day}T12:00:00Z`];

async function ask(name: string, path: Record<string, string>, search = "", body?: object) {
  const op = OPERATIONS.find((each) => each.name === name);
  if (!op?.http) throw new Error(`no operation ${name}`);
  const request = new Request(`http://localhost/${search}`, {
    method: op.http.method,
    headers: { "x-api-key": key, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const reply = await serve({ [op.http.method]: op })[op.http.method](request, { params: Promise.resolve(path) });
  const text = await reply.text();
  return { status: reply.status, body: text.startsWith("{") ? JSON.parse(text) : text, headers: reply.headers };
}

const query = (more: object) => ask("query_table", { table_id: tableId }, "", { columns: ["id"], ...more });
const versionOf = async (more: object) => (await query(more)).body.table?.version_id;

beforeAll(async () => {
  ({ key } = await run("key", "create", "--email", "reader@example.com"));
  const notes = join(folder, "notes.md");
  writeFileSync(notes, "One row **more**.\n");
  const texts = ["--title", "D", "--publisher", "P", "--license", "MIT"];
  const receipts = [
    await publish(1, "t", ...texts, ...released("1.0", "2022-01-01")),
    await publish(2, "t", ...released("1.1", "2023-01-01"), "--notes", notes),
    await publish(3, "t", ...released("2024", "2024-01-01")),
  ];
  tableId = receipts[0].table_id;
  ids.push(...receipts.map(({ version_id }) => version_id));
});
afterAll(async () => {
  await closeReadingEngine();
  rmSync(folder, { recursive: true, force: true });
});

test("a history has number, label and notes of each version", async () => {
  const { body } = await ask("list_versions", { table_id: tableId });
  expect(body.versions).toMatchObject([
    { number: 3, current: true, label: "2024", notes: null },
    { number: 2, current: false, label: "1.1", notes: "One row **more**." },
    { number: 1, current: false, label: "1.0", other_labels: [] },
  ]);
});

test("a version is read by its id, label, number or a time when it was current; replies name the id", async () => {
  for (const chosen of [
    { version_id: ids[1] },
    { version_id: ids[1]?.toUpperCase() },
    { version_id: "1.1" },
    { version_id: "2" },
    { as_of: "2023-01-01" },
    { as_of: "2023-12-31" },
    { as_of: "2024-01-01T11:59:59Z" },
    { as_of: "1.1" },
    { as_of: "2" },
    { as_of: ids[1] },
  ])
    expect([chosen, await versionOf(chosen)]).toEqual([chosen, ids[1]]);
  expect(await versionOf({ as_of: "2024-01-01" })).toBe(ids[2]);
  for (const search of ["?version_id=1.0", "?version_id=1", "?as_of=2022-06-01"]) {
    const { headers } = await ask("download_current", { table_id: tableId }, search);
    expect(headers.get("content-disposition")).toContain(ids[0]?.slice(0, 8));
  }
  expect((await ask("compare_versions", { table_id: tableId }, "?from=1.0&to=2024")).body).toMatchObject({
    from: { version_id: ids[0], number: 1, label: "1.0" },
    to: { version_id: ids[2], number: 3, label: "2024" },
    rows: { added: 2, removed: 0 },
  });
  expect((await ask("get_version", { slug: "d", version_id: "1.1" })).body.version.version_id).toBe(ids[1]);
  expect((await ask("get_citation", { slug: "d" }, "?version_id=1.1")).body.text).toContain(`version 1.1 (${ids[1]})`);
});

test("a cursor of a version continues with any of its names, and with no other version", async () => {
  const { next_cursor: cursor } = (await query({ version_id: "2024", limit: 1 })).body;
  for (const chosen of [{}, { version_id: "2024" }, { version_id: "3" }, { as_of: "2024-06-01" }])
    expect((await query({ ...chosen, limit: 1, cursor })).body.rows).toEqual([{ id: 1 }]);
  expect((await query({ version_id: "1.1", limit: 1, cursor })).body.error).toBe("cursor_mismatch");
});

test("an unknown name gets a suggestion; times before the first version or in the future say so", async () => {
  const rejected = async (chosen: object) => {
    const { status, body } = await query(chosen);
    return { status, ...body.details[0] };
  };
  expect(await rejected({ version_id: "v1.1" })).toMatchObject({
    status: 404,
    pointer: "/version_id",
    did_you_mean: "1.1",
    allowed: ["2024", "1.1", "1.0"],
  });
  expect(await rejected({ version_id: "4" })).toMatchObject({ status: 404, code: "not_found" });
  for (const version_id of ["4", "0b9e1c1e-5d0a-4c4b-9a57-0c7f3f1f2a10"])
    expect((await rejected({ version_id })).message).toContain("Existing versions: 1 to 3, labelled 2024, 1.1, 1.0.");
  const early = await rejected({ as_of: "2021-12-31" });
  expect(early).toMatchObject({ status: 404, pointer: "/as_of" });
  expect(early.message).toContain("the first was published on 2022-01-01");
  expect(await rejected({ as_of: "9999-01-01" })).toMatchObject({ status: 400, code: "invalid_value" });
  expect(await rejected({ as_of: "2024-02-30" })).toMatchObject({ status: 400, code: "invalid_request" });
  const twice = await rejected({ as_of: "2024-01-01", version_id: "1.1" });
  expect(twice).toMatchObject({ status: 400, code: "invalid_request", pointer: "/as_of" });
  const download = await ask("download_current", { table_id: tableId }, "?as_of=2024-01-01&version_id=1.1");
  expect([download.status, download.body.details[0].pointer]).toEqual([400, "?as_of"]);
});

test("a label comes before a number, and both come before a time", async () => {
  const receipts = [
    await publish(1, "odd", ...released("2", "2022-01-01")),
    await publish(2, "odd", ...released("2022-06-01", "2023-01-01")),
  ];
  const [first, second] = receipts.map(({ version_id }) => version_id);
  const [{ table_id }] = receipts;
  const read = async (chosen: object) =>
    (await ask("query_table", { table_id }, "", { columns: ["id"], ...chosen })).body.table.version_id;
  expect([await read({ version_id: "2" }), await read({ as_of: "2" })]).toEqual([first, first]);
  expect([await read({ as_of: "2022-06-01" }), await read({ as_of: "2022-06-02" })]).toEqual([second, first]);
});

test("an ambiguous name is rejected with the versions' ids", async () => {
  const other = await publish(5, "other", ...released("1.1", "2023-06-01"));
  const { status, body } = await ask("get_version", { slug: "d", version_id: "1.1" });
  expect([status, body.error]).toEqual([400, "invalid_value"]);
  expect(body.details[0].allowed.sort()).toEqual([ids[1], other.version_id].sort());
});

test("an unchanged file adds its label to the current version", async () => {
  const again = await publish(3, "t", ...released("2024.1", "2024-02-01"));
  expect(again).toMatchObject({ outcome: "unchanged", version_id: ids[2], label: "2024" });
  await publish(3, "t", ...released("2024.1", "2024-02-01"));
  expect((await ask("list_versions", { table_id: tableId })).body.versions[0].other_labels).toEqual(["2024.1"]);
  expect(await versionOf({ version_id: "2024.1" })).toBe(ids[2]);
});

test("a label is unique within a table, and an edit changes it but not the version", async () => {
  expect((await publish(4, "t", "--label", "1.0")).stderr).toContain("Label already used: 1.0 is version 1");
  expect((await ask("list_versions", { table_id: tableId })).body.versions).toHaveLength(3);
  expect((await run("version", "edit", ids[1] ?? "", "--label", "2024.1")).stderr).toContain("Label already used");
  const edited = await run("version", "edit", ids[1] ?? "", "--label", "1.1.0", "--notes", "");
  expect(edited).toMatchObject({ dataset: "d", table: "t", changed: ["label", "notes"] });
  expect((await ask("list_versions", { table_id: tableId })).body.versions[1]).toMatchObject({
    version_id: ids[1],
    label: "1.1.0",
    notes: null,
  });
  expect((await run("version", "edit", ids[1] ?? "", "--label", "a/b")).stderr).toContain("label");
});

test("a withdrawn version gives the reason by label and time, and was current until then", async () => {
  await run("version", "withdraw", ids[2] ?? "", "--reason", "Wrong rows.");
  for (const chosen of [{ version_id: "2024" }, { as_of: "2024-06-01" }]) {
    const { status, body } = await query(chosen);
    expect([status, body.error]).toEqual([410, "version_withdrawn"]);
    expect(body.message).toContain("Wrong rows");
  }
  expect((await run("version", "edit", ids[2] ?? "", "--label", "x")).stderr).toContain("withdrawn");
});
