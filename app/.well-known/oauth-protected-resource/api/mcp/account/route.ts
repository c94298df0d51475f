import { protectedResourceMetadata } from "@/lib/auth/oauth/server-metadata";
import { serveDocument } from "@/lib/http/serve-document";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveDocument("application/json", (_path, ctx) =>
  JSON.stringify(protectedResourceMetadata(ctx.baseUrl, "/api/mcp/account")),
);
