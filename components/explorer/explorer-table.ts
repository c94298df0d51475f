import { LosslessNumber, parse } from "lossless-json";
import type { Column } from "@/lib/schemas/column";
import type { Route } from "./answer/ask";
import type { SnippetTable } from "./view/view-snippets";

/** A table as its explorer needs it. */
export interface ExplorerTable extends SnippetTable {
  id: string;
  name: string;
  /** Of the version that is explored. */
  rows: number;
  /** The explorer's own address. */
  path: string;
  /** Whose data it is, in words. */
  source: string;
  versionsUrl: string;
  /** Of files that are saved, without ending. */
  fileName: string;
}

/** The most rows of one answer. */
export interface Tiers {
  anonymousRows: number;
  keyRows: number;
}

/** The columns as the schema tells them; numbers of their profiles are LosslessNumber but for those that count. */
export function readColumns(text: string): Column[] {
  return parse(text, undefined, (digits) =>
    /^-?\d{1,15}$/.test(digits) ? Number(digits) : new LosslessNumber(digits),
  ) as Column[];
}

/** Where queries go: in the browser always to the site that the page came from. */
export function routeOf({ id }: ExplorerTable, key: string | undefined): Route {
  return key === undefined
    ? { url: `/api/public/tables/${id}/query` }
    : { url: `/api/v2/public/tables/${id}/query`, key };
}
