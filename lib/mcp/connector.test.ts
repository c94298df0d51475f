import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createUseKey } from "@/lib/access/use-keys";
import { closeReadingEngine } from "@/lib/operations/reading/reading-engine";
import { publishTable } from "@/lib/publish/publish";
import { serveConnector } from "@/lib/testing/connector-server";
import { useTestState } from "@/lib/testing/database";
import { HANDSHAKE_VERSIONS } from "./protocol-versions";
import { LISTED_TOOLS, TOOLS } from "./tools";

const ROOMY = { LIMIT_KEY_MINUTE: "100000", LIMIT_KEY_DAY: "100000" };
useTestState(ROOMY);

const folder = mkdtempSync(join(tmpdir(), "parquetry-connector-"));
let service: Awaited<ReturnType<typeof serveConnector>>;
let key = "";
let tableId = "";

beforeAll(async () => {
  service = await serveConnector();
  key = (await createUseKey({ email: "agent@example.com", name: "agent" }, new Date())).key;
  const file = join(folder, "rows.csv");
  writeFileSync(
    file,
    `id,big,price,name\n${Array.from({ length: 300 }, (_, at) => `${at},${9_007_199_254_740_993n + BigInt(at)},${at}.10,row ${at}`).join("\n")}\n`,
  );
  const dataset = {
    slug: "gauges",
    title: "River gauges",
    summary: "Levels.",
    description: "",
    publisher: { name: "Agency" },
    license: "CC0-1.0",
    topics: ["water"],
  };
  const columns = [{ name: "price", type: "decimal(9,2)" }];
  tableId = (
    await publishTable({ file, dataset, table: { slug: "rows", name: "Rows" }, columns }, { now: () => new Date() })
  ).table_id;
});

afterAll(async () => {
  await service.close();
  await closeReadingEngine();
  rmSync(folder, { recursive: true, force: true });
});

const signed = () => ({ requestInit: { headers: { authorization: `Bearer ${key}` } } });

/** Arguments with which every tool that a use key may call succeeds. */
const callsOf = (): Record<string, Record<string, unknown>> => ({
  search: { query: "river" },
  fetch: { id: "gauges" },
  search_datasets: { q: "river" },
  get_dataset: { slug: "gauges" },
  list_tables: { slug: "gauges" },
  get_table_schema: { table_id: tableId },
  sample_rows: { table_id: tableId },
  get_download_instructions: { table_id: tableId },
  get_access_instructions: {},
  query_table: { table_id: tableId, columns: ["id", "price"] },
  catalog_search: { query: "river" },
  list_connected_datasets: {},
});

describe("real clients", () => {
  for (const version of HANDSHAKE_VERSIONS) {
    test(
      `the 1.x client at ${version} connects, lists and calls every tool; the client checks each result against ` +
        "its output schema",
      async () => {
        const transport = new OldTransport(service.url, { ...signed(), fetch: atVersion(version) });
        const client = new OldClient({ name: "test", version: "1" });
        await client.connect(transport as never);
        const { tools } = await client.listTools();
        expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name));
        for (const [name, args] of Object.entries(callsOf())) {
          if (!tools.some((tool) => tool.name === name)) continue;
          const result = await client.callTool({ name, arguments: args });
          expect([name, result.isError ?? false, result.content]).toEqual([name, false, expect.anything()]);
        }
        await client.close();
      },
    );

    test(`the 2.x client at ${version} does too`, async () => {
      const transport = new NewTransport(service.url, { ...signed(), fetch: atVersion(version) });
      const client = new NewClient({ name: "test", version: "1" });
      await client.connect(transport);
      expect((await client.listTools()).tools).toHaveLength(TOOLS.length);
      for (const [name, args] of Object.entries(callsOf())) {
        if (!TOOLS.some((tool) => tool.name === name)) continue;
        expect([name, (await client.callTool({ name, arguments: args })).isError ?? false]).toEqual([name, false]);
      }
      await client.close();
    });
  }
});

