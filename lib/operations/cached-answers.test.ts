import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createUseKey, revokeUseKey } from "@/lib/access/use-keys";
import { queryTable, queryTableAnonymously } from "@/lib/operations/query-table";
import { closeReadingEngine } from "@/lib/operations/reading/reading-engine";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { publishText } from "@/lib/testing/publish-text";
import { serve } from "@/lib/testing/serve";

useTestState({ LIMIT_KEY_MINUTE: "5" });
beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"] })); // no minute ends in the meantime
afterAll(() => void vi.useRealTimers());

const ROUTES = { keyed: serve({ POST: queryTable }), anonymous: serve({ POST: queryTableAnonymously }) };
let tableId = "";
let made: { id: string; key: string };

beforeAll(async () => {
  ({ table_id: tableId } = await publishText("kept", "id\n1\n2\n"));
});
beforeEach(async () => {
  made = await createUseKey({ email: "reader@example.com", name: "reader" }, new Date());
});
afterAll(() => closeReadingEngine());

const change = async (sql: string) => void (await (await database()).pool.query(sql));

async function ask(body: string, route: keyof typeof ROUTES = "keyed") {
  const request = new Request("http://localhost/", {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": made.key },
    body,
  });
  const reply = await ROUTES[route].POST(request, { params: Promise.resolve({ table_id: tableId }) });
  const isKept = reply.headers.get("server-timing") === "cache;desc=hit";
  return { status: reply.status, isKept, headers: reply.headers, body: await reply.json() };
}

/** Without what differs between requests. */
const shared = ({
  query_id: _,
  execution: { elapsed_ms: __, ...execution },
  ...body
}: Awaited<ReturnType<typeof ask>>["body"]) => ({ ...body, execution });

test("an answer from memory differs only in query_id and time, and counts like any other", async () => {
  const first = await ask('{"columns":["id"],"limit":1,"order_by":[{"column":"id","direction":"desc"}]}');
  const again = await ask('{"order_by":[{"direction":"desc","column":"id"}],"limit":1.0,"columns":["id"]}');
  expect([first.isKept, again.isKept]).toEqual([false, true]);
  expect(shared(again.body)).toEqual(shared(first.body));
  expect(again.body.query_id).not.toBe(first.body.query_id);
  expect(again.headers.get("ratelimit")).toMatch(/r=3;/);
});

test("a used-up minute rejects what is in memory, and so does a revoked key", async () => {
  const body = '{"columns":["id"],"limit":2}';
  const statuses = [];
  for (let at = 0; at < 7; at += 1) statuses.push((await ask(body)).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
  made = await createUseKey({ email: "reader@example.com", name: "other" }, new Date());
  expect((await ask(body)).isKept).toBe(true);
  await revokeUseKey(made.id);
  expect([(await ask(body)).body.error]).toEqual(["key_revoked"]);
});

test("what is withdrawn or private is rejected although its rows are in memory", async () => {
  const body = '{"columns":["id"],"limit":3}';
  await ask(body, "anonymous");
  expect((await ask(body, "anonymous")).isKept).toBe(true);
  for (const visibility of ["private", "withdrawn"]) {
    await change(`UPDATE "Dataset" SET visibility = '${visibility}'`);
    expect((await ask(body, "anonymous")).body.error).toBe("not_found");
  }
  await change(`UPDATE "Dataset" SET visibility = 'public'`);
  await change(`UPDATE "Version" SET "withdrawnAt" = now()`);
  expect((await ask(body, "anonymous")).status).toBe(404);
});
