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

/** The same condition for a dataset in memory. */
export const isReadableBy = (
  { visibility, workspaceId }: { visibility: string; workspaceId: string | null },
  reader: string | undefined,
): boolean => visibility === "public" || (visibility === "private" && reader !== undefined && workspaceId === reader);
