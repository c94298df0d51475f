import { type CallToolResult, McpServer, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { type Skill, type SkillSource, SkillsExtension, skillEntry } from "@modelcontextprotocol/server/ext/skills";
import { skillTexts } from "@/lib/describe/agent-skill";
import { beginning } from "@/lib/operations/views/beginning";
import packageJson from "@/package.json" with { type: "json" };
import { callTool } from "./call-tool";
import type { Call } from "./connector-call";
import { INSTRUCTIONS } from "./instructions";
import { addPrompts } from "./prompts";
import { DIRECT_VERSION, HANDSHAKE_VERSIONS } from "./protocol-versions";
import { addResources } from "./resources";
import { APPS_EXTENSION, addResultApp } from "./result-app";
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
  server.server.setRequestHandler("tools/list", () => ({ tools: listedFor(call.tools, call.ctx, call) }));
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

const FILE = "SKILL.md";

const CACHE_HINT = { ttlMs: 3_600_000, cacheScope: "public" } as const;

/** The skills of /.well-known/agent-skills through the connector, with the same bytes and digests. */
const addSkills = (server: McpServer, base: string): void =>
  new SkillsExtension({ source: sourceOf(base), cacheHint: CACHE_HINT, strict: true }).attach(server);

function sourceOf(base: string): SkillSource {
  const skills = skillTexts(base);
  const find = (uri: string) => skills.find(({ name }) => uriOf(name) === uri);
  const entry = ({ name, text }: (typeof skills)[number]): Promise<Skill> => skillEntry(name, { [FILE]: text });
  return {
    list: async () => ({ skills: await Promise.all(skills.map(entry)) }),
    get: async (uri) => {
      const found = find(uri);
      return found && entry(found);
    },
    read: async (uri) => {
      const found = find(uri);
      return found && { text: found.text, mimeType: "text/markdown" };
    },
    listResources: async () =>
      skills.map(({ name, description }) => ({ uri: uriOf(name), name, description, mimeType: "text/markdown" })),
  };
}

const uriOf = (name: string): string => `skill://${name}/${FILE}`;
