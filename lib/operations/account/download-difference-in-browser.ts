import { differenceDownload } from "@/lib/operations/download-difference";
import { tablePathSchema } from "@/lib/operations/reading/locate-table";
import { workspacePathSchema } from "@/lib/schemas/workspace";

const OWN_BROWSER = {
  access: "own_browser",
  base: "/api/account/workspaces/{workspace_id}",
  path: tablePathSchema.extend(workspacePathSchema.shape),
} as const;

/** GET a difference as Parquet from the signed-in person's own browser. */
export const downloadDifferenceInBrowser = differenceDownload({
  ...OWN_BROWSER,
  name: "download_difference_in_browser",
  format: "parquet",
});

/** The same as CSV. */
export const downloadDifferenceCsvInBrowser = differenceDownload({
  ...OWN_BROWSER,
  name: "download_difference_csv_in_browser",
  format: "csv",
});
