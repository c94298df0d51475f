import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createUseKey } from "@/lib/access/use-keys";
import { forgetProcessWide } from "@/lib/kernel/process-wide";
import { downloadCurrent } from "@/lib/operations/download-current";
import { getSchema } from "@/lib/operations/get-schema";
import { queryTable, queryTableAnonymously } from "@/lib/operations/query-table";
import { closeReadingEngine } from "@/lib/operations/reading/reading-engine";
import { searchDatasets } from "@/lib/operations/search-datasets";
import { useTestState } from "@/lib/testing/database";
import { publishText } from "@/lib/testing/publish-text";
import { serve } from "@/lib/testing/serve";
import { documentEndpoint } from "./document-endpoint";
import { unknownPath } from "./endpoint";
import { ADDRESS_HEADER, listenerMark, MARK_HEADER } from "./listener-mark";
import { nextHandlers } from "./next-handlers";

useTestState({ LIMIT_KEY_MINUTE: "60", LIMIT_CATALOGUE_MINUTE: "300", LIMIT_DOWNLOAD_MINUTE: "50" });

const ROUTES = {
  query: serve({ POST: queryTable }),
  anonymous: serve({ POST: queryTableAnonymously }),
  current: serve({ GET: downloadCurrent }),
  schema: serve({ GET: getSchema }),
  datasets: serve({ GET: searchDatasets }),
  document: nextHandlers(documentEndpoint("application/json", () => "{}")),
  unknown: { GET: unknownPath, POST: unknownPath },
};
let tableId = "";
let key = "";
let etag = "";

beforeAll(async () => {
  ({ table_id: tableId } = await publishText("rows", "id\n1\n"));
  ({ key } = await createUseKey({ email: "reader@example.com", name: "reader" }, new Date()));
  etag = (await ask("current", "GET")).headers.get("etag") ?? "";
});

beforeEach(() => forgetProcessWide("minute-counts"));
afterEach(() => vi.useRealTimers());

afterAll(async () => {
  await closeReadingEngine();
});

interface Asked {
  id?: string;
  key?: string;
  headers?: Record<string, string>;
  body?: string;
  search?: string;
}

async function ask(
  route: keyof typeof ROUTES,
  method: "GET" | "POST" | "HEAD" | "DELETE",
  asked: Asked = {},
): Promise<Response> {
  const {
    id = tableId,
    key: sent = key,
    headers = {},
    search = "",
    body = method === "POST" ? '{"columns":["id"]}' : null,
  } = asked;
  const marks = { [MARK_HEADER]: listenerMark(), [ADDRESS_HEADER]: "203.0.113.8" };
  const type = method === "POST" ? { "content-type": "application/json" } : {};
  const request = new Request(`http://localhost/x${search}`, {
    method,
    body,
    headers: { ...marks, ...type, ...(sent && { "x-api-key": sent }), ...headers },
  });
  const handlers = ROUTES[route] as Record<
    string,
    (request: Request, route: { params: Promise<Record<string, string>> }) => Promise<Response>
  >;
  return (handlers[method] as (typeof handlers)[string])(request, {
    params: Promise.resolve(id ? { table_id: id } : {}),
  });
}

const LIGHT = '"minute";q=300;w=60';
const QUERY = '"minute";q=60;w=60, "day";q=5000;w=86400';
const UNKEYED = '"minute";q=30;w=60, "day";q=600;w=86400';
const DOWNLOAD = '"minute";q=50;w=60, "day";q=2000;w=86400';
const NOBODY = "00000000-0000-4000-8000-000000000000";
const range = { range: "bytes=0-3" };

