import { serveDocument } from "@/lib/http/serve-document";
import { openApiDocument } from "@/lib/openapi/document";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveDocument(
  "application/json; charset=utf-8",
  (_path, ctx) => JSON.stringify(openApiDocument(ctx.baseUrl)),
);
