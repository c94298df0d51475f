/**
 * Who may read a dataset `d`, as an SQL condition: everyone a public one, its own workspace a private one, nobody a
 * withdrawn one.
 * `reader` is the parameter that holds the reader's workspace; NULL for the anonymous, whom no private dataset is equal
 * to.
 */
export const readableBy = (reader: `$${number}`): string =>
  `(d.visibility = 'public' OR (d.visibility = 'private' AND d."workspaceId" = ${reader}::uuid))`;
