import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createUseKey } from "@/lib/access/use-keys";
import { newKey } from "@/lib/auth/access-key";
import { baseUrl } from "@/lib/kernel/env";
import { closeReadingEngine } from "@/lib/operations/reading/reading-engine";
import { getUsage, listConnectedDatasets } from "@/lib/operations/workspace/usage";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { setVisibility } from "@/lib/store/datasets/visibility";
import { revokeConnection } from "@/lib/store/people/agent-connections";
import { listDevices } from "@/lib/store/people/devices";
import { setDisabled } from "@/lib/store/people/people";
import { connectAgent } from "@/lib/testing/agent";
import { serveConnector } from "@/lib/testing/connector-server";
import { useTestState } from "@/lib/testing/database";
import { signedInDevice } from "@/lib/testing/device";
import { publishText } from "@/lib/testing/publish-text";
import { call as callOperation, sessionCookie } from "@/lib/testing/signed-in";
import { newWorkspace } from "@/lib/testing/workspace";

useTestState({ LIMIT_KEY_MINUTE: "1000" });

let service: Awaited<ReturnType<typeof serveConnector>>;
let own: Awaited<ReturnType<typeof newWorkspace>>;
let [open, hidden, foreign] = ["", "", ""];

beforeAll(async () => {
  service = await serveConnector();
  own = await newWorkspace();
  const other = await newWorkspace();
  [open, hidden, foreign] = [await published("open"), await published("hidden"), await published("foreign")];
  for (const [slug, { workspaceId }] of [
    ["hidden", own],
    ["foreign", other],
  ] as const) {
    await setVisibility(slug, { to: "withdrawn", by: { caller: "operator" } }, ADMINISTRATOR);
    await setVisibility(slug, { to: "private", workspaceId, by: { caller: "operator" } }, ADMINISTRATOR);
  }
});

afterAll(async () => {
  await service.close();
  await closeReadingEngine();
});

const published = async (slug: string): Promise<string> =>
  (await publishText(slug, "id,name\n1,a\n2,b\n3,c\n", { topics: ["water"] })).table_id;

const at = (path = ""): string => `${baseUrl()}/api/mcp${path}`;

/** An agent of a person with their own workspace, so that no test sees another's usage. */
async function agentOf(who = own, more: { scopes?: string[]; resource?: string; name?: string } = {}) {
  return connectAgent({ userId: who.userId, workspaceId: who.workspaceId, resource: at(), ...more });
}

const message = <Params>(method: string, params: Params) => ({ jsonrpc: "2.0", id: 1, method, params });
const call = (name: string, args: unknown = {}) => message("tools/call", { name, arguments: args });
const count = (tableId: string) =>
  call("query_table", { table_id: tableId, columns: [], aggregates: [{ function: "count", as: "n" }] });
