import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { parseExactJson } from "@/lib/formats/exact-json";
import { call, useGauges } from "@/lib/testing/gauges-connector";
import { DIRECT_VERSION } from "./protocol-versions";
import { RESULT_APP_MEDIA, RESULT_APP_URI } from "./result-app";

const gauges = useGauges();
const APPS = { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: [RESULT_APP_MEDIA] } } };
const WITH_APP = ["list_versions", "compare_versions", "query_table"];
const ERAS = ["2025-11-25", DIRECT_VERSION] as const;

/** A real client of either era, which shows apps or does not. */
async function connected(era: string, showsApps: boolean): Promise<Client> {
  const pinned = era === DIRECT_VERSION ? { versionNegotiation: { mode: { pin: DIRECT_VERSION } } as const } : {};
  const client = new Client({ name: "test", version: "1" }, { capabilities: showsApps ? APPS : {}, ...pinned });
  await client.connect(new StreamableHTTPClientTransport(gauges.url, { requestInit: { headers: gauges.bearer() } }));
  return client;
}

const QUERY = {
  name: "query_table",
  arguments: { table_id: "gauges/rows", columns: ["id", "big"], order_by: [{ column: "id" }], limit: 2 },
};

test.each(ERAS)("at %s, tools name the app to clients that show apps, and are otherwise the same", async (era) => {
  const [showing, reading] = [await connected(era, true), await connected(era, false)];
  const [{ tools: told }, { tools }] = [await showing.listTools(), await reading.listTools()];
  const named = told.filter(({ _meta: meta }) => meta?.ui !== undefined);
  expect(named.map(({ name, _meta: meta }) => [name, meta])).toEqual(
    WITH_APP.map((name) => [name, { ui: { resourceUri: RESULT_APP_URI } }]),
  );
  const withoutApp = ({ _meta, ...tool }: (typeof tools)[number]) => tool;
  expect(told.map(withoutApp)).toEqual(tools);
  expect((await showing.listResources()).resources.map(({ uri }) => uri)).toContain(RESULT_APP_URI);
  expect((await reading.listResources()).resources.map(({ uri }) => uri)).not.toContain(RESULT_APP_URI);
  const extensionsOf = (client: Client) => Object.keys(client.getServerCapabilities()?.extensions ?? {});
  expect(extensionsOf(reading)).toEqual(["io.modelcontextprotocol/skills"]);
  expect(extensionsOf(showing).toSorted()).toEqual(["io.modelcontextprotocol/skills", "io.modelcontextprotocol/ui"]);
  await Promise.all([showing.close(), reading.close()]);
});

test.each(ERAS)("at %s, results have a copy for the app with every digit, which no other client gets", async (era) => {
  const [showing, reading] = [await connected(era, true), await connected(era, false)];
  const [shown, read] = [await showing.callTool(QUERY), await reading.callTool(QUERY)];
  expect(read._meta?.["parquetry/result"]).toBeUndefined();
  const bare = (text: string) => text.replaceAll(/queried \S+/g, "");
  expect(bare(JSON.stringify([shown.content, shown.structuredContent]))).toBe(
    bare(JSON.stringify([read.content, read.structuredContent])),
  );
  const copy = String(shown._meta?.["parquetry/result"]);
  expect(copy).toContain("9007199254740993");
  expect(parseExactJson(copy)).toMatchObject({
    kind: "rows",
    table: { dataset: "gauges", name: "Rows", page: "http://localhost:3000/datasets/gauges/rows" },
    columns: [{ name: "id", type: "int64", unit: null }, { name: "big" }, { name: "price" }],
    query: { columns: ["id", "big"], order_by: [{ column: "id" }], limit: 2 },
    structured: { status: "TOP 2 of 300 rows" },
  });
  await Promise.all([showing.close(), reading.close()]);
});

test("versions come with their digests, a comparison with its page, and a rejection with neither", async () => {
  const client = await connected(DIRECT_VERSION, true);
  const copyOf = async (name: string, args: Record<string, unknown>) => {
    const { _meta: meta, isError } = await client.callTool({ name, arguments: args });
    const copy = meta?.["parquetry/result"];
    return { isError: isError ?? false, copy: copy === undefined ? undefined : JSON.parse(String(copy)) };
  };
  const { copy: versions } = await copyOf("list_versions", { table_id: "gauges" });
  const [version] = versions.structured.versions;
  expect(versions.digests).toEqual({ [version.version_id]: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) });
  const { copy: comparison } = await copyOf("compare_versions", { table_id: "gauges", from: "1", to: "1" });
  expect(comparison.table.page).toBe(
    `http://localhost:3000/datasets/gauges/versions?table=rows&from=${version.version_id}&to=${version.version_id}` +
      "#comparison",
  );
  expect(await copyOf("query_table", { table_id: "gauges", columns: ["nothing"] })).toEqual({
    isError: true,
    copy: undefined,
  });
  await client.close();
});

test("the session id of an older client says that it shows apps; other clients get none", async () => {
  const initialize = (capabilities: object) => ({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities, clientInfo: { name: "test", version: "1" } },
  });
  const [first, second] = [await gauges.post(initialize(APPS)), await gauges.post(initialize(APPS))];
  const session = first.headers.get("mcp-session-id") ?? "";
  expect(session).toMatch(/^apps-[0-9a-f-]{36}$/);
  expect(second.headers.get("mcp-session-id")).not.toBe(session);
  const other = { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html"] } } };
  for (const capabilities of [{}, other, { extensions: "all" }])
    expect((await gauges.post(initialize(capabilities))).headers.get("mcp-session-id")).toBeNull();
  const { json } = await gauges.post(call(QUERY.name, QUERY.arguments), {
    ...gauges.bearer(),
    "mcp-session-id": "of-another-service",
  });
  expect(json.result._meta).toBeUndefined();
});

test("the app is one small document without network access; anyone who knows its URI can read it", async () => {
  const message = { jsonrpc: "2.0", id: 1, method: "resources/read", params: { uri: RESULT_APP_URI } };
  const { json } = await gauges.post(message);
  const [{ text, mimeType, _meta: meta }] = json.result.contents;
  expect([mimeType, meta]).toEqual([RESULT_APP_MEDIA, { ui: { prefersBorder: true } }]);
  expect(text.length).toBeLessThan(200_000);
  expect(text).toContain("default-src 'none'");
  expect(text.match(/<\/?(?:script|style)\b/g)).toEqual(["<style", "</style", "<script", "</script"]);
  expect(text).not.toMatch(/\b(?:src|href)="|url\(|@import|@font-face/);
  expect(text, "what the policies of hosts hold back").not.toMatch(/\bnew Function\b|\beval\(/);
});
