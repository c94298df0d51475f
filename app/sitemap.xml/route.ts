import { sitemapXml } from "@/lib/discovery/sitemap";
import { serveDocument } from "@/lib/http/serve-document";
import { listAllDatasets } from "@/lib/operations/list-all-datasets";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveDocument("application/xml; charset=utf-8", async (_path, ctx) =>
  sitemapXml(await listAllDatasets(ctx), ctx.baseUrl),
);