describe("every reply has the remaining quota in its headers", () => {
  test.each<[status: number, policy: string, ...request: Parameters<typeof ask>]>([
    [200, QUERY, "query", "POST"],
    [400, QUERY, "query", "POST", { body: "{" }],
    [400, QUERY, "query", "POST", { body: '{"columns":["none"]}' }],
    [413, QUERY, "query", "POST", { body: `"${"x".repeat(65_536)}"` }],
    [415, QUERY, "query", "POST", { headers: { "content-type": "text/plain" } }],
    [406, QUERY, "query", "POST", { headers: { accept: "image/png" } }],
    [404, QUERY, "query", "POST", { id: NOBODY }],
    [401, LIGHT, "query", "POST", { key: "" }],
    [401, LIGHT, "query", "POST", { key: "svc_use_guess" }],
    [405, LIGHT, "query", "GET"],
    [405, LIGHT, "query", "HEAD"],
    [200, UNKEYED, "anonymous", "POST"],
    [404, UNKEYED, "anonymous", "POST", { id: NOBODY }],
    [200, DOWNLOAD, "current", "GET"],
    [404, DOWNLOAD, "current", "GET", { id: NOBODY }],
    [400, DOWNLOAD, "current", "GET", { search: `?version_id=${"1".repeat(65)}` }],
    [206, LIGHT, "current", "GET", { headers: range }],
    [416, LIGHT, "current", "GET", { headers: { range: "bytes=99999999-" } }],
    [200, LIGHT, "current", "HEAD"],
    [401, LIGHT, "current", "GET", { key: "" }],
    [200, LIGHT, "schema", "GET"],
    [200, LIGHT, "schema", "HEAD"],
    [404, LIGHT, "schema", "GET", { id: NOBODY }],
    [405, LIGHT, "schema", "DELETE"],
    [200, LIGHT, "datasets", "GET", { id: "" }],
    [400, LIGHT, "datasets", "GET", { id: "", search: "?limit=101" }],
    [200, LIGHT, "document", "GET"],
    [405, LIGHT, "document", "POST"],
    [404, LIGHT, "unknown", "GET"],
    [404, LIGHT, "unknown", "POST"],
  ])("%i: %s (%s %s %j)", async (status, policy, ...request) => {
    const reply = await ask(...request);
    expect([reply.status, reply.headers.get("ratelimit-policy")]).toEqual([status, policy]);
    expect(reply.headers.get("ratelimit")).toMatch(/^"minute";r=\d+;t=\d+/);
  });

  test("304s count as metadata requests, including those of unchanged downloads", async () => {
    const schema = await ask("schema", "GET");
    for (const [route, tag] of [["current", etag] as const, ["schema", schema.headers.get("etag") ?? ""] as const]) {
      const reply = await ask(route, "GET", { headers: { "if-none-match": tag } });
      expect([reply.status, reply.headers.get("ratelimit-policy")]).toEqual([304, LIGHT]);
    }
  });

  test("a download sent whole counts as a download, even if it was requested with a tag or range", async () => {
    for (const headers of [{ "if-none-match": '"other"' }, { ...range, "if-range": '"other"' }]) {
      const reply = await ask("current", "GET", { headers });
      expect([reply.status, reply.headers.get("ratelimit-policy")]).toEqual([200, DOWNLOAD]);
    }
  });
});

test("unknown paths, unknown tables and rejected methods count as metadata requests", async () => {
  vi.useFakeTimers({ toFake: ["Date"] }); // all within one minute
  const statuses: number[] = [];
  for (let i = 0; i < 100; i += 1) {
    statuses.push(
      (await ask("unknown", "GET")).status,
      (await ask("schema", "GET", { id: NOBODY })).status,
      (await ask("schema", "DELETE")).status,
    );
  }
  expect(new Set(statuses)).toEqual(new Set([404, 405]));
  for (const route of ["unknown", "schema", "document"] as const) {
    const rejected = await ask(route, "GET");
    expect([rejected.status, rejected.headers.get("ratelimit")?.slice(0, 13)]).toEqual([429, '"minute";r=0;']);
    expect(Number(rejected.headers.get("retry-after"))).toBeGreaterThan(0);
  }
  expect((await ask("schema", "DELETE")).status).toBe(405);
});
