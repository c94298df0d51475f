/** Who reads what: a workspace's private tables can be read only with its own use keys. */
export const READERS = ["anonymous", "use key", "live key", "device", "bearer", "owner"] as const;

/** A route that reads a table. */
export interface ReadRoute {
  name: string;
  method: "GET" | "POST";
  path: (id: string) => string;
  body?: object;
  takesKey?: true;
  ignoresKey?: true;
}

const body = { columns: [], group_by: [], aggregates: [{ function: "count", as: "n" }] };

export const READ_ROUTES: readonly ReadRoute[] = [
  { name: "schema", method: "GET", path: (id) => `/api/v2/public/tables/${id}/schema` },
  { name: "preview", method: "GET", path: (id) => `/api/v2/public/tables/${id}/preview` },
  { name: "a row", method: "GET", path: (id) => `/api/v2/public/tables/${id}/rows/1` },
  { name: "versions", method: "GET", path: (id) => `/api/v2/public/tables/${id}/versions` },
  {
    name: "query without a key",
    method: "POST",
    path: (id) => `/api/public/tables/${id}/query`,
    body,
    ignoresKey: true,
  },
  { name: "query", method: "POST", path: (id) => `/api/v2/public/tables/${id}/query`, body, takesKey: true },
  { name: "current", method: "GET", path: (id) => `/api/v2/public/tables/${id}/current`, takesKey: true },
];

/** The status for a table that is `public`, `of the workspace`, or of another kind that is as if it did not exist. */
export function readStatus({ takesKey, ignoresKey }: ReadRoute, reader: (typeof READERS)[number], kind: string) {
  if (takesKey && reader !== "use key") return 401;
  if (kind === "public") return 200;
  return kind === "of the workspace" && reader === "use key" && !ignoresKey ? 200 : 404;
}
