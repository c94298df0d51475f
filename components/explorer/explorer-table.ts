import { browserTable } from "@/lib/describe/links";
import type { Column } from "@/lib/schemas/column";
import type { Route } from "./answer/ask";
import { readDigits } from "./answer/reply-text";
import type { OwnSession } from "./use-session";
import type { SnippetTable } from "./view/view-snippets";

/** A table as its explorer needs it. */
export interface ExplorerTable extends SnippetTable {
  id: string;
  name: string;
  /** Of the version that is explored. */
  rows: number;
  /** The explorer's path. */
  path: string;
  /** The publisher's name. */
  source: string;
  versionsUrl: string;
  /** Base name of saved files, without extension. */
  fileName: string;
  /** Why the whole table cannot be downloaded, if it cannot. */
  tooLarge: string | undefined;
  /** The workspace whose members alone may see it; undefined for a public table. */
  owner: { id: string; name: string } | undefined;
  /**
   * Where the rows of a run are queried, in the session of a member: they are not published, so they have no versions,
   * citations, files or code.
   */
  runQueryUrl?: string;
}

/** What a table has for versions and programs, for the rows of a run, which have none. */
export const UNPUBLISHED = {
  ...{ queryUrl: "", anonymousUrl: "", currentUrl: "", versionsUrl: "" },
  tooLarge: undefined,
} as const;

/** The maximum number of rows per answer. */
export interface Tiers {
  anonymousRows: number;
  keyRows: number;
}

/** The columns from the schema; numbers of their profiles are LosslessNumber, except counts. */
export const readColumns = (text: string): Column[] => readDigits(text) as Column[];

/**
 * Where a chart's queries go. Without a credential, they go to a route that returns as many rows as a chart has marks.
 */
export function chartRouteOf(table: ExplorerTable, key: string | undefined, session?: OwnSession): Route {
  if (key !== undefined || session !== undefined) return routeOf(table, key, session);
  return { url: `/api/public/tables/${table.id}/chart` };
}

/** The file of all rows of a query, in the session of a signed-in person. */
export const rowsUrl = (table: ExplorerTable, session: OwnSession, query: string, extension: string): string =>
  `${browserTable("", session.workspaceId, table.id, `rows.${extension}`)}?${new URLSearchParams({ query })}`;

/** Where queries, or profiles of rows, are asked for. In the browser, that is always the page's own origin. */
export function routeOf(
  { id, runQueryUrl }: ExplorerTable,
  key: string | undefined,
  session?: OwnSession,
  what: "query" | "profile" = "query",
): Route {
  if (runQueryUrl !== undefined) return { url: runQueryUrl, isOwn: true };
  if (key !== undefined) return { url: `/api/v2/public/tables/${id}/${what}`, key };
  if (session === undefined) return { url: `/api/public/tables/${id}/${what}` };
  return { url: browserTable("", session.workspaceId, id, what), isOwn: true };
}
