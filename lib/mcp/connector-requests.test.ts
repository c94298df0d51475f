import { describe, expect, test } from "vitest";
import { call, useGauges } from "@/lib/testing/gauges-connector";

const gauges = useGauges();
const { post, bearer, callsOf } = gauges;

describe("who may call what", () => {
  const OPEN = ["search", "fetch", "search_datasets", "get_dataset", "list_tables", "get_table_schema", "sample_rows"];
  const INSTRUCTIONS = ["get_download_instructions", "get_access_instructions"];

  test.each([...OPEN, ...INSTRUCTIONS])("%s works without any credential", async (name) => {
    const { status, json } = await post(call(name, callsOf()[name]));
    expect([status, json.result.isError ?? false]).toEqual([200, false]);
  });

  test("a download is described with the changes since a version that the reader has", async () => {
    const { json } = await post(call("get_download_instructions", { table_id: "gauges", since: "1" }));
    const { content, structuredContent } = json.result;
    const { changes } = structuredContent;
    expect(changes).toMatch(/\/changes\?since=[-0-9a-f]{36}&until=[-0-9a-f]{36}' # or: parquetry sync gauges\/rows /);
    expect(content[0].text).toContain(changes);
    const unknown = await post(call("get_download_instructions", { table_id: "gauges", since: "9" }));
    expect([unknown.json.result.isError, unknown.text]).toEqual([true, expect.stringContaining("Unknown version: 9")]);
  });

  test.each(["query_table", "list_connected_datasets", "connect_dataset"])(
    "%s without a credential is a 401 that names the sign-in",
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

  test("for ChatGPT the challenge is in the result, and nothing ran", async () => {
    const { status, json } = await post(call("query_table", callsOf().query_table), {
      "user-agent": "openai-mcp/1.0.0",
    });
    expect([status, json.result.isError, json.result.structuredContent]).toEqual([200, true, undefined]);
    expect(json.result._meta["mcp/www_authenticate"][0]).toMatch(
      /^Bearer resource_metadata=.*error="invalid_token".*error_description="/,
    );
    expect(json.result._meta["mcp/www_authenticate"][0]).toMatch(/^[\x20-\x7e]+$/);
  });

  test("a use key cannot connect a dataset, and the error says what to do instead", async () => {
    const { status, json } = await post(call("connect_dataset", { slug: "gauges" }), bearer());
    expect([status, json.result.isError]).toEqual([200, true]);
    expect(json.result.content[0].text).toMatch(/^key_wrong_type: .*OAuth connection[\s\S]*Next: /);
  });

  test.each(["Bearer svc_use_nonsense", "Bearer x", "Basic YTpi", `Bearer svc_live_${"a".repeat(46)}`])(
    "an invalid credential (%s) is a 401 on every tool",
    async (authorization) => {
      const { status, headers } = await post(call("search", { query: "river" }), { authorization });
      expect(status).toBe(401);
      expect(headers.get("www-authenticate")).toContain('error="invalid_token"');
    },
  );

  test("cookies and x-api-key are not accepted", async () => {
    const { status } = await post(call("query_table", callsOf().query_table), {
      cookie: "next-auth.session-token=x",
      "x-api-key": gauges.key,
    });
    expect(status).toBe(401);
  });
});

describe("the transport", () => {
  test.each(["http://evil.example", "null", "https://127.0.0.1"])(
    "a page of %s is rejected, without details",
    async (origin) => {
      const { status, headers, json } = await post(call("search", { query: "river" }), { origin });
      expect([status, json.error.data.error, headers.get("access-control-allow-origin")]).toEqual([
        403,
        "forbidden_origin",
        null,
      ]);
    },
  );

  test("the service's own pages may call, with CORS headers", async () => {
    const origin = "http://localhost:3000";
    const preflight = await post(undefined, { origin }, "OPTIONS");
    expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([204, origin]);
    expect(preflight.headers.get("access-control-allow-headers")).toContain("MCP-Protocol-Version");
    expect(
      (await post(call("search", { query: "river" }), { origin })).headers.get("access-control-expose-headers"),
    ).toContain("WWW-Authenticate");
  });

  test.each(["GET", "HEAD", "DELETE", "PUT"])("%s is not accepted", async (method) => {
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

  test("invalid JSON, oversized and malformed messages get JSON-RPC's own error codes", async () => {
    expect((await post("{")).json.error.code).toBe(-32_700);
    expect((await post('{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}')).json.error.code).toBe(-32_700);
    expect((await post("[]")).json.error.code).toBe(-32_600);
    expect((await post(JSON.stringify(call("search", { query: "x".repeat(70_000) })))).status).toBe(413);
    expect((await post("{}", { "content-type": "text/plain" })).status).toBe(415);
    expect((await post(call("no_such_tool"))).json.error.code).toBe(-32_602);
  });

  test("only OpenAI's clients are told how each tool authenticates, at its top level and in _meta", async () => {
    const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    const toolsFor = async (agent: string) => (await post(list, { "user-agent": agent })).json.result.tools;
    const schemes = [{ type: "noauth" }, { type: "oauth2", scopes: ["datasets:read"] }];
    expect((await toolsFor("openai-mcp/1.0.0"))[0]).toMatchObject({
      name: "search",
      securitySchemes: schemes,
      _meta: { securitySchemes: schemes },
    });
    const [first] = await toolsFor("claude-code/2.0");
    expect([first.name, first.securitySchemes, first._meta]).toEqual(["search", undefined, undefined]);
  });

  test("a version without a handshake is served too: discovered, listed and called", async () => {
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
    expect(tools[0].name).toBe("search");
    expect(
      (await direct("tools/call", { name: "search", arguments: { query: "river" } }, "search")).json.result
        .structuredContent.results[0].id,
    ).toBe("gauges");
    expect((await direct("tools/call", { name: "query_table", arguments: {} }, "query_table")).status).toBe(401);
    expect(
      (await direct("subscriptions/listen", { notifications: { toolsListChanged: true } })).json.error,
    ).toBeDefined();
  });
});
