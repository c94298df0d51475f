import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { type APIRequestContext, expect } from "@playwright/test";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { tableOf } from "./catalogue";
import { scratchFolder } from "./scratch";
import { readerKey } from "./service";
import { test } from "./test";

const base = () => test.info().project.use.baseURL ?? "";

async function connected(key?: string): Promise<Client> {
  const client = new Client({ name: "e2e", version: "1" });
  const requestInit = key ? { requestInit: { headers: { authorization: `Bearer ${key}` } } } : {};
  await client.connect(new StreamableHTTPClientTransport(new URL(`${base()}/api/mcp`), requestInit));
  return client;
}

async function datasetsOf(
  request: APIRequestContext,
): Promise<{ slug: string; tables: { tableId: string; name: string }[] }[]> {
  return (await (await request.get("/api/v2/public/datasets?limit=100")).json()).datasets;
}

const tokens = (value: unknown): number => encode(JSON.stringify(value)).length;

test(
  "an agent without a credential finds, understands and samples every table, each reply within 10,000 " + "tokens",
  async ({ request }) => {
    const client = await connected();
    const { tools } = await client.listTools();
    expect(tokens({ tools })).toBeLessThan(6500);
    const calls = (await datasetsOf(request)).flatMap(({ slug, tables }) => [
      ["fetch", { id: slug }] as const,
      ["get_dataset", { slug }] as const,
      ["list_tables", { slug }] as const,
      ...tables.flatMap(({ tableId }) =>
        (["get_table_schema", "sample_rows", "get_download_instructions"] as const).map(
          (name) => [name, { table_id: tableId }] as const,
        ),
      ),
    ]);
    for (const [name, args] of [
      ["search", { query: "bird strikes" }] as const,
      ["search_datasets", {}] as const,
      ...calls,
    ]) {
      const result = await client.callTool({ name, arguments: args });
      expect([name, args, result.isError ?? false, tokens(result) < 10_000 || tokens(result)]).toEqual([
        name,
        args,
        false,
        true,
      ]);
    }
    await client.close();
  },
);

test("requests with a use key are counted, and every reply with rows is cited and within 10,000 tokens", async ({
  request,
}) => {
  const client = await connected(readerKey());
  for (const { tables } of await datasetsOf(request)) {
    for (const { tableId } of tables) {
      const schema = await client.callTool({ name: "get_table_schema", arguments: { table_id: tableId } });
      const columns = (schema.structuredContent as { columns: { name: string }[] }).columns.map(({ name }) => name);
      const result = await client.callTool({ name: "query_table", arguments: { table_id: tableId, columns } });
      const text = (result.content as { text: string }[])[0]?.text ?? "";
      if (result.isError) expect(text).toMatch(/^result_too_large: [\s\S]*Next: /);
      else
        expect(text).toMatch(
          /^(?:PARTIAL|COMPLETE): [\s\S]*\nCite: .*, sha256:[0-9a-f]{64}, queried \d{4}-\S+ \S+\/versions\/[0-9a-f-]{36}/,
        );
      expect([tableId, tokens(result) < 10_000 || tokens(result)]).toEqual([tableId, true]);
    }
  }
  const { tableId } = await tableOf(request, "us-flights-2001");
  const count = await client.callTool({
    name: "query_table",
    arguments: { table_id: tableId, columns: [], aggregates: [{ function: "count", as: "n" }] },
  });
  expect(count.structuredContent).toMatchObject({ rows: [[3_000_000]], execution: { truncated: false } });
  const sources = await client.callTool({ name: "catalog_search", arguments: { query: "airports" } });
  expect(sources.structuredContent).toMatchObject({
    harvest: { provider: "vega-datasets", coverage: { state: "partial", listed: 73, with_license: 58 } },
  });
  expect((await client.callTool({ name: "connect_dataset", arguments: { slug: "us-flights-2001" } })).isError).toBe(
    true,
  );
  await client.close();
});

test(
  "without a credential a query is a 401 with a challenge whose metadata is there; cookies and foreign pages get " +
    "nothing",
  async ({ request }) => {
    const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "query_table", arguments: {} } };
    const rejected = await request.post("/api/mcp", { data: message });
    expect(rejected.status()).toBe(401);
    const metadata = /resource_metadata="([^"]+)"/.exec(rejected.headers()["www-authenticate"] ?? "")?.[1] ?? "";
    expect(await (await request.get(metadata)).json()).toMatchObject({
      resource: `${base()}/api/mcp`,
      scopes_supported: ["datasets:read", "datasets:build"],
    });
    expect(
      (await request.post("/api/mcp", { data: message, headers: { origin: "https://evil.example" } })).status(),
    ).toBe(403);
    expect((await request.post("/api/mcp", { data: message, headers: { origin: "null" } })).status()).toBe(403);
    expect((await request.get("/api/mcp", { headers: { accept: "text/event-stream" } })).status()).toBe(405);
  },
);

