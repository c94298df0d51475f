/**
 * An SQL condition for who may read a dataset `d`: everybody a public one, only its own workspace a private one, nobody
 * a withdrawn one. `reader` is the parameter with the reader's workspace, NULL for anonymous readers, whom no private
 * dataset matches.
 */
export const readableBy = (reader: `$${number}`): string =>
  `(d.visibility = 'public' OR (d.visibility = 'private' AND d."workspaceId" = ${reader}::uuid))`;

/** The same condition for a dataset in memory. */
export const isReadableBy = (
  { visibility, workspaceId }: { visibility: string; workspaceId: string | null },
  reader: string | undefined,
): boolean => visibility === "public" || (visibility === "private" && reader !== undefined && workspaceId === reader);
