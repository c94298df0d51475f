import { afterAll, beforeAll, expect, test } from "vitest";
import { ACCESS, keyNeedsOf } from "@/lib/access/access-table";
import { createUseKey, type scopeOf } from "@/lib/access/use-keys";
import { locateTable } from "@/lib/operations/reading/locate-table";
import { closeReadingEngine } from "@/lib/operations/reading/reading-engine";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { publishText } from "@/lib/testing/publish-text";
import { serve } from "@/lib/testing/serve";
import { locateDataset } from "./get-dataset";
import { type RoutedOperation, schemasOf } from "./operation";
import { ROUTED } from "./registry";

useTestState();

const keys: Record<"owner" | "stranger", string> = { owner: "", stranger: "" };
let workspaceId = "";
let unfinished = "";
let openVersion = "";
const tables: Record<string, string> = { unknown: "00000000-0000-4000-8000-000000000000", malformed: "no-table" };

beforeAll(async () => {
  for (const who of ["owner", "stranger"] as const)
    keys[who] = (await createUseKey({ email: `${who}@example.com`, name: who }, new Date())).key;
  const { pool } = await database();
  const owned =
    `SELECT m."workspaceId" FROM "Membership" m JOIN "User" u ON u.id = m."userId" WHERE u.email = ` +
    "'owner@example.com'";
  workspaceId = (await pool.query<{ workspaceId: string }>(owned)).rows[0]?.workspaceId ?? "";
  for (const slug of ["open", "private", "withdrawn", "operators"]) tables[slug] = await publish(slug);
  openVersion =
    (await pool.query<{ id: string }>(`SELECT id FROM "Version" WHERE "tableId" = $1`, [tables.open])).rows[0]?.id ??
    "";
  const change = `UPDATE "Dataset" SET visibility = $2::"Visibility", "workspaceId" = $3::uuid WHERE slug = $1`;
  await pool.query(change, ["private", "private", workspaceId]);
  await pool.query(change, ["withdrawn", "withdrawn", workspaceId]);
  await pool.query(change, ["operators", "private", null]);
  unfinished = await publish("unfinished");
  await pool.query(`UPDATE "Table" SET "currentVersionId" = NULL WHERE id = $1::uuid`, [unfinished]);
});

afterAll(async () => {
  await closeReadingEngine();
});

const publish = async (slug: string): Promise<string> => (await publishText(slug, "id\n1\n")).table_id;

/** Status, headers and body of a reply, except the request id and the quota left. */
async function ask(
  op: RoutedOperation,
  params: Record<string, string>,
  key: string,
  body = '{"columns":["id"]}',
): Promise<{ status: number; whole: string }> {
  const headers = { "x-api-key": key, ...(schemasOf(op).body && { "content-type": "application/json" }) };
  const compared = /compare_versions|difference/.test(op.name) ? `?from=${openVersion}&to=${openVersion}` : "";
  const query = op.name === "query_changes" ? `?since=${openVersion}` : compared;
  const request = new Request(`http://localhost/${query}`, {
    method: op.http.method,
    headers,
    ...(schemasOf(op).body && { body }),
  });
  const handler = serve({ [op.http.method]: op })[op.http.method];
  const reply = await handler(request, { params: Promise.resolve(params) });
  const shown = [...reply.headers].filter(([name]) => !/^(x-request-id|ratelimit)$/.test(name));
  const text = Buffer.from(await reply.arrayBuffer()).toString("latin1");
  return {
    status: reply.status,
    whole: JSON.stringify([reply.status, shown, text.replaceAll(reply.headers.get("x-request-id") ?? "-", "")]),
  };
}

/** Operations for one's own browser take no key, and hosted ones have their own ids: they have separate tests. */
const APART = new Set(["own_browser", "hosted"]);
const tablePath = (op: RoutedOperation, tableId: string) => ({
  table_id: tableId,
  ...(op.http.path.includes("{position}") && { position: "1" }),
});
const ofTables = ROUTED.filter((op) => op.http.path.includes("{table_id}") && !APART.has(op.access));
const pathOf = (op: RoutedOperation, slug: string) => ({
  slug,
  ...(op.http.path.includes("{version_id}") && { version_id: openVersion }),
});
const routed = (name: string) => ROUTED.find((op) => op.name === name) as RoutedOperation;
/** What a key's permissions must include for an operation. */
const ACCESS_NEEDS = Object.fromEntries(ROUTED.map((op) => [op.name, keyNeedsOf(op.access)]));
const takesKeys = ({ access }: RoutedOperation): boolean => ACCESS[access].cells.use_key === "public and own";
const ofDatasets = ROUTED.filter((op) => op.http.path.includes("{slug}") && !APART.has(op.access));

test.each(ofTables)(
  "$name answers not_found for unknown, private, foreign, withdrawn and unfinished tables with the same bytes",
  async (op) => {
    const rejected = ["unknown", "malformed", "private", "withdrawn", "operators"].map((name) => tables[name] ?? "");
    const replies = await Promise.all(
      [...rejected, unfinished].map((table_id) => ask(op, tablePath(op, table_id), keys.stranger)),
    );
    expect(replies[0]?.status).toBe(404);
    expect(new Set(replies.map(({ whole }) => whole)).size).toBe(1);
    expect((await ask(op, tablePath(op, tables.open ?? ""), keys.stranger)).status).toBe(200);
  },
);

