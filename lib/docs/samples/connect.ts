import { shellWord } from "@/lib/describe/snippet-text";
import type { Sample, SamplePlace } from "./sample";

const connector = ({ base }: SamplePlace): string => `${base}/api/mcp`;

const post = (place: SamplePlace, ...rest: readonly string[]): string =>
  [`curl -sS ${shellWord(connector(place))} -H 'content-type: application/json' \\`, ...rest].join("\n");

/** A message as one shell word, with one line per part. */
const data = (id: number, method: string, params: object): string =>
  `  -d '{"jsonrpc": "2.0", "id": ${id}, "method": "${method}",\n       "params": ${JSON.stringify(params)}}'`;

const INITIALIZE = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "curl", version: "1" } };
const OWN = { name: "list_connected_datasets", arguments: {} };

export const CONNECT_SAMPLES: readonly Sample[] = [
  {
    id: "connect-handshake",
    label: "1. The URL responds and completes the handshake",
    language: "shellscript",
    outputIs: "json",
    code: (place) => post(place, data(1, "initialize", INITIALIZE)),
    output:
      `{ "result": { "protocolVersion": "2025-11-25", "capabilities": …, "serverInfo": { … "name": "parquetry", … ` +
      `} … }, "jsonrpc": "2.0", "id": 1 }`,
  },
  {
    id: "connect-discovery",
    label: "2. The documents by which clients find the sign-in name exactly this URL",
    language: "shellscript",
    outputIs: "json",
    code: ({ base }) => `curl -sS ${shellWord(`${base}/.well-known/oauth-protected-resource/api/mcp`)}`,
    output: `{ "resource": "…/api/mcp", "authorization_servers": ["…"], … }`,
  },
  {
    id: "connect-rejection",
    label: "3. A tool that needs sign-in is rejected in the form that makes clients sign you in",
    language: "shellscript",
    code: (place) =>
      post(
        place,
        `${data(2, "tools/call", OWN)} \\`,
        "  -o reply.json -D - | tr -d '\\r' | grep -iE '^(HTTP|www-authenticate)'",
      ),
    output: `HTTP/… 401…
www-authenticate: Bearer resource_metadata="…/.well-known/oauth-protected-resource/api/mcp", scope="datasets:read"`,
  },
  {
    id: "connect-key",
    label: "With a use key, the same call succeeds",
    language: "shellscript",
    needsKey: true,
    outputIs: "json",
    code: (place) => post(place, '  -H "authorization: Bearer $PARQUETRY_KEY" \\', data(3, "tools/call", OWN)),
    output: `{ "result": { "content": […], "structuredContent": { … "datasets": […] } }, "jsonrpc": "2.0", "id": 3 }`,
  },
  {
    id: "connect-typescript",
    label: "npm install @modelcontextprotocol/client",
    language: "javascript",
    output: "mauna-loa-co2 Mauna Loa CO2",
    code: (place) =>
      [
        'import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";',
        "",
        "const key = process.env.PARQUETRY_KEY; // a use key, for queries; without one the catalogue is read",
        `const transport = new StreamableHTTPClientTransport(new URL(${JSON.stringify(connector(place))}), {`,
        '  requestInit: { headers: key ? { authorization: "Bearer " + key } : {} },',
        "});",
        'const client = new Client({ name: "my-agent", version: "1.0.0" });',
        "await client.connect(transport);",
        'const found = await client.callTool({ name: "search", arguments: { query: "co2" } });',
        "for (const { id, title } of found.structuredContent.results) console.log(id, title);",
        "await client.close();",
      ].join("\n"),
  },
  {
    id: "connect-python",
    label: 'pip install "mcp>=2"',
    language: "python",
    unrun: true,
    output: "mauna-loa-co2 Mauna Loa CO2",
    code: (place) =>
      [
        "import asyncio",
        "from mcp import Client",
        "",
        "async def main():",
        `    async with Client(${JSON.stringify(connector(place))}) as client:`,
        '        found = await client.call_tool("search", {"query": "co2"})',
        '        for dataset in found.structured_content["results"]:',
        '            print(dataset["id"], dataset["title"])',
        "",
        "asyncio.run(main())",
      ].join("\n"),
  },
];
