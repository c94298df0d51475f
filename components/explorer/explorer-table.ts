import { browserTable } from "@/lib/describe/links";
import type { Column } from "@/lib/schemas/column";
import type { Route } from "./answer/ask";
import type { RowFileFormat } from "./answer/download-all";
import type { DownloadFormat } from "./answer/download-page";
import { readDigits } from "./answer/reply-text";
import type { SiblingTable } from "./filters/lookup-draft";
import type { OwnSession } from "./use-session";
import type { NamedVersion } from "./version-menu";
import type { SnippetTable } from "./view/view-snippets";

interface TableFacts {
  id: string;
  name: string;
  /** Of the version that is explored. */
  rows: number;
  /** The explorer's path. */
  path: string;
  /** The publisher's name. */
  source: string;
  /** Base name of saved files, without extension. */
  fileName: string;
  /** The workspace whose members alone may see it; undefined for a public table. */
  owner: { id: string; name: string } | undefined;
}

/** What a table has whose rows are of a version: others of it, files and code. */
export interface PublishedTable extends SnippetTable {
  /** The dataset's slug, and its other tables. */
  dataset: string;
  siblings: readonly SiblingTable[];
  /** Its versions, newest first, and the id of the one that is explored. */
  versions: readonly NamedVersion[];
  explored: string;
  /** The page of all versions, below which each has its own. */
  versionsUrl: string;
  /** Formats in which a page of a view can be saved, and those for all of its rows. */
  formats: readonly DownloadFormat[];
  rowFiles: readonly RowFileFormat[];
  /** Why the whole table cannot be downloaded, if it cannot. */
  tooLarge: string | undefined;
}

/** A table as its explorer needs it: a version's, or what a run made, which members query by a route of its own. */
export type ExplorerTable = TableFacts &
  ({ published: PublishedTable; runQueryUrl?: undefined } | { published?: undefined; runQueryUrl: string });

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
