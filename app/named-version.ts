import "server-only";
import { readerOf } from "@/lib/access/actor";
import type { Context } from "@/lib/access/context";
import { Failure } from "@/lib/kernel/errors";
import { pageText } from "@/lib/kernel/page-text";
import { locateChosen, locateNamed, locateTable } from "@/lib/operations/reading/locate-table";

/** Why the version that a URL names cannot be read. */
export interface RefusedVersion {
  message: string;
  status: number;
}

/**
 * The id of the table's version that a URL names as requests do, or that was current at `asOf`; without either, or with
 * empty ones, undefined.
 */
export async function namedVersion(
  tableId: string,
  name: string | undefined,
  pointer: `?${string}`,
  ctx: Context,
  asOf?: string | undefined,
): Promise<string | RefusedVersion | undefined> {
  if (!name && !asOf) return undefined;
  try {
    const current = await locateTable(tableId, readerOf(ctx));
    const choice = { version_id: name || undefined, as_of: asOf };
    const located = asOf ? locateChosen(current, choice, "?", ctx.now()) : locateNamed(current, name ?? "", pointer);
    return (await located).versionId;
  } catch (error) {
    if (error instanceof Failure && error.status < 500) return { message: pageText(error), status: error.status };
    throw error;
  }
}
