import { nextLink } from "@/lib/sources/link-header";
import { isPagesName, isTotalName } from "@/lib/sources/stated-total";
import { findMembers, HAS_MORE, isAddress, NEXT, OFFSETS, SIZES } from "./paging";

/** A reply without records that indicates that there are records: its query needs pagination parameters. */
export interface EmptyPage {
  /** What in the reply indicates this, for people. */
  why: string;
  /** Names of such parameters that are members of the reply. */
  named: string[];
}

/** Undefined if nothing indicates records, or if the document has no empty list. */
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
  if (isTotalName(name) || isPagesName(name)) return typeof value === "number" && value > 0;
  return HAS_MORE.has(name) ? value === true : NEXT.has(name) && isAddress(value);
}

const shown = (value: unknown): string => (typeof value === "string" ? "a URL" : String(value));