test("a client that disconnects ends its queries", async ({ request }) => {
  const { tableId } = await tableOf(request, "us-flights-2001");
  const post = (args: object, signal?: AbortSignal) =>
    fetch(`${base()}/api/mcp`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${readerKey()}` },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "query_table", arguments: { table_id: tableId, columns: [], ...args } },
      }),
      ...(signal && { signal }),
    });
  const distinct = ["date", "delay", "distance", "origin"].map((column) => ({
    function: "count_distinct",
    column,
    as: column,
  }));
  const gone = new AbortController();
  const slow = Array.from({ length: 12 }, () => post({ group_by: ["destination"], aggregates: distinct }, gone.signal));
  await Promise.any(slow); // of one key two run at once, so at most one more may have ended by now
  gone.abort();
  const left = (await Promise.allSettled(slow)).filter(({ status }) => status === "rejected");
  expect(left.length).toBeGreaterThanOrEqual(10);
  expect(await (await post({ aggregates: [{ function: "count", as: "n" }] })).text()).toContain("3000000");
});

test("the documents for agents name only what exists", async ({ request }) => {
  const index = await (await request.get("/.well-known/agent-skills/index.json")).json();
  const skill = await (await request.get(index.skills[0].url)).body();
  expect(index.skills[0].digest).toBe(`sha256:${createHash("sha256").update(skill).digest("hex")}`);
  const card = await request.get("/api/mcp/server-card");
  expect(card.headers()["content-type"]).toMatch(/^application\/mcp-server-card\+json/);
  expect(await (await request.get("/.well-known/mcp.json")).json()).toMatchObject(await card.json());
  const { linkset } = await (await request.get("/.well-known/api-catalog")).json();
  const llms = await (await request.get("/llms.txt")).text();
  const catalog = await (await request.get("/.well-known/ai-catalog.json")).json();
  const texts = [
    llms,
    skill.toString(),
    JSON.stringify([
      linkset,
      index,
      catalog,
      await card.json(),
      await (await request.get("/.well-known/mcp.json")).json(),
    ]),
  ];
  const own = new RegExp(`${base()}/${String.raw`[^\s"'\x60);,]*`}`, "g");
  const named = texts.flatMap((text) => text.match(own) ?? []);
  const addresses = new Set(
    named.filter((url) => !/\/api\/mcp(?:\/account)?$|\/api\/v2\/public$|TABLE_ID|SLUG|\/settings\//.test(url)),
  );
  expect(addresses.size).toBeGreaterThan(20);
  for (const url of addresses) expect([url, (await request.get(url)).status()]).toEqual([url, 200]);
});

test("the skill's own commands, in its own order, answer a question", async ({ request }) => {
  const skill = await (await request.get("/.well-known/agent-skills/read-open-data/SKILL.md")).text();
  const commands = [...skill.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, block = ""]) =>
    block.replaceAll("\\\n", " ").trim().split("\n"),
  );
  const folder = scratchFolder("skill");
  const run = (command = "", id = "") =>
    execFileSync("sh", ["-c", command.replace("TABLE_ID", id)], {
      env: { ...process.env, PARQUETRY_KEY: readerKey() },
      cwd: folder,
    }).toString();
  const [find, schema, preview, query, download] = commands;
  const [found] = JSON.parse(run(find)).datasets;
  expect(found).toMatchObject({ slug: "bird-strikes", tables: [{ tableId: expect.any(String), rows: 10_000 }] });
  const { tableId } = found.tables[0];
  const { columns } = JSON.parse(run(schema, tableId)) as { columns: { name: string }[] };
  expect(columns.find(({ name }) => name === "Wildlife Size")).toMatchObject({
    operators: expect.arrayContaining(["eq"]),
    functions: expect.any(Array),
  });
  expect(JSON.parse(run(preview, tableId)).rows).toHaveLength(5);
  const answer = JSON.parse(run(query, tableId));
  expect([answer.rows, answer.table.version_id]).toEqual([[{ n: 744 }], expect.any(String)]);
  run(download, tableId);
  const file = readFileSync(join(folder, "table.parquet"));
  expect(`sha256:${createHash("sha256").update(file).digest("hex")}`).toBe(answer.table.content_digest);
});

test("a dataset's page requested as Markdown is its Markdown, and caches keep the two apart", async ({ request }) => {
  const markdown = await request.get("/datasets/mauna-loa-co2", { headers: { accept: "text/markdown" } });
  expect(markdown.headers()["content-type"]).toMatch(/^text\/markdown/);
  expect(await markdown.text()).toBe(await (await request.get("/datasets/mauna-loa-co2/llms.txt")).text());
  const page = await request.get("/datasets/mauna-loa-co2", { headers: { accept: "text/html,*/*;q=0.8" } });
  expect(page.headers()["content-type"]).toMatch(/^text\/html/);
  for (const reply of [markdown, page]) expect(reply.headers().vary?.toLowerCase()).toContain("accept");
});
