import { catalogueMarkdown } from "@/lib/describe/dataset-markdown";
import { serveDocument } from "@/lib/http/serve-document";
import { listAllDatasets } from "@/lib/operations/list-all-datasets";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveDocument(
  "text/plain; charset=utf-8",
  async (_path, ctx) => catalogueMarkdown(await listAllDatasets(ctx), ctx.baseUrl),
);
