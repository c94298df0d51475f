import { datasetMarkdown } from "@/lib/describe/dataset-markdown";
import { serveDocument } from "@/lib/http/serve-document";
import { execute } from "@/lib/operations/execute";
import { getDataset } from "@/lib/operations/get-dataset";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveDocument(
  "text/markdown; charset=utf-8",
  async (path, ctx) => datasetMarkdown(await execute(getDataset, { path: getDataset.input.path.parse(path) }, ctx)),
);
