import { formatCount } from "@/lib/kernel/format";
import { keyOf } from "@/lib/sources/page-members";
import { type StatedTotal, totalText } from "@/lib/sources/stated-total";
import { SandboxFailure } from "./events";

/** How a source without `pages` is compared with what it states about its number of records. */
export interface Comparing {
  /** Whether the request has parameters that number pages or records. */
  isPage: boolean;
  /** Whether its parts may be pages of one query: listed URLs, or a template that counts. */
  isOneQuery: boolean;
}

/** A part, and what it states. */
export interface StatedPart {
  rows: number;
  stated: StatedTotal | undefined;
}

/** The parts of a recipe's source that matter here. */
interface Described {
  kind?: string;
  url?: string;
  urls?: readonly string[];
  query?: Readonly<Record<string, string>>;
  template?: { partition?: { by?: string } };
  pages?: unknown;
  stated_total?: string;
}

const PAGE_PARAMETERS = new Set([
  ...["limit", "offset", "page", "perpage", "pagesize", "rows", "start", "skip", "top", "size", "from", "cursor"],
]);

/** Undefined if nothing is compared: pages are compared where they are read. */
export function comparingOf(source: Described | undefined): Comparing | undefined {
  if (!source || source.kind === "table" || source.stated_total === "ignore" || source.pages !== undefined)
    return undefined;
  const { url, urls = [], query = {}, template } = source;
  const inUrls = [url ?? [], urls].flat().flatMap((each) => [...new URL(each).searchParams.keys()]);
  const isPage = [...inUrls, ...Object.keys(query)].some((name) => PAGE_PARAMETERS.has(keyOf(name)));
  const by = template?.partition?.by;
  return { isPage, isOneQuery: urls.length > 1 || by === "number" || by === "list" };
}

/**
 * Throws pages_incomplete if parts have fewer rows than the source states. Parts that state the same total are pages of
 * one query, so their rows are added. Returns remarks about members that may be a total.
 */
export function compareStated(parts: readonly StatedPart[], { isOneQuery }: Comparing): string[] {
  const remarks: string[] = [];
  for (const [at, { rows, stated }] of parts.entries()) {
    if (!stated || !isShort(parts, at, isOneQuery)) continue;
    const place = parts.length > 1 ? `Part ${at + 1} has` : "There are";
    const read = `${place} ${formatCount(rows)} records, but the source states ${totalText(stated)}.`;
    if (!stated.isDoubtful) throw new SandboxFailure("pages_incomplete", `${read} ${ADVICE}`, { part: at });
    remarks.push(`${read} Check whether rows are missing.`);
  }
  return remarks;
}

const ADVICE =
  "Read all pages with the source's pages (an inspection proposes them). If this counts something else, or one page " +
  "is enough, set the source's stated_total to ignore.";

function isShort(parts: readonly StatedPart[], at: number, isOneQuery: boolean): boolean {
  const { rows, stated } = parts[at] ?? { rows: 0 };
  if (!stated) return false;
  if (stated.pages !== undefined)
    return parts.filter((part) => part.stated?.pages === stated.pages).length < stated.pages;
  if (stated.hasMore) return !isOneQuery || at === parts.length - 1;
  if (rows >= stated.records) return false;
  const same = parts.filter((part) => part.stated?.records === stated.records && part.rows < stated.records);
  return same.reduce((sum, part) => sum + part.rows, 0) < stated.records;
}