test.each(ofDatasets)(
  "$name answers not_found for unknown, private, foreign and withdrawn datasets with the same bytes",
  async (op) => {
    const replies = await Promise.all(
      ["unknown", "Not_A_Slug", "private", "withdrawn", "operators"].map((slug) =>
        ask(op, pathOf(op, slug), keys.stranger),
      ),
    );
    expect(replies[0]?.status).toBe(404);
    expect(new Set(replies.map(({ whole }) => whole)).size).toBe(1);
    expect((await ask(op, pathOf(op, "open"), keys.stranger)).status).toBe(200);
  },
);

/** The owner's keys with a scope. Its private dataset is read by one of them alone. */
const scoped = async (scope: Parameters<typeof scopeOf>[0]): Promise<string> => {
  const made = await createUseKey({ email: "owner@example.com", name: "scoped", scope }, new Date());
  return made.key;
};
const asked = async (op: RoutedOperation, slug: string, key: string) =>
  op.http.path.includes("{slug}")
    ? await ask(op, pathOf(op, slug), key)
    : await ask(op, tablePath(op, tables[slug] ?? ""), key);

test.each([...ofTables, ...ofDatasets].filter(takesKeys))(
  "$name with a key limited to a dataset: 403 for other public ones, not_found for its workspace's others",
  async (op) => {
    const [open, own] = [await scoped({ datasets: ["open"] }), await scoped({ datasets: ["private"] })];
    expect((await asked(op, "open", open)).status).toBe(200);
    expect((await asked(op, "private", open)).whole).toBe((await asked(op, "withdrawn", open)).whole);
    const rejected = await asked(op, "open", own);
    expect([rejected.status, rejected.whole]).toEqual([403, expect.stringContaining("insufficient_scope")]);
    expect(rejected.whole).toContain("limited to other datasets");
  },
);

test.each([...ofTables, ...ofDatasets].filter(takesKeys))(
  "$name with a key that may only read, or only download",
  async (op) => {
    for (const [permission, other] of [
      ["read", "download"],
      ["download", "read"],
    ] as const) {
      const { status, whole } = await asked(op, "open", await scoped({ permissions: [permission] }));
      const isRejected = ACCESS_NEEDS[op.name] === other;
      expect([op.name, permission, status]).toEqual([op.name, permission, isRejected ? 403 : 200]);
      if (isRejected) expect(whole).toContain("insufficient_scope");
    }
  },
);

test("a limited key finds its own private datasets only, and looks nothing up in others", async () => {
  const [open, own] = [await scoped({ datasets: ["open"] }), await scoped({ datasets: ["private", "open"] })];
  const found = async (key: string) => {
    const { whole } = await ask(routed("search_datasets"), {}, key);
    return ["open", "private"].filter((slug) => whole.includes(`\\"slug\\":\\"${slug}\\"`));
  };
  expect([await found(open), await found(own)]).toEqual([["open"], ["open", "private"]]);
  const facets = async (key: string) =>
    (await ask(routed("get_facets"), {}, key)).whole.match(/\\"total\\":(\d+)/)?.[1];
  expect(Number(await facets(own)) - Number(await facets(open))).toBe(1);
  const lookups = [{ table_id: tables.private, on: { id: "id" }, columns: ["id"], as: "p" }];
  const body = JSON.stringify({ columns: ["id"], lookups });
  const looked = async (key: string) =>
    (await ask(routed("query_table"), { table_id: tables.open ?? "" }, key, body)).status;
  expect(await looked(open)).toBe(404);
  expect(await looked(own)).not.toBe(404); // its table has no key to be looked up by
});

test("a scope names datasets that the workspace may read; a key keeps it when its dataset is gone", async () => {
  await expect(scoped({ datasets: ["open", "operators", "no-such"] })).rejects.toMatchObject({
    code: "invalid_value",
    faults: [{ pointer: "/datasets/1" }, { pointer: "/datasets/2" }],
  });
  await publish("gone");
  const key = await scoped({ datasets: ["gone"] });
  const { pool } = await database();
  const [{ id } = { id: "" }] = (await pool.query<{ id: string }>(`SELECT id FROM "Dataset" WHERE slug = 'gone'`)).rows;
  await pool.query(`UPDATE "Dataset" SET visibility = 'withdrawn' WHERE id = $1`, [id]);
  expect((await ask(routed("query_table"), { table_id: tables.open ?? "" }, key)).status).toBe(403);
});

test("a private table or dataset is located only for its workspace, a withdrawn one for nobody", async () => {
  const stranger = { workspaceId: "00000000-0000-4000-8000-000000000001" };
  const member = { workspaceId };
  expect((await locateTable(tables.private ?? "", member)).datasetSlug).toBe("private");
  expect((await locateDataset("private", member)).tables).toHaveLength(1);
  for (const [slug, reader] of [
    ["private", stranger],
    ["private", undefined],
    ["withdrawn", member],
    ["operators", member],
    ["operators", undefined],
  ] as const) {
    await expect(locateTable(tables[slug] ?? "", reader)).rejects.toMatchObject({ code: "not_found" });
    await expect(locateDataset(slug, reader)).rejects.toMatchObject({ code: "not_found" });
  }
});
