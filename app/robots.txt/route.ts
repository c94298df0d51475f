import { robotsTxt } from "@/lib/describe/sitemap";
import { serveDocument } from "@/lib/http/serve-document";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveDocument(
  "text/plain; charset=utf-8",
  (_path, ctx) => robotsTxt(ctx.baseUrl),
);
