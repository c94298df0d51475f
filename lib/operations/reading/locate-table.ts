import { z } from "zod";
import { VERSION_TWICE } from "@/lib/engine/grammar/version-choice";
import { fail, failWith } from "@/lib/kernel/errors";
import { withoutEnd } from "@/lib/kernel/trim-signs";
import { isUuid } from "@/lib/kernel/uuid";
import type { Reader } from "@/lib/store/datasets/readable";
import { findTableVersion, type TableVersion } from "@/lib/store/datasets/tables";
import { listVersionNames } from "@/lib/store/datasets/version-names";
import { type Pointer, unknownVersion, versionAsOf, versionNamed } from "./resolve-version";

export const tablePathSchema = z.strictObject({ table_id: z.string().describe("The table's UUID.") });

/**
 * The current version of a table that the caller may read. Unknown, private, foreign and withdrawn tables all fail with
 * not_found, after a single lookup, and a public one outside the scope of the reader's key with insufficient_scope.
 * `reader` is undefined for anonymous callers; `under` is the generation whose facts may come from memory.
 */
export async function locateTable(tableId: string, reader: Reader | undefined, under?: string): Promise<TableVersion> {
  const version = isUuid(tableId) ? await findTableVersion(tableId, { reader, under }) : undefined;
  if (!version) throw fail("not_found");
  return version;
}

/** An older version of a located table. Fails with not_found and what exists, or version_withdrawn. */
export async function locateVersion(
  current: TableVersion,
  versionId: string | undefined,
  { under, pointer }: { under?: string | undefined; pointer?: Pointer } = {},
): Promise<TableVersion> {
  if (!versionId || versionId === current.versionId) return current; // the current version is never a withdrawn one
  const version = await findSibling(current, versionId, under);
  if (!version) throw unknownVersion(await namesIn(current), versionId, pointer);
  rejectWithdrawn(version);
  return version;
}

/** A version as a request names it: at most one of the two; if neither, the current version. */
export interface VersionChoice {
  /** UUID, label or number. */
  version_id?: string | undefined;
  as_of?: string | undefined;
}

/**
 * The version of a located table that a request chose. `prefix` is where its members are: `/` for a body, `?` for a
 * query string. Rejects with not_found (and similar names), invalid_request, invalid_value, or version_withdrawn.
 */
export async function locateChosen(
  current: TableVersion,
  choice: VersionChoice,
  prefix: "/" | "?",
  now: Date,
): Promise<TableVersion> {
  const pointer: Pointer = `${prefix}version_id`;
  return locateVersion(current, await chosenId(current, choice, prefix, now), { pointer });
}

/** A version of a located table by its UUID, label or number. */
export const locateNamed = async (current: TableVersion, name: string, pointer: Pointer): Promise<TableVersion> =>
  locateVersion(current, await idNamed(current, name, pointer), { pointer });

/** The id of the version that a request chose; undefined for the current one. */
export async function chosenId(
  current: TableVersion,
  { version_id: name, as_of: asOf }: VersionChoice,
  prefix: `/${string}` | "?",
  now: Date,
): Promise<string | undefined> {
  if (name !== undefined && asOf !== undefined)
    throw failWith([{ pointer: `${prefix}as_of`, code: "invalid_request", message: VERSION_TWICE }]);
  if (name !== undefined) return idNamed(current, name, `${prefix}version_id`);
  return asOf === undefined ? undefined : versionAsOf(await namesIn(current), asOf, `${prefix}as_of`, now).versionId;
}

/** A UUID is looked up only when the version is read. */
const idNamed = async (current: TableVersion, name: string, pointer: Pointer): Promise<string> =>
  isUuid(name) ? name.toLowerCase() : versionNamed(await namesIn(current), name, pointer).versionId;

const namesIn = ({ tableId }: TableVersion) => listVersionNames({ tableId });

/** Rejects a withdrawn version, with the reason. */
export function rejectWithdrawn({
  withdrawnAt,
  withdrawnReason,
}: Pick<TableVersion, "withdrawnAt" | "withdrawnReason">): void {
  if (!withdrawnAt) return;
  const why = withdrawnReason ? `: ${withoutEnd(withdrawnReason.trim(), ". \n")}` : "";
  throw fail("version_withdrawn", { message: `This version was withdrawn${why}. Read the current version.` });
}

/** A version of the same table, for a caller who may read it: only its owner, unless it is public. */
export const findSibling = (
  { tableId, workspaceId }: TableVersion,
  versionId: string,
  under?: string,
): Promise<TableVersion | undefined> =>
  findTableVersion(tableId, { reader: workspaceId === null ? undefined : { workspaceId }, versionId, under });
