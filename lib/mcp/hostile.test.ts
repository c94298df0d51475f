import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serveConnector } from "@/lib/testing/connector-server";
import { useTestState } from "@/lib/testing/database";
import { DIRECT_VERSION, HANDSHAKE_VERSIONS } from "./protocol-versions";
import { TOOLBOX } from "./tools";

useTestState({ LIMIT_ADDRESS_MINUTE: "100000", LIMIT_ADDRESS_DAY: "100000" });

let service: Awaited<ReturnType<typeof serveConnector>>;
beforeAll(async () => {
  service = await serveConnector();
});
afterAll(() => service.close());

async function post(body: unknown, headers: Record<string, string> = {}) {
  const sent = typeof body === "string" || body instanceof Uint8Array ? Buffer.from(body) : JSON.stringify(body);
  const reply = await fetch(service.url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: sent,
  });
  const text = await reply.text();
  // biome-ignore lint/suspicious/noExplicitAny: replies are looked into, and each test says what it expects there.
  return { status: reply.status, json: (text === "" ? undefined : JSON.parse(text)) as any };
}

const message = (change: object = {}) => ({ jsonrpc: "2.0", id: 7, method: "ping", ...change });
const call = (name: unknown, args?: unknown, id: unknown = 7) =>
  message({ id, method: "tools/call", params: { name, arguments: args } });

describe("a malformed message is rejected with the expected shape", () => {
  test.each([
    ["no version", message({ jsonrpc: undefined }), -32_600, /"jsonrpc": "2\.0"/, 7],
    ["another version", message({ jsonrpc: "1.0" }), -32_600, /"jsonrpc": "2\.0"/, 7],
    ["null as its id", message({ id: null }), -32_600, /^id must be a string or an integer/, null],
    ["an object as its id", message({ id: {} }), -32_600, /^id must be/, null],
    ["half an id", message({ id: 1.5 }), -32_600, /^id must be/, 1.5],
    ["a method that is no text", message({ method: 5 }), -32_600, /^method must be/, 7],
    ["no method", message({ method: undefined }), -32_600, /^method must be/, 7],
    ["a list as params", message({ params: [] }), -32_600, /^params must be an object/, 7],
    ["a string as _meta", message({ params: { _meta: "x" } }), -32_600, /^params\._meta/, 7],
    ["no tool's name", message({ method: "tools/call", params: {} }), -32_602, /tools\/list/, 7],
    ["a number as the tool's name", call(5), -32_602, /tools\/list/, 7],
    ["no address of a resource", message({ method: "resources/read" }), -32_602, /resources\/list/, 7],
    [
      "a handshake without words",
      message({ method: "initialize", params: { protocolVersion: 5 } }),
      -32_602,
      /clientInfo/,
      7,
    ],
    ["a text", '"x"', -32_600, /JSON-RPC message/, null],
    ["null", "null", -32_600, /JSON-RPC message/, null],
    ["nothing", "", -32_700, /not valid JSON/, null],
    [
      "too deep",
      `{"jsonrpc":"2.0","id":1,"params":${"[".repeat(5000)}${"]".repeat(5000)}}`,
      -32_700,
      /nested too deeply \(maximum 32 levels\)/,
      null,
    ],
    ["not UTF-8", Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), -32_700, /not UTF-8/, null],
  ])("%s", async (_what, body, code, words, id) => {
    const { status, json } = await post(body);
    expect([status, json.id, json.error.code, json.error.data.schema_version]).toEqual([
      400,
      id,
      code,
      "service-error.v1",
    ]);
    expect(json.error.message).toMatch(words);
  });

  test("unsolicited responses and unknown notifications change nothing", async () => {
    for (const body of [
      message({ method: undefined, result: {} }),
      { jsonrpc: "2.0", method: "notifications/anything" },
      { ...call("search", {}), id: undefined },
    ])
      expect(await post(body)).toEqual({ status: 202, json: undefined });
  });
});

