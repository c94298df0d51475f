import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createUseKey } from "@/lib/access/use-keys";
import { newKey } from "@/lib/auth/access-key";
import { ADDRESS_HEADER, listenerMark, MARK_HEADER } from "@/lib/http/listener-mark";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { answerConnector } from "./connector";
import { TOOLBOX } from "./tools";

useTestState({ LIMIT_CATALOGUE_MINUTE: "10", LIMIT_ADDRESS_MINUTE: "3" });
beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"] })); // no minute ends in the meantime
afterAll(() => void vi.useRealTimers());

const ping = (id: number) => ({ jsonrpc: "2.0", id, method: "ping" });
const call = (name: string) => ({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: {} } });

/** The statuses of so many requests from one address. */
async function statuses(
  address: string,
  count: number,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<number[]> {
  const found: number[] = [];
  for (let at = 0; at < count; at++) {
    const sent = {
      "content-type": "application/json",
      [MARK_HEADER]: listenerMark(),
      [ADDRESS_HEADER]: address,
      ...headers,
    };
    const request = new Request("http://localhost/api/mcp", {
      method: "POST",
      headers: sent,
      body: JSON.stringify(body),
    });
    found.push((await answerConnector(request, "/api/mcp")).status);
  }
  return found;
}

test("each message of a batch is a metadata request of its address, so batches gain nothing", async () => {
  const list = Array.from({ length: 5 }, (_, at) => ping(at));
  expect(await statuses("192.0.2.1", 3, list)).toEqual([200, 200, 429]);
  expect(await statuses("192.0.2.2", 11, ping(1))).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
});

test("a rejected call, or one of an unknown tool, is also a metadata request, however it is rejected", async () => {
  const ten = (status: number) => Array.from({ length: 10 }, () => status);
  expect(await statuses("192.0.2.3", 11, call("query_table"))).toEqual([...ten(401), 429]);
  expect(await statuses("192.0.2.4", 11, call("query_table"), { "user-agent": "openai-mcp/1.0.0" })).toEqual([
    ...ten(200),
    429,
  ]);
  expect(await statuses("192.0.2.5", 11, call("nothing"))).toEqual([...ten(200), 429]);
});

test("an invalid message is a metadata request too", async () => {
  expect((await statuses("192.0.2.7", 11, { jsonrpc: "1.0" })).slice(-2)).toEqual([400, 429]);
  expect((await statuses("192.0.2.8", 11, ping(1), { "content-type": "text/plain" })).slice(-2)).toEqual([415, 429]);
});

test("a call that runs counts only as what its tool takes: a query, or a metadata request", async () => {
  expect(await statuses("192.0.2.6", 12, call("compare_versions"))).toEqual(Array.from({ length: 12 }, () => 200));
  const ten = Array.from({ length: 10 }, () => 200);
  expect(await statuses("192.0.2.11", 11, call("get_table_schema"))).toEqual([...ten, 429]);
});

test("only tools that read rows take queries: looking things up never uses them up", () => {
  const querying = TOOLBOX.all.filter(({ takes }) => takes === "query").map(({ name }) => name);
  expect(querying).toEqual(["compare_versions", "query_table", "query_run"]);
});

test("each credential has its own quota of messages: two keys at one address do not block each other", async () => {
  const keys = await Promise.all(
    ["one", "two"].map((name) => createUseKey({ email: `${name}@example.com`, name }, new Date())),
  );
  for (const { key } of keys) {
    const found = await statuses("192.0.2.9", 11, ping(1), { authorization: `Bearer ${key}` });
    expect(found).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
  }
  expect(await statuses("192.0.2.9", 1, ping(1))).toEqual([200]);
});

test("no credential is looked up for an address without quota", async () => {
  await statuses("192.0.2.10", 10, ping(1));
  const { pool } = await database();
  const asked = vi.spyOn(pool, "query");
  expect(await statuses("192.0.2.10", 1, ping(1), { authorization: `Bearer ${newKey("use")}` })).toEqual([429]);
  expect(asked).not.toHaveBeenCalled();
  asked.mockRestore();
});