/**
 * Clients ask for their newest version: the handshake is rewritten on its way, and the version that came back is
 * checked.
 */
function atVersion(version: string): typeof fetch {
  return async (input, init) => {
    const body =
      typeof init?.body === "string" && init.body.includes('"initialize"')
        ? init.body.replace(/"protocolVersion":"[^"]+"/, `"protocolVersion":"${version}"`)
        : init?.body;
    const reply = await fetch(input as string, { ...init, ...(body != null && { body }) });
    if (typeof body === "string" && body.includes('"initialize"'))
      expect((await reply.clone().json()).result.protocolVersion).toBe(version);
    return reply;
  };
}

test("the list of tools stays under 6,000 tokens, and each description under 250", () => {
  expect(encode(JSON.stringify({ tools: LISTED_TOOLS })).length).toBeLessThan(6000);
  for (const { name, description } of LISTED_TOOLS)
    expect([name, encode(description ?? "").length < 250]).toEqual([name, true]);
});

/** One message as any program would post it. */
async function post(message: unknown, headers: Record<string, string> = {}, method = "POST"): Promise<Answer> {
  const body = method === "POST" ? { body: typeof message === "string" ? message : JSON.stringify(message) } : {};
  const reply = await fetch(service.url, {
    method,
    headers: { "content-type": "application/json", ...headers },
    ...body,
  });
  const text = await reply.text();
  return { status: reply.status, headers: reply.headers, text, json: text ? JSON.parse(text) : undefined };
}

interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: replies are looked into, and each test says what it expects there.
  json: any;
}

const call = (name: string, args: unknown = {}, id: unknown = 1) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: args },
});
const bearer = () => ({ authorization: `Bearer ${key}` });

describe("who may call what", () => {
  const OPEN = ["search", "fetch", "search_datasets", "get_dataset", "list_tables", "get_table_schema", "sample_rows"];
  const INSTRUCTIONS = ["get_download_instructions", "get_access_instructions"];

  test.each([...OPEN, ...INSTRUCTIONS])("%s answers without any credential", async (name) => {
    const { status, json } = await post(call(name, callsOf()[name]));
    expect([status, json.result.isError ?? false]).toEqual([200, false]);
  });

  test.each(["query_table", "list_connected_datasets", "connect_dataset"])(
    "%s without a credential is a 401 that says where to sign in",
    async (name) => {
      const { status, headers, json } = await post(call(name, callsOf()[name]));
      expect(status).toBe(401);
      expect(headers.get("www-authenticate")).toMatch(
        /^Bearer resource_metadata="http[^"]+\/\.well-known\/oauth-protected-resource\/api\/mcp", scope="datasets:read"$/,
      );
      expect(json.error.data).toMatchObject({
        schema_version: "service-error.v1",
        error: "key_missing",
        request_id: headers.get("x-request-id"),
      });
    },
  );

  test("ChatGPT is told in the result instead, and nothing ran", async () => {
    const { status, json } = await post(call("query_table", callsOf().query_table), {
      "user-agent": "openai-mcp/1.0.0",
    });
    expect([status, json.result.isError, json.result.structuredContent]).toEqual([200, true, undefined]);
    expect(json.result._meta["mcp/www_authenticate"][0]).toMatch(
      /^Bearer resource_metadata=.*error="invalid_token".*error_description="/,
    );
    expect(json.result._meta["mcp/www_authenticate"][0]).toMatch(/^[\x20-\x7e]+$/);
  });

  test("a use key cannot connect a dataset, and is told what to do instead", async () => {
    const { status, json } = await post(call("connect_dataset", { slug: "gauges" }), bearer());
    expect([status, json.result.isError]).toEqual([200, true]);
    expect(json.result.content[0].text).toMatch(/^key_wrong_type: .*OAuth connection[\s\S]*Next: /);
  });

  test.each(["Bearer svc_use_nonsense", "Bearer x", "Basic YTpi", `Bearer svc_live_${"a".repeat(46)}`])(
    "a credential that does not hold (%s) is a 401 on every tool",
    async (authorization) => {
      const { status, headers } = await post(call("search", { query: "river" }), { authorization });
      expect(status).toBe(401);
      expect(headers.get("www-authenticate")).toContain('error="invalid_token"');
    },
  );

  test("a cookie and x-api-key open nothing", async () => {
    const { status } = await post(call("query_table", callsOf().query_table), {
      cookie: "next-auth.session-token=x",
      "x-api-key": key,
    });
    expect(status).toBe(401);
  });
});

