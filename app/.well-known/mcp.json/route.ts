import { serveDocument } from "@/lib/http/serve-document";
import { connectorDescriptor } from "@/lib/mcp/server-card";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveDocument(
  "application/json; charset=utf-8",
  (_path, ctx) => JSON.stringify(connectorDescriptor(ctx.baseUrl)),
);
