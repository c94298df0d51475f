import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, test, vi } from "vitest";
import type { Context } from "@/lib/access/context";
import { createUseKey } from "@/lib/access/use-keys";
import { call, useGauges } from "@/lib/testing/gauges-connector";
import { HANDSHAKE_VERSIONS } from "./protocol-versions";
import { listedFor, TOOLBOX } from "./tools";

/** The tools of callers who may not build. */
const READING = TOOLBOX.all.filter(({ access }) => access !== "connector_build").map(({ name }) => name);

/** A client that needs nothing beyond the protocol. */
const PLAIN = { showsApp: false, isOpenAi: false };

const gauges = useGauges();
const { post, bearer, callsOf } = gauges;
const signed = () => ({ requestInit: { headers: bearer() } });

describe("real clients", () => {
  for (const version of HANDSHAKE_VERSIONS) {
    test(
      `the 1.x client at ${version} connects, lists and calls every tool; the client checks each result against ` +
        "its output schema",
      async () => {
        const transport = new OldTransport(gauges.url, { ...signed(), fetch: atVersion(version) });
        const client = new OldClient({ name: "test", version: "1" });
        await client.connect(transport as never);
        const { tools } = await client.listTools();
        expect(tools.map(({ name }) => name)).toEqual(READING);
        for (const [name, args] of Object.entries(callsOf())) {
          if (!tools.some((tool) => tool.name === name)) continue;
          const result = await client.callTool({ name, arguments: args });
          expect([name, result.isError ?? false, result.content]).toEqual([name, false, expect.anything()]);
        }
        await client.close();
      },
    );

    test(`the 2.x client at ${version} does too`, async () => {
      const transport = new NewTransport(gauges.url, { ...signed(), fetch: atVersion(version) });
      const client = new NewClient({ name: "test", version: "1" });
      await client.connect(transport);
      expect((await client.listTools()).tools).toHaveLength(READING.length);
      for (const [name, args] of Object.entries(callsOf())) {
        if (!READING.includes(name)) continue;
        expect([name, (await client.callTool({ name, arguments: args })).isError ?? false]).toEqual([name, false]);
      }
      await client.close();
    });
  }
});

/** Clients request their newest version: the handshake is rewritten on the way, and the returned version is checked. */
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

test("build tools are listed only for callers with their scope, but can be called by anyone", () => {
  const grant = (...scopes: string[]) => ({ actor: { kind: "agent", grant: { scopes } } }) as unknown as Context;
  const names = (ctx: Pick<Context, "actor">) => listedFor(TOOLBOX, ctx, PLAIN).map(({ name }) => name);
  expect(names(grant("datasets:read"))).toEqual(READING);
  expect(names({ actor: { kind: "anonymous" } })).toEqual(READING);
  expect(names(grant("datasets:read", "datasets:build"))).toEqual(TOOLBOX.all.map(({ name }) => name));
  expect(TOOLBOX.find("start_run")).toBeDefined();
});

test("the list of tools stays under 13,000 tokens, 5,500 without building, and each description under 250", () => {
  const tokens = (tools: readonly object[]) => encode(JSON.stringify({ tools })).length;
  const isBuilding = (name: string) => TOOLBOX.find(name)?.access === "connector_build";
  expect(tokens(TOOLBOX.listed.filter(({ name }) => !isBuilding(name)))).toBeLessThanOrEqual(5500);
  expect(tokens(TOOLBOX.listed)).toBeLessThan(13_000);
  for (const { name, description } of TOOLBOX.listed)
    expect([name, encode(description ?? "").length < 250]).toEqual([name, true]);
});

test("each tool lists the members of its arguments and of its results with their types", () => {
  type Members = Record<string, { type?: unknown; anyOf?: unknown; const?: unknown; enum?: unknown }>;
  const untyped = TOOLBOX.listed.flatMap(({ name, inputSchema, outputSchema }) =>
    Object.entries({ ...(inputSchema.properties as Members), ...(outputSchema?.properties as Members) })
      .filter(([, { type, anyOf, const: one, enum: some }]) => (type ?? anyOf ?? one ?? some) === undefined)
      .map(([member]) => `${name} ${member}`),
  );
  expect(untyped).toEqual([]);
  expect(TOOLBOX.listed.filter(({ outputSchema }) => !outputSchema?.properties).map(({ name }) => name)).toEqual([]);
});