describe("a list of messages", () => {
  test("gets a list as the reply, each with its own arguments, at 2025-03-26 and if no version is named", async () => {
    const { json } = await post(
      [call("search", { query: "a" }, 1), call("search", { quer: "b" }, "1"), message({ id: 2 })],
      {
        "mcp-protocol-version": "2025-03-26",
      },
    );
    expect(
      json.map(({ id, result }: { id: unknown; result: { isError?: boolean } }) => [id, result.isError ?? false]),
    ).toEqual([
      [1, false],
      ["1", true],
      [2, false],
    ]);
    expect((await post([message()])).json).toEqual([{ jsonrpc: "2.0", id: 7, result: {} }]);
  });

  test.each(["2025-06-18", "2025-11-25", "2026-07-28"])("is rejected at %s, which has no batches", async (version) => {
    const { status, json } = await post([message()], { "mcp-protocol-version": version });
    expect([status, json.error.code, json.error.message]).toEqual([
      400,
      -32_600,
      expect.stringContaining("one message per request"),
    ]);
  });

  test("with duplicate ids, no, too many or malformed messages runs nothing", async () => {
    const twice = [call("search", { query: "a" }, 1), call("search", { query: "b" }, 1)];
    const many = Array.from({ length: 21 }, (_, id) => message({ id }));
    for (const body of [twice, [], many, [message(), { nonsense: true }], [message(), 5]]) {
      const { status, json } = await post(body);
      expect([status, json.error.code]).toEqual([400, -32_600]);
    }
  });

  test("in which one call needs a credential is rejected as a whole", async () => {
    expect((await post([call("search", { query: "a" }, 1), call("query_table", {}, 2)])).status).toBe(401);
  });
});

describe("arguments", () => {
  const OPEN = TOOLBOX.all.filter(({ access }) => access === "connector_open");
  const WRONG = [null, undefined, [], "x", 5, { nonsense: 1 }];

  test.each(OPEN.map(({ name }) => name))(
    "%s tells a model what is wrong with any of them, and never fails",
    async (name) => {
      const properties = Object.keys((TOOLBOX.find(name) as unknown as { input: { shape: object } }).input.shape);
      const values = [null, 5, -1, 1.5, true, [], {}, "\u0000", "\ud800", "x".repeat(20_000), 1e308];
      const hostile = properties.flatMap((property) => values.map((value) => ({ [property]: value })));
      for (const args of [...WRONG, ...hostile]) {
        const { status, json } = await post(call(name, args));
        const text: string = json.result?.content[0].text ?? JSON.stringify(json);
        expect([status, text.slice(0, 200), json.error]).toEqual([
          200,
          expect.not.stringMatching(/^internal|undefined|The body/),
          undefined,
        ]);
        if (json.result.isError) expect(text).toMatch(/\nNext: /);
      }
    },
  );

  test("may be omitted if a tool takes none", async () => {
    for (const args of [undefined, null, {}])
      expect((await post(call("get_access_instructions", args))).json.result.isError ?? false).toBe(false);
  });
});

describe("headers", () => {
  test.each(["1999-01-01", "", "2025-11-25, 2025-06-18"])(
    "an unknown version (%j) is rejected with the supported ones",
    async (version) => {
      const { status, json } = await post(message(), { "mcp-protocol-version": version });
      expect([status, json.error.message]).toEqual([
        400,
        expect.stringContaining("2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05, 2026-07-28"),
      ]);
    },
  );

  test.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "application/json-rpc",
    "application/jsonx",
    "",
  ])("a body with the content type %j is rejected with the expected type", async (type) => {
    const { status, json } = await post(message(), { "content-type": type });
    expect([status, json.error.message]).toEqual([415, expect.stringContaining("application/json")]);
  });

  test.each(["application/json", "application/json; charset=utf-8", "APPLICATION/JSON"])(
    "a body with the content type %s is read, whatever its parameters",
    async (type) => {
      const headers = { "content-type": type, accept: "image/png", "mcp-session-id": "none", "last-event-id": "5" };
      expect(await post(message(), headers)).toEqual({ status: 200, json: { jsonrpc: "2.0", id: 7, result: {} } });
    },
  );

  const direct = { "mcp-protocol-version": DIRECT_VERSION, "mcp-method": "tools/call", "mcp-name": "query_table" };
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": DIRECT_VERSION,
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  test.each([...HANDSHAKE_VERSIONS.map((version) => ({ "mcp-protocol-version": version })), direct])(
    "without a credential a query is a 401 at %o",
    async (headers) => {
      const params = { name: "query_table", arguments: {}, ...(headers === direct && { _meta }) };
      const { status, json } = await post(message({ method: "tools/call", params }), headers as Record<string, string>);
      expect([status, json.id, json.error.data.error]).toEqual([401, 7, "key_missing"]);
    },
  );
});

test("100 concurrent calls each get their own reply", async () => {
  const replies = await Promise.all(
    Array.from({ length: 100 }, (_, id) => post(call(id % 2 ? "search" : "nonsense", { query: "x" }, id))),
  );
  expect(replies.map(({ json }) => [json.id, json.error?.code ?? 0])).toEqual(
    replies.map((_, id) => [id, id % 2 ? 0 : -32_602]),
  );
});
