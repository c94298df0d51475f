import { archiveDownload } from "@/lib/operations/archive-dataset";
import { slugPathSchema } from "@/lib/operations/get-dataset";
import { workspacePathSchema } from "@/lib/schemas/workspace";

/** GET a dataset's archive from the signed-in person's own browser. */
export const archiveInBrowser = archiveDownload({
  name: "archive_dataset_in_browser",
  access: "own_browser",
  base: "/api/account/workspaces/{workspace_id}",
  path: slugPathSchema.extend(workspacePathSchema.shape),
});
