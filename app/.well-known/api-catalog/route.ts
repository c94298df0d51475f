import { API_CATALOG_MEDIA, apiCatalog } from "@/lib/describe/api-catalog";
import { serveDocument } from "@/lib/http/serve-document";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveDocument(API_CATALOG_MEDIA, (_path, ctx) =>
  JSON.stringify(apiCatalog(ctx.baseUrl)),
);
