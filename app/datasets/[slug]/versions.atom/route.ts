import { versionsFeed } from "@/lib/describe/versions-feed";
import { serveDocument } from "@/lib/http/serve-document";
import { execute } from "@/lib/operations/execute";
import { getDataset } from "@/lib/operations/get-dataset";
import { listVersions } from "@/lib/operations/list-versions";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveDocument(
  "application/atom+xml; charset=utf-8",
  async (path, ctx) => {
    const dataset = await execute(getDataset, { path: getDataset.input.path.parse(path) }, ctx);
    const histories = dataset.tables.map(({ tableId }) => execute(listVersions, { path: { table_id: tableId } }, ctx));
    return versionsFeed(dataset, await Promise.all(histories), ctx.baseUrl);
  },
);
