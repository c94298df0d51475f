import { afterAll, beforeAll, expect, test } from "vitest";
import { createUseKey } from "@/lib/access/use-keys";
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
): Promise<{ status: number; whole: string }> {
  const headers = { "x-api-key": key, ...(schemasOf(op).body && { "content-type": "application/json" }) };
  const compared = /compare_versions|difference/.test(op.name) ? `?from=${openVersion}&to=${openVersion}` : "";
  const query = op.name === "query_changes" ? `?since=${openVersion}` : compared;
  const request = new Request(`http://localhost/${query}`, {
    method: op.http.method,
    headers,
    ...(schemasOf(op).body && { body: '{"columns":["id"]}' }),
  });
  const handler = serve({ [op.http.method]: op })[op.http.method];
  const reply = await handler(request, { params: Promise.resolve(params) });
  const shown = [...reply.headers].filter(([name]) => !/^(x-request-id|ratelimit)$/.test(name));
  const body = Buffer.from(await reply.arrayBuffer()).toString("latin1");
  return {
    status: reply.status,
    whole: JSON.stringify([reply.status, shown, body.replaceAll(reply.headers.get("x-request-id") ?? "-", "")]),
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

test("a private table or dataset is located only for its workspace, a withdrawn one for nobody", async () => {
  const stranger = "00000000-0000-4000-8000-000000000001";
  expect((await locateTable(tables.private ?? "", workspaceId)).datasetSlug).toBe("private");
  expect((await locateDataset("private", workspaceId)).tables).toHaveLength(1);
  for (const [slug, reader] of [
    ["private", stranger],
    ["private", undefined],
    ["withdrawn", workspaceId],
    ["operators", workspaceId],
    ["operators", undefined],
  ] as const) {
    await expect(locateTable(tables[slug] ?? "", reader)).rejects.toMatchObject({ code: "not_found" });
    await expect(locateDataset(slug, reader)).rejects.toMatchObject({ code: "not_found" });
  }
});