describe("the transport", () => {
  test.each(["http://evil.example", "null", "https://127.0.0.1"])(
    "a page of %s is refused, and learns nothing",
    async (origin) => {
      const { status, headers, json } = await post(call("search", { query: "river" }), { origin });
      expect([status, json.error.data.error, headers.get("access-control-allow-origin")]).toEqual([
        403,
        "forbidden_origin",
        null,
      ]);
    },
  );

  test("the service's own pages may call, and are told what they may send and read", async () => {
    const origin = "http://localhost:3000";
    const preflight = await post(undefined, { origin }, "OPTIONS");
    expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([204, origin]);
    expect(preflight.headers.get("access-control-allow-headers")).toContain("MCP-Protocol-Version");
    expect(
      (await post(call("search", { query: "river" }), { origin })).headers.get("access-control-expose-headers"),
    ).toContain("WWW-Authenticate");
  });

  test.each(["GET", "HEAD", "DELETE", "PUT"])("%s is no way in", async (method) => {
    const { status, headers } = await post(undefined, { accept: "text/event-stream" }, method);
    expect([status, headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
  });

  test.each(["*/*", "application/json", ""])(
    "any Accept (%j) is answered with plain JSON and no session",
    async (accept) => {
      const { status, headers } = await post(call("search", { query: "river" }), { accept });
      expect([status, headers.get("mcp-session-id"), headers.get("cache-control")]).toEqual([200, null, "no-store"]);
      expect(headers.get("content-type")).toMatch(/^application\/json/);
    },
  );

  test("what is no JSON, too long, or no message is refused with the code that JSON-RPC has for it", async () => {
    expect((await post("{")).json.error.code).toBe(-32_700);
    expect((await post('{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}')).json.error.code).toBe(-32_700);
    expect((await post("[]")).json.error.code).toBe(-32_600);
    expect((await post(JSON.stringify(call("search", { query: "x".repeat(70_000) })))).status).toBe(413);
    expect((await post("{}", { "content-type": "text/plain" })).status).toBe(415);
    expect((await post(call("no_such_tool"))).json.error.code).toBe(-32_602);
  });

  test(
    "a version without a handshake is served too: discovered, listed and called, with securitySchemes at the top " +
      "level",
    async () => {
      const meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { name: "t", version: "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
      };
      const direct = (method: string, params: object = {}, name?: string) =>
        post(
          { jsonrpc: "2.0", id: 7, method, params: { ...params, _meta: meta } },
          { "mcp-protocol-version": "2026-07-28", "mcp-method": method, ...(name && { "mcp-name": name }) },
        );
      expect((await direct("server/discover")).json.result.supportedVersions).toEqual(["2026-07-28"]);
      const { tools } = (await direct("tools/list")).json.result;
      expect(tools[0].securitySchemes[0]).toEqual({ type: "noauth" });
      expect(
        (await direct("tools/call", { name: "search", arguments: { query: "river" } }, "search")).json.result
          .structuredContent.results[0].id,
      ).toBe("gauges");
      expect((await direct("tools/call", { name: "query_table", arguments: {} }, "query_table")).status).toBe(401);
      expect(
        (await direct("subscriptions/listen", { notifications: { toolsListChanged: true } })).json.error,
      ).toBeDefined();
    },
  );
});

describe("results", () => {
  test("rows say PARTIAL or COMPLETE, carry the cursor, and are cited", async () => {
    const args = { table_id: tableId, columns: ["id", "big"] };
    const first = (await post(call("query_table", args), bearer())).json.result;
    expect(first.content[0].text).toMatch(
      /^PARTIAL: 50 of 300 rows, next_cursor below\nid \(int\d+\) \| big \(int64\)\n\[0,9007199254740993\]\n[\s\S]*\nnext_cursor: \S+\nCite: gauges, table Rows, version [0-9a-f-]{36}, sha256:[0-9a-f]{64}, queried /,
    );
    expect(first.structuredContent).toMatchObject({
      returned_rows: 50,
      truncated: true,
      citation: { dataset: "gauges", table: "Rows" },
    });
    const rest = (
      await post(call("query_table", { ...args, cursor: first.structuredContent.next_cursor, limit: 250 }), bearer())
    ).json.result;
    expect(rest.content[0].text).toMatch(/^COMPLETE: 250 rows on this last page\n/);
    const count = (
      await post(
        call("query_table", { table_id: tableId, columns: [], aggregates: [{ function: "count", as: "n" }] }),
        bearer(),
      )
    ).json.result;
    expect(count.content[0].text).toMatch(/^COMPLETE: 1 group\nn \(int64\)\n\[300\]\n/);
  });

  test("every digit of a wide number survives, in filters and in values", async () => {
    const filter = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"query_table","arguments":{"table_id":"${tableId}","columns":["big","price"],"filters":[{"column":"big","operator":"eq","value":9007199254740995}]}}}`;
    const { text } = await post(filter, bearer());
    expect(text).toContain('"rows":[{"big":9007199254740995,"price":2.10}]');
  });

  test("a bad query tells every fault, what was meant and what to call next", async () => {
    const { json } = await post(
      call("query_table", {
        table_id: tableId,
        columns: ["nam"],
        filters: [{ column: "id", operator: "like", value: 1 }],
      }),
      bearer(),
    );
    expect(json.result.isError).toBe(true);
    expect(json.result.content[0].text).toMatch(
      /- \/columns\/0: [\s\S]*Did you mean "name"\?[\s\S]*- \/filters\/0\/operator: [\s\S]*Next: /,
    );
    const unknown = (await post(call("search", { query: "x", verbose: true }))).json.result;
    expect(unknown.content[0].text).toMatch(/- \/verbose: Unknown key verbose\. Allowed: query/);
    const misspelled = (await post(call("search", { qury: "x" }))).json.result;
    expect(misspelled.content[0].text).toMatch(/- \/qury: Unknown key qury\. Did you mean "query"\? Allowed: query/);
    expect((await post(call("get_dataset", { slug: "nowhere" }))).json.result.content[0].text).toMatch(
      /^not_found: [\s\S]*Next: .*search/,
    );
  });

  test("calls count as queries of their caller, and one too many says how long to wait", async () => {
    const other = (await createUseKey({ email: "busy@example.com", name: "busy" }, new Date())).key;
    const reply = await post(call("search", { query: "river" }), { authorization: `Bearer ${other}` });
    expect(reply.headers.get("ratelimit")).toMatch(/^"minute";r=\d+/);
  });

  test("a default reply stays under 10,000 tokens", async () => {
    for (const [name, args] of Object.entries(callsOf())) {
      if (!TOOLS.some((tool) => tool.name === name)) continue;
      const { text } = await post(call(name, args), bearer());
      expect([name, encode(text).length < 10_000]).toEqual([name, true]);
    }
  });

  test("the guide to building says that it is not available yet", async () => {
    const { json } = await post({
      jsonrpc: "2.0",
      id: 1,
      method: "resources/read",
      params: { uri: "parquetry://build-guide" },
    });
    expect(json.result.contents[0].text).toContain("Not available yet");
  });
});
