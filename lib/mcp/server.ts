import { type CallToolResult, McpServer, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { beginning } from "@/lib/operations/views/beginning";
import packageJson from "@/package.json" with { type: "json" };
import { callTool } from "./call-tool";
import type { Call } from "./connector-call";
import { INSTRUCTIONS } from "./instructions";
import { addPrompts } from "./prompts";
import { DIRECT_VERSION, HANDSHAKE_VERSIONS } from "./protocol-versions";
import { addResources } from "./resources";
import { APPS_EXTENSION, addResultApp } from "./result-app";
import { addSkills } from "./skills";
import { listedFor } from "./tools";

export const SERVER_NAME = "parquetry";
export const SERVER_TITLE = "Parquetry";
export const SERVER_VERSION = packageJson.version;
export const SERVER_DESCRIPTION =
  "Open datasets as immutable, versioned tables: find, sample, query, download and cite them.";

const HOUR_MS = 3_600_000;
const EVERYBODYS = { ttlMs: HOUR_MS, cacheScope: "public" } as const;

/** The list of tools depends on the caller. */
const CACHE_HINTS = {
  "tools/list": { ttlMs: HOUR_MS, cacheScope: "private" },
  "prompts/list": EVERYBODYS,
  "resources/list": EVERYBODYS,
  "resources/templates/list": EVERYBODYS,
  "server/discover": EVERYBODYS,
} as const;

/** Icons of the service for lists of servers. */
export const serverIcons = (base: string) => [
  { src: `${base}/icon.svg`, mimeType: "image/svg+xml", sizes: ["any"] },
  { src: `${base}/icon-192.png`, mimeType: "image/png", sizes: ["192x192"] },
];

/** A server for one request: nothing is kept between requests. */
export function newServer(call: Call): McpServer {
  const { baseUrl } = call.ctx;
  const about = { name: SERVER_NAME, title: SERVER_TITLE, version: SERVER_VERSION, description: SERVER_DESCRIPTION };
  const server = new McpServer(
    { ...about, websiteUrl: baseUrl, icons: serverIcons(baseUrl) },
    {
      capabilities: {
        tools: { listChanged: false },
        resources: { listChanged: false },
        prompts: { listChanged: false },
        completions: {},
        ...(call.showsApp && { extensions: { [APPS_EXTENSION]: {} } }),
      },
      instructions: INSTRUCTIONS,
      supportedProtocolVersions: [...HANDSHAKE_VERSIONS, DIRECT_VERSION],
      cacheHints: CACHE_HINTS,
    },
  );
  // Listed and called below McpServer, which would drop `securitySchemes` and the digits of wide numbers.
  server.server.setRequestHandler("tools/list", () => ({ tools: listedFor(call.tools, call.ctx, call.showsApp) }));
  server.server.setRequestHandler("tools/call", ({ params }, { mcpReq }): Promise<CallToolResult> => {
    const tool = call.tools.find(params.name);
    if (!tool)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `Unknown tool: ${beginning(params.name, 100)}. List the tools with tools/list.`,
      );
    return callTool(tool, mcpReq.id, call);
  });
  addResources(server, call.ctx);
  if (call.showsApp) addResultApp(server);
  addPrompts(server, call.ctx);
  addSkills(server, baseUrl);
  return server;
}
