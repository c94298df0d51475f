import type { z } from "zod";
import { workspacePathSchema } from "@/lib/schemas/workspace";
import { archiveDataset } from "./archive-dataset";
import { downloadCurrent } from "./download-current";
import { downloadDifference, downloadDifferenceCsv } from "./download-difference";
import { getSchema } from "./get-schema";
import { type AnyOperation, isRouted } from "./operation";
import { profileTableRows } from "./profile-rows";
import { queryChanges } from "./query-changes";
import { queryTable } from "./query-table";

const BASE = "/api/v2/public";
const OWN_BASE = "/api/account/workspaces/{workspace_id}";

/**
 * An operation of use keys for the signed-in person's own browser: the session is the credential, the quota is the
 * person's, and a dataset that is read is connected to the workspace in the path.
 */
function inOwnBrowser(
  { mcp: _mcp, cli: _cli, ...op }: AnyOperation,
  { name, summary = `${op.summary} in your own browser` }: { name: string; summary?: string },
): AnyOperation {
  if (!isRouted(op)) throw new Error(`${op.name} has no route`);
  return {
    ...op,
    name,
    summary,
    description:
      `${op.description} This route is for the service's own pages: the session is the credential, the quota is ` +
      "yours, and the dataset is connected to the workspace. Requests from other sites are rejected.",
    access: "own_browser",
    http: { ...op.http, path: op.http.path.replace(BASE, OWN_BASE) },
    input: { ...op.input, path: (op.input.path as z.ZodObject).extend(workspacePathSchema.shape) },
  };
}

/** POST a query from the signed-in person's own browser: the pages of a use key. */
export const queryTableInBrowser = inOwnBrowser(queryTable, {
  name: "query_table_in_browser",
  summary: "Query a table in your own browser",
});

/** GET a table's schema from the signed-in person's own browser. */
export const getSchemaInBrowser = inOwnBrowser(getSchema, { name: "get_schema_in_browser" });

/** GET the changes between two versions from the signed-in person's own browser. */
export const queryChangesInBrowser = inOwnBrowser(queryChanges, { name: "query_changes_in_browser" });

/** POST what a profile is to be counted over from the signed-in person's own browser. */
export const profileRowsInBrowser = inOwnBrowser(profileTableRows, { name: "profile_rows_in_browser" });

/** GET a whole Parquet file from the signed-in person's own browser. */
export const downloadInBrowser = inOwnBrowser(downloadCurrent, { name: "download_in_browser" });

/** GET a dataset's archive from the signed-in person's own browser. */
export const archiveInBrowser = inOwnBrowser(archiveDataset, { name: "archive_dataset_in_browser" });

/** GET a difference as Parquet from the signed-in person's own browser. */
export const downloadDifferenceInBrowser = inOwnBrowser(downloadDifference, { name: "download_difference_in_browser" });

/** The same as CSV. */
export const downloadDifferenceCsvInBrowser = inOwnBrowser(downloadDifferenceCsv, {
  name: "download_difference_csv_in_browser",
});