describe("results", () => {
  test("rows are marked PARTIAL or COMPLETE, with cursor and citation", async () => {
    const args = { table_id: gauges.tableId, columns: ["id", "big"] };
    const first = (await post(call("query_table", args), bearer())).json.result;
    expect(first.content[0].text).toMatch(
      /^PARTIAL: 50 of 300 rows\nNext page: [^\n]+\nid \(int\d+\) \| big \(int64\)\n\[0,9007199254740993\]\n[\s\S]*\nnext_cursor: \S+\nCite: gauges, table Rows, sha256:[0-9a-f]{64}, queried \S+Z, \S+\/versions\/[0-9a-f-]{36}$/,
    );
    expect(first.structuredContent).toMatchObject({
      status: "PARTIAL: 50 of 300 rows",
      execution: { truncated: true },
      citation: expect.stringMatching(/^Cite: gauges, table Rows, sha256:/),
    });
    const rest = (
      await post(call("query_table", { ...args, cursor: first.structuredContent.next_cursor, limit: 250 }), bearer())
    ).json.result;
    expect(rest.content[0].text).toMatch(/^COMPLETE: 250 rows on this last page\n/);
    const count = (
      await post(
        call("query_table", { table_id: gauges.tableId, columns: [], aggregates: [{ function: "count", as: "n" }] }),
        bearer(),
      )
    ).json.result;
    expect(count.content[0].text).toMatch(/^COMPLETE: 1 group\nn \(int64\)\n\[300\]\n/);
  });

  test("wide numbers keep every digit, in filters and in values", async () => {
    const filter = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"query_table","arguments":{"table_id":"${gauges.tableId}","columns":["big","price"],"filters":[{"column":"big","operator":"eq","value":9007199254740995}]}}}`;
    const { text } = await post(filter, bearer());
    expect(text).toContain('"rows":[[9007199254740995,2.10]]');
  });

  test("an invalid query reports every fault, suggestions and the next call", async () => {
    const { json } = await post(
      call("query_table", {
        table_id: gauges.tableId,
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
      /^not_found:\n- \/slug: Unknown dataset: nowhere\.[\s\S]*Next: .*search/,
    );
  });

  test("queries and look-ups count separately, each against their caller", async () => {
    const other = (await createUseKey({ email: "busy@example.com", name: "busy" }, new Date())).key;
    const left = async (name: string) => {
      const { headers } = await post(call(name, callsOf()[name]), { authorization: `Bearer ${other}` });
      return Number(/^"minute";r=(\d+)/.exec(headers.get("ratelimit") ?? "")?.[1]);
    };
    vi.useFakeTimers({ toFake: ["Date"] }); // all within one minute
    try {
      const [lookUps, queries] = [await left("get_table_schema"), await left("query_table")];
      expect(await left("get_table_schema")).toBe(lookUps - 1);
      expect(await left("query_table")).toBe(queries - 1);
    } finally {
      vi.useRealTimers();
    }
  });

  test("the access instructions name every tool, and which of them the caller can call", async () => {
    const instructions = async (headers = {}) => {
      const { text } = (await post(call("get_access_instructions"), headers)).json.result.structuredContent;
      const listed = (label: string) => new RegExp(`^${label}: (.+)\\.$`, "m").exec(text)?.[1]?.split(/, | and /) ?? [];
      return { text, can: listed("You can call"), cannot: listed("You cannot call yet") };
    };
    const namesOf = (...rows: string[]) =>
      TOOLBOX.all.filter(({ access }) => rows.includes(access)).map(({ name }) => name);
    const anonymous = await instructions();
    expect(anonymous.text).toMatch(/^You call without a credential\.\n/);
    expect(anonymous.can).toEqual(namesOf("connector_open"));
    expect(anonymous.cannot).toEqual(namesOf("connector_read", "connector_change", "connector_build"));
    const keyed = await instructions(bearer());
    expect(keyed.text).toMatch(/^You call with a use key\.\n/);
    expect(keyed.can).toEqual(namesOf("connector_open", "connector_read"));
    expect(keyed.cannot).toEqual(namesOf("connector_change", "connector_build"));
    for (const step of ["/sign-up", "/settings/access", "/api/mcp/account", "/device", "datasets:build", "paid plan"])
      expect(keyed.text).toContain(step);
    expect(keyed.text).toContain("queries (compare_versions, query_table and query_run) ");
    expect(encode(anonymous.text).length).toBeLessThan(900);
  });

  test("a default reply stays under 10,000 tokens", async () => {
    for (const [name, args] of Object.entries(callsOf())) {
      if (!TOOLBOX.all.some((tool) => tool.name === name)) continue;
      const { text } = await post(call(name, args), bearer());
      expect([name, encode(text).length < 10_000]).toEqual([name, true]);
    }
  });

  test("the guide to building names its calls", async () => {
    const { json } = await post({
      jsonrpc: "2.0",
      id: 1,
      method: "resources/read",
      params: { uri: "parquetry://build-guide" },
    });
    expect(json.result.contents[0].text).toContain("register_recipe {dataset, recipe");
    const reference = { uri: "parquetry://recipe-reference" };
    const read = await post({ jsonrpc: "2.0", id: 2, method: "resources/read", params: reference });
    expect(read.json.result.contents[0].text).toContain("- flatten: column: string, fields: {name: {at: string");
  });
});
