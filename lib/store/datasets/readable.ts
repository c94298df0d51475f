import { fail } from "@/lib/kernel/errors";
import { lookUp } from "@/lib/store/postgres/database";

/** Who reads: a workspace, which may read its own private datasets. */
export interface Reader {
  workspaceId: string;
  /** The only datasets that the reader's key may read, if it is limited to some. */
  datasetIds?: readonly string[];
}

/**
 * An SQL condition for who may read a dataset `d`: everybody a public one, only its own workspace a private one, nobody
 * a withdrawn one. `reader` is the parameter with the reader's workspace, NULL for anonymous readers, whom no private
 * dataset matches.
 */
export const readableBy = (reader: `$${number}`): string =>
  `(d.visibility = 'public' OR (d.visibility = 'private' AND d."workspaceId" = ${reader}::uuid))`;

/**
 * The same condition for a person, who reads the private datasets of every workspace that they belong to. `person` is
 * the parameter with their id, NULL for anonymous readers.
 */
export const readableByPerson = (person: `$${number}`): string =>
  `(d.visibility = 'public' OR (d.visibility = 'private' AND EXISTS (SELECT 1 FROM "Membership" m
    WHERE m."workspaceId" = d."workspaceId" AND m."userId" = ${person}::uuid)))`;

/**
 * The same condition for a watch `w`: its workspace may read the dataset, and the person who created the watch still
 * belongs to the workspace.
 */
export const READABLE_BY_WATCH = `((d.visibility = 'public'
  OR (d.visibility = 'private' AND d."workspaceId" = w."workspaceId"))
  AND EXISTS (SELECT 1 FROM "Membership" m JOIN "User" u ON u.id = m."userId" AND u."disabledAt" IS NULL
    WHERE m."workspaceId" = w."workspaceId" AND m."userId" = w."userId"))`;

/**
 * An SQL condition for a list of version ids: a watch `w` may read the datasets of all of them, and none is withdrawn.
 */
export const versionsReadableByWatch = (ids: string): string =>
  `NOT EXISTS (SELECT 1 FROM unnest(${ids}) x(id) LEFT JOIN "Version" v ON v.id = x.id
    LEFT JOIN "Table" t ON t.id = v."tableId" LEFT JOIN "Dataset" d ON d.id = t."datasetId"
    WHERE d.id IS NULL OR v."withdrawnAt" IS NOT NULL OR NOT ${READABLE_BY_WATCH})`;

/** The same condition for a dataset in memory. */
export const isReadableBy = (
  { visibility, workspaceId }: { visibility: string; workspaceId: string | null },
  reader: Reader | undefined,
): boolean => visibility === "public" || (visibility === "private" && reader?.workspaceId === workspaceId);

/**
 * Whether a dataset that the reader's workspace may read is among those that its key is limited to. Fails with
 * insufficient_scope for a public one that is not, since its existence is no secret.
 */
export function isWithinScope(
  { datasetId, datasetSlug, visibility }: { datasetId: string; datasetSlug: string; visibility: string },
  reader: Reader | undefined,
): boolean {
  if (!reader?.datasetIds || reader.datasetIds.includes(datasetId)) return true;
  if (visibility !== "public") return false;
  throw fail("insufficient_scope", {
    message: `This key is limited to other datasets. Use one for ${datasetSlug}, or none where none is needed.`,
  });
}

const NAMED = `SELECT d.id, d.slug FROM "Dataset" d WHERE ${readableBy("$1")} AND`;

/** The datasets that a workspace may read, published or not, with one of these slugs. */
export const datasetsNamed = (slugs: readonly string[], workspaceId: string): Promise<{ id: string; slug: string }[]> =>
  lookUp("datasets-named", `${NAMED} d.slug = ANY($2)`, [workspaceId, slugs]);

/** The same with one of these ids. */
export const datasetsWithIds = (ids: readonly string[], workspaceId: string): Promise<{ id: string; slug: string }[]> =>
  lookUp("datasets-with-ids", `${NAMED} d.id = ANY($2::uuid[])`, [workspaceId, ids]);
