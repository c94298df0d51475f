import { serveDocument } from "@/lib/http/serve-document";
import { authorizationServerMetadata } from "@/lib/oauth/server-metadata";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveDocument("application/json", (_path, ctx) =>
  JSON.stringify(authorizationServerMetadata(ctx.baseUrl)),
);
