import { type CallToolResult, McpServer, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { buildGuide } from "@/lib/describe/build-guide";
import { REFERENCE_URI, recipeReference } from "@/lib/describe/recipe-reference";
import { beginning } from "@/lib/operations/views/beginning";
import packageJson from "@/package.json" with { type: "json" };
import { callTool } from "./call-tool";
import type { Call } from "./connector-call";
import { GUIDE_URI, INSTRUCTIONS, UPDATED_URI } from "./instructions";
import { DIRECT_VERSION, HANDSHAKE_VERSIONS } from "./protocol-versions";
import { listedFor } from "./tools";
import { updatedText } from "./updated";

export const SERVER_NAME = "parquetry";
export const SERVER_TITLE = "Parquetry";
export const SERVER_VERSION = packageJson.version;

/** A server for one request: nothing is kept between requests. */
export function newServer(call: Call): McpServer {
  const server = new McpServer(
    { name: SERVER_NAME, title: SERVER_TITLE, version: SERVER_VERSION, websiteUrl: call.ctx.baseUrl },
    {
      capabilities: { tools: { listChanged: false }, resources: { listChanged: false } },
      instructions: INSTRUCTIONS,
      supportedProtocolVersions: [...HANDSHAKE_VERSIONS, DIRECT_VERSION],
    },
  );
  // Listed and called below McpServer, which would drop `securitySchemes` and the digits of wide numbers.
  server.server.setRequestHandler("tools/list", () => ({ tools: listedFor(call.tools, call.ctx) }));
  server.server.setRequestHandler("tools/call", ({ params }, { mcpReq }): Promise<CallToolResult> => {
    const tool = call.tools.find(params.name);
    if (!tool)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `Unknown tool: ${beginning(params.name, 100)}. List the tools with tools/list.`,
      );
    return callTool(tool, call.argumentsOf(mcpReq.id), call);
  });
  const guide = {
    title: "Build guide",
    description: "How to build a dataset: the calls, the recipe, an example.",
    mimeType: "text/markdown",
  };
  server.registerResource("build-guide", GUIDE_URI, guide, (uri) => ({
    contents: [{ uri: uri.href, mimeType: guide.mimeType, text: buildGuide(call.ctx.baseUrl) }],
  }));
  const updated = {
    title: "Updated",
    description: "The newest releases, and tables that went stale or recovered: read it again to hear of more.",
    mimeType: "application/json",
  };
  server.registerResource("updated", UPDATED_URI, updated, async (uri) => ({
    contents: [{ uri: uri.href, mimeType: updated.mimeType, text: await updatedText(call.ctx) }],
  }));
  const reference = { ...guide, title: "Recipe reference", description: "Every key of a recipe, with examples." };
  server.registerResource("recipe-reference", REFERENCE_URI, reference, (uri) => ({
    contents: [{ uri: uri.href, mimeType: guide.mimeType, text: recipeReference() }],
  }));
  return server;
}
