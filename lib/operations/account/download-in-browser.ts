import { downloadCurrent } from "@/lib/operations/download-current";
import { operation } from "@/lib/operations/operation";
import { tablePathSchema } from "@/lib/operations/reading/locate-table";
import { workspacePathSchema } from "@/lib/schemas/workspace";

/** GET a whole Parquet file from the signed-in person's own browser. */
export const downloadInBrowser = operation({
  name: "download_in_browser",
  summary: "Download a table in your own browser",
  description:
    "The same file as with a use key, for the service's own pages: the session is the credential, the download " +
    "counts against your quota, and the dataset is connected to the workspace. Requests from other sites are " +
    "rejected.",
  access: "own_browser",
  quota: "own",
  http: { method: "GET", path: "/api/account/workspaces/{workspace_id}/tables/{table_id}/current" },
  input: { path: tablePathSchema.extend(workspacePathSchema.shape), query: downloadCurrent.input.query },
  output: downloadCurrent.output,
  errors: downloadCurrent.errors ?? [],
  replyHeaders: downloadCurrent.replyHeaders ?? {},
  locate: ({ table_id }, ctx) => locateFile({ table_id }, ctx),
  run: (input, ctx) => downloadCurrent.run(input, ctx),
  reply: (answer, ctx) => reply(answer, ctx),
});

const { locate: locateFile, reply } = downloadCurrent as Required<typeof downloadCurrent>;
