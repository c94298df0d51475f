import { nextLink } from "@/lib/sources/link-header";
import { findMembers, HAS_MORE, isAddress, NEXT, OFFSETS, SIZES, TOTAL } from "./paging";

/** A reply without records that tells of records: what it needs are parameters of pages. */
export interface EmptyPage {
  /** What of the reply tells so, for people. */
  why: string;
  /** Names of such parameters that the reply has among its members. */
  named: string[];
}

const PAGES = new Set(["pages", "total_pages", "totalpages", "page_count", "pagecount", "last_page", "lastpage"]);

/** Undefined where nothing tells of records, or nothing of the document is an empty list. */
export function findEmptyPage(document: unknown, empty: readonly string[], link: string | null): EmptyPage | undefined {
  const [list] = empty;
  if (list === undefined) return undefined;
  const members = findMembers(document);
  const named = members
    .map(({ name }) => name)
    .filter((name) => name === "page" || OFFSETS.includes(name) || SIZES.includes(name));
  const hint = members.find(({ name, value }) => tellsOfRecords(name.toLowerCase(), value));
  if (!hint && nextLink(link) === undefined) return undefined;
  const why = hint ? `${JSON.stringify(hint.pointer)} is ${shown(hint.value)}` : "a Link header names a next page";
  return { why: `${JSON.stringify(list)} is empty, although ${why}`, named: [...new Set(named)] };
}

function tellsOfRecords(name: string, value: unknown): boolean {
  if (TOTAL.has(name) || PAGES.has(name)) return typeof value === "number" && value > 0;
  return HAS_MORE.has(name) ? value === true : NEXT.has(name) && isAddress(value);
}

const shown = (value: unknown): string => (typeof value === "string" ? "an address" : String(value));
