import { z } from "zod";
import { fail } from "@/lib/kernel/errors";
import { withoutEnd } from "@/lib/kernel/trim-signs";
import { isUuid } from "@/lib/kernel/uuid";
import { findTableVersion, type TableVersion } from "@/lib/store/tables";

export const tablePathSchema = z.strictObject({ table_id: z.string().describe("The table's UUID.") });

/**
 * The current version of a table that the caller may read. Unknown, private, foreign and withdrawn tables all answer
 * not_found,
 * from one look-up. `workspaceId` is the caller's, or undefined for the anonymous.
 */
export async function locateTable(tableId: string, workspaceId: string | undefined): Promise<TableVersion> {
  const version = isUuid(tableId) ? await findTableVersion(tableId, { workspaceId }) : undefined;
  if (!version) throw fail("not_found");
  return version;
}

/** An older version of a located table. Refuses with not_found, or version_withdrawn. */
export async function locateVersion(current: TableVersion, versionId: string | undefined): Promise<TableVersion> {
  if (!versionId || versionId === current.versionId) return current; // the current version is never a withdrawn one
  const version = isUuid(versionId) ? await findSibling(current, versionId) : undefined;
  if (!version)
    throw fail("not_found", { message: "Unknown version for this table. List its versions with GET …/versions." });
  refuseWithdrawn(version);
  return version;
}

/** Refuses a version that was withdrawn and tells why. */
export function refuseWithdrawn({ withdrawnAt, withdrawnReason }: TableVersion): void {
  if (!withdrawnAt) return;
  const why = withdrawnReason ? `: ${withoutEnd(withdrawnReason.trim(), ". \n")}` : "";
  throw fail("version_withdrawn", { message: `This version was withdrawn${why}. Read the current version.` });
}

/** A version of the same table, for a caller who was found to be allowed to read it: its owner, unless it is public. */
export const findSibling = (
  { tableId, workspaceId }: TableVersion,
  versionId: string,
): Promise<TableVersion | undefined> => findTableVersion(tableId, { workspaceId: workspaceId ?? undefined, versionId });
