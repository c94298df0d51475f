import { dcatCatalogue } from "@/lib/describe/dcat";
import { serveDocument } from "@/lib/http/serve-document";
import { listAllDatasets } from "@/lib/operations/list-all-datasets";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveDocument(
  "application/ld+json; charset=utf-8",
  async (_path, ctx) => JSON.stringify(dcatCatalogue(await listAllDatasets(ctx), ctx.baseUrl)),
);
