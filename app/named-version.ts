import "server-only";
import { workspaceOf } from "@/lib/access/actor";
import type { Context } from "@/lib/access/context";
import { Failure } from "@/lib/kernel/errors";
import { pageText } from "@/lib/kernel/page-text";
import { locateNamed, locateTable } from "@/lib/operations/reading/locate-table";

/** Why the version that a URL names cannot be read. */
export interface RefusedVersion {
  message: string;
  status: number;
}

/** The id of the table's version that a URL names as requests do; without a name, or with an empty one, undefined. */
export async function namedVersion(
  tableId: string,
  name: string | undefined,
  pointer: `?${string}`,
  ctx: Context,
): Promise<string | RefusedVersion | undefined> {
  if (!name) return undefined;
  try {
    return (await locateNamed(await locateTable(tableId, workspaceOf(ctx)), name, pointer)).versionId;
  } catch (error) {
    if (error instanceof Failure && error.status < 500) return { message: pageText(error), status: error.status };
    throw error;
  }
}