const clientInfo = { name: "t", version: "1" };
const initialize = message("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });

async function post(
  sentMessage: unknown,
  token?: string,
  { path = "", headers = {} }: { path?: string; headers?: Record<string, string> } = {},
) {
  const sent = {
    "content-type": "application/json",
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...headers,
  };
  const reply = await fetch(`${service.url}${path}`, {
    method: "POST",
    headers: sent,
    body: JSON.stringify(sentMessage),
  });
  // biome-ignore lint/suspicious/noExplicitAny: replies are looked into, and each test says what it expects there.
  const json = (await reply.json()) as any;
  return { status: reply.status, challenge: reply.headers.get("www-authenticate") ?? "", headers: reply.headers, json };
}

const rejectedToken = { status: 401, challenge: expect.stringContaining('error="invalid_token"') };

describe("a connected agent", () => {
  test("counts, lists and connects through a real client; connecting twice changes nothing", async () => {
    const person = await newWorkspace();
    const { access } = await agentOf(person);
    const client = new Client({ name: "t", version: "1" });
    await client.connect(
      new StreamableHTTPClientTransport(service.url, {
        requestInit: { headers: { authorization: `Bearer ${access}` } },
      }),
    );
    for (const _ of [1, 2]) {
      const connected = await client.callTool({ name: "connect_dataset", arguments: { slug: "open" } });
      expect(connected.structuredContent).toMatchObject({ slug: "open", connected: true });
    }
    const listed = await client.callTool({ name: "list_connected_datasets", arguments: {} });
    expect(listed.structuredContent).toMatchObject({ datasets: [{ slug: "open", last_read: null }] });
    expect((await client.callTool(count(open).params as never)).structuredContent).toMatchObject({ rows: [[3]] });
    await client.close();
  });

  test("reads its own workspace's private tables with every tool, and no others", async () => {
    const { access } = await agentOf();
    const calls = (id: string, slug: string) => [
      count(id),
      call("sample_rows", { table_id: id }),
      call("get_table_schema", { table_id: id }),
      call("get_download_instructions", { table_id: id }),
      call("get_dataset", { slug }),
      call("list_tables", { slug }),
      call("fetch", { id: slug }),
      call("connect_dataset", { slug }),
    ];
    for (const message of calls(hidden, "hidden")) {
      expect([message.params.name, (await post(message, access)).json.result.isError ?? false]).toEqual([
        message.params.name,
        false,
      ]);
    }
    for (const message of calls(foreign, "foreign")) {
      expect([message.params.name, (await post(message, access)).json.result.content[0].text]).toEqual([
        message.params.name,
        expect.stringMatching(/^not_found:/),
      ]);
    }
    expect((await post(call("sample_rows", { table_id: hidden }))).json.result.content[0].text).toMatch(/^not_found: /);
  });

  test("has its own quotas, like a key", async () => {
    const person = await newWorkspace();
    const [first, second] = [await agentOf(person), await agentOf(person)];
    const left = async (token: string) => (await post(count(open), token)).headers.get("ratelimit");
    expect([await left(first.access), await left(first.access), await left(second.access)]).toEqual([
      expect.stringMatching(/^"minute";r=999\b/),
      expect.stringMatching(/^"minute";r=99[89]\b/),
      expect.stringMatching(/^"minute";r=999\b/),
    ]);
    expect((await post(count(open), first.access)).headers.get("ratelimit-policy")).toContain("q=1000;w=60");
  });

  test("its reads are shown under its name to the workspace, and connect the dataset", async () => {
    const person = await newWorkspace();
    const { access, id } = await agentOf(person, { name: "Field agent" });
    await post(count(open), access);
    const cookie = { cookie: await sessionCookie(person.userId) };
    const path = { workspace_id: person.workspaceId };
    const { body } = await callOperation(getUsage, path, cookie);
    expect(body.keys).toEqual([
      expect.objectContaining({
        key_id: id,
        kind: "agent",
        name: "Field agent",
        ends: null,
        revoked: false,
        queries: 1,
      }),
    ]);
    await expect
      .poll(async () =>
        (await callOperation(listConnectedDatasets, path, cookie)).body.datasets.map(
          ({ slug }: { slug: string }) => slug,
        ),
      )
      .toEqual(["open"]);
    await revokeConnection({ id }, ADMINISTRATOR);
    expect((await callOperation(getUsage, path, cookie)).body.keys[0]).toMatchObject({
      name: "Field agent",
      revoked: true,
    });
  });
});

describe("a device that a person has approved", () => {
  test("reads its workspace's private tables, connects datasets, and is listed by name in the usage", async () => {
    const credential = await signedInDevice(baseUrl(), own, { device_name: "lab-7" });
    for (const message of [
      count(hidden),
      call("get_dataset", { slug: "hidden" }),
      call("connect_dataset", { slug: "open" }),
    ])
      expect([message.params.name, (await post(message, credential)).json.result.isError ?? false]).toEqual([
        message.params.name,
        false,
      ]);
    expect((await post(count(foreign), credential)).json.result.content[0].text).toMatch(/^not_found: /);
    const { body } = await callOperation(
      getUsage,
      { workspace_id: own.workspaceId },
      { cookie: await sessionCookie(own.userId) },
    );
    expect(body.keys).toContainEqual(
      expect.objectContaining({ kind: "device", name: "lab-7", revoked: false, queries: 1 }),
    );
  });

  test("reads nothing without datasets:read; for the other URL, mistyped or revoked, gets a 401", async () => {
    const narrow = await signedInDevice(baseUrl(), own, { scope: "datasets:build" });
    expect((await post(count(open), narrow)).json.error.data.error).toBe("insufficient_scope");
    const credential = await signedInDevice(baseUrl(), own);
    expect(await post(count(open), credential, { path: "/account" })).toMatchObject(rejectedToken);
    expect((await post(count(open), credential)).status).toBe(200);
    const [device] = await listDevices(own.workspaceId, new Date());
    await revokeConnection({ id: device?.id ?? "" }, ADMINISTRATOR);
    for (const token of [credential, newKey("cli"), `${credential.slice(0, -1)}!`]) {
      for (const message of [count(open), call("search", { query: "open" }), initialize])
        expect(await post(message, token)).toMatchObject(rejectedToken);
    }
  });
});

describe("an invalid token", () => {
  test("for the connector's other URL gets a 401 at either", async () => {
    const [here, there] = [await agentOf(), await agentOf(own, { resource: at("/account") })];
    expect(await post(count(open), there.access)).toMatchObject(rejectedToken);
    expect(await post(initialize, here.access, { path: "/account" })).toMatchObject(rejectedToken);
    expect((await post(count(open), there.access, { path: "/account" })).json.result.structuredContent.rows).toEqual([
      [3],
    ]);
    const elsewhere = await agentOf(own, { resource: "https://data.example.org/api/mcp" });
    expect(await post(call("search", { query: "open" }), elsewhere.access)).toMatchObject(rejectedToken);
  });

  test("disconnected, of a removed member, or a refresh token, is a 401 at the next call", async () => {
    const person = await newWorkspace();
    const [ended, shutOut] = [await agentOf(), await agentOf(person)];
    expect((await post(count(open), ended.access)).status).toBe(200);
    await revokeConnection({ id: ended.id }, ADMINISTRATOR);
    await setDisabled(person.userId, true, ADMINISTRATOR);
    for (const token of [ended.access, shutOut.access, (await agentOf()).refresh, `${(await agentOf()).access}x`]) {
      for (const message of [count(open), call("search", { query: "open" }), initialize])
        expect(await post(message, token)).toMatchObject(rejectedToken);
    }
  });

  test("after a late reuse of its refresh token the whole connection ends", async () => {
    const agent = await agentOf();
    const next = await agent.refreshed(agent.refresh);
    expect((await post(count(open), next.access)).status).toBe(200);
    const late = new Date(Date.now() + 60_000);
    await agent.refreshed(agent.refresh, late);
    expect(await post(count(open), next.access)).toMatchObject(rejectedToken);
  });
});

describe("insufficient consent", () => {
  test("without datasets:read every tool is a 403 that names the scopes; the handshake works", async () => {
    const { access } = await agentOf(own, { scopes: ["datasets:build"] });
    for (const message of [count(open), call("search", { query: "open" }), call("connect_dataset", { slug: "open" })]) {
      const { status, challenge, json } = await post(message, access);
      expect([status, json.error.data.error]).toEqual([403, "insufficient_scope"]);
      expect(challenge).toMatch(
        /^Bearer resource_metadata="[^"]+\/api\/mcp", scope="datasets:read datasets:build", error="insufficient_scope", error_description="/,
      );
    }
    expect((await post(initialize, access)).status).toBe(200);
  });

  test("for ChatGPT the error is in the result", async () => {
    const { access } = await agentOf(own, { scopes: ["offline_access"] });
    const { status, json } = await post(count(open), access, { headers: { "user-agent": "openai-mcp/1.0.0" } });
    expect([status, json.result.isError]).toEqual([200, true]);
    expect(json.result._meta["mcp/www_authenticate"][0]).toContain('error="insufficient_scope"');
  });
});

describe("the connector's account URL", () => {
  test("requires a credential, and names its own metadata document", async () => {
    for (const message of [
      initialize,
      call("search", { query: "open" }),
      { jsonrpc: "2.0", id: 1, method: "tools/list" },
    ]) {
      const { status, challenge } = await post(message, undefined, {
        path: "/account",
        headers: { "user-agent": "openai-mcp/1.0.0" },
      });
      expect([status, challenge]).toEqual([
        401,
        `Bearer resource_metadata="${baseUrl()}/.well-known/oauth-protected-resource/api/mcp/account", ` +
          `scope="datasets:read"`,
      ]);
    }
  });

  test("accepts its own connection, or a use key", async () => {
    const { access } = await agentOf(own, { resource: at("/account") });
    const { key } = await createUseKey({ email: "agent@example.com", name: "agent" }, new Date());
    for (const token of [access, key])
      expect((await post(initialize, token, { path: "/account" })).json.result.serverInfo.name).toBe("parquetry");
  });
});
