import { serveDocument } from "@/lib/http/serve-document";
import { serverCard } from "@/lib/mcp/server-card";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveDocument(
  "application/mcp-server-card+json",
  (_path, ctx) => JSON.stringify(serverCard(ctx.baseUrl)),
);
