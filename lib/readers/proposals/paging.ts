import { nextLink } from "@/lib/sources/link-header";
import { pageMembers } from "@/lib/sources/page-members";
import { isTotalName, type StatedTotal, statedTotal, totalText } from "@/lib/sources/stated-total";
import { guessPages, type PagesGuess } from "./page-guesses";

/** How a source seems to be paginated, in the form of a source's `pages`, and the evidence. */
export interface PagingFound {
  pages: Record<string, unknown>;
  why: string;
  /** Requests of the second page that would show which parameters the source takes, as long as that is a guess. */
  guesses?: PagesGuess[];
}

export interface Paged {
  /** The reply's Link header; null if there is none. */
  link: string | null;
  /** The first page's document. */
  document: unknown;
  /** The URL that was requested. */
  url: string;
  /** Records on the first page. */
  items: number;
  /** JSON Pointer of the records. */
  records: string;
  /** What the head of the reply states. */
  stated?: StatedTotal | undefined;
}

interface Member {
  pointer: string;
  name: string;
  value: unknown;
}

const DEPTH_MAX = 2;
const MEMBERS_MAX = 100;
export const NEXT = new Set([
  "next",
  "nextlink",
  "@odata.nextlink",
  "next_page",
  "next_url",
  "nextpageurl",
  "next_page_url",
]);
const CURSOR = new Set(["cursor", "next_cursor", "nextcursor", "nextpagetoken", "next_page_token", "continuation"]);
export const HAS_MORE = new Set(["has_more", "hasmore", "has_next", "hasnext"]);
export const OFFSETS: readonly string[] = ["offset", "skip", "start", "$offset", "$skip"];
export const SIZES: readonly string[] = [
  ...["limit", "per_page", "page_size", "size", "pageSize", "perPage", "pagesize", "$limit", "$top"],
];
const SEND: Readonly<Record<string, string>> = {
  ...{ nextpagetoken: "pageToken", next_page_token: "page_token", continuation: "continuation" },
};

/** How the pages of a query follow each other; undefined without evidence. */
export function findPaging(paged: Paged): PagingFound | undefined {
  const { link, document, url, items } = paged;
  const members = findMembers(document);
  const total = members.find(({ name, value }) => isTotalName(name) && Number(value) >= items);
  const stop = stopOf(members, total);
  if (nextLink(link) !== undefined)
    return { pages: { by: "link_header", ...stop }, why: "a Link header with rel=next" };
  const next = members.find(({ name, value }) => NEXT.has(name.toLowerCase()) && isAddress(value));
  if (next) return { pages: { by: "next_url", path: next.pointer, ...stop }, why: `a URL at ${next.pointer}` };
  const cursor = members.find(({ name, value }) => CURSOR.has(name.toLowerCase()) && isToken(value));
  if (cursor) {
    const query = SEND[cursor.name.toLowerCase()] ?? "cursor";
    const pages = { by: "cursor", path: cursor.pointer, send: { query }, ...stop };
    const guesses = [...new Set([query, cursor.name, "cursor"])].map((name) => ({
      pages: { ...pages, send: { query: name } },
      second: { [name]: String(cursor.value) },
    }));
    return { pages, why: `a cursor at ${cursor.pointer}`, guesses };
  }
  const numbered = byNumbers(new URL(url), stop, { items, total: Number(total?.value ?? items) });
  return numbered ?? byMembers(paged, stop);
}

/** What a reply states, if that is more than its records. */
export function statedMore({ document, records, items, stated: inHead }: Omit<Paged, "link" | "url">) {
  const inBody = statedTotal({ document, records, count: items });
  const stated = inBody && !inBody.hasMore ? inBody : (inHead ?? inBody);
  return stated && !stated.isDoubtful && (stated.hasMore || stated.records > items) ? stated : undefined;
}

/** The URL has no parameters that number pages, but the reply states more records than it has. */
function byMembers(paged: Paged, stop: object): PagingFound | undefined {
  const { document, records, items } = paged;
  const stated = statedMore(paged);
  if (!stated || items === 0) return undefined;
  const guesses = guessPages({ members: pageMembers(document, records), records, items }).map(({ pages, second }) => ({
    pages: { ...pages, ...stop },
    second,
  }));
  const [first] = guesses;
  return first && { pages: first.pages, why: totalText(stated), guesses };
}

interface Counted {
  items: number;
  /** Number of items on all pages according to the reply, or on this page if it does not say. */
  total: number;
}

/** Finds pagination by URL parameters that number pages or records. */
function byNumbers({ searchParams }: URL, stop: object, counted: Counted): PagingFound | undefined {
  const limit = SIZES.find((name) => searchParams.has(name));
  const offset = OFFSETS.find((name) => searchParams.has(name));
  const isFirst = ["0", "1", null].includes(searchParams.get(offset ?? "page"));
  const size = sizeOf(Number(searchParams.get(limit ?? "") ?? Number.NaN), isFirst, counted);
  const sized = { ...(limit !== undefined && limit !== "limit" && { limit }), size, ...stop };
  if (size < 1) return undefined;
  const page = { ...(limit === undefined ? stop : sized), ...(searchParams.get("page") === "0" && { start: 0 }) };
  if (searchParams.has("page"))
    return { pages: { by: "page", ...page }, why: "the parameter page, which pages sets if url does not contain it" };
  const named = { ...(offset !== undefined && offset !== "offset" && { offset }), ...sized };
  if (offset !== undefined || limit !== undefined)
    return { pages: { by: "offset", ...named }, why: `the parameter ${offset ?? limit} of the URL` };
  return undefined;
}

const SIZE_MAX = 10_000;

/** The size requested, or the actual number of records if the source returns fewer on a page that is not its last. */
function sizeOf(requested: number, isFirst: boolean, { items, total }: Counted): number {
  const isCapped = isFirst && items > 0 && items < requested && items < total;
  return !isCapped && Number.isInteger(requested) && requested >= 1 && requested <= SIZE_MAX ? requested : items;
}

function stopOf(members: readonly Member[], total: Member | undefined): object {
  const more = members.find(({ name, value }) => HAS_MORE.has(name.toLowerCase()) && typeof value === "boolean");
  const stop = { ...(total && { total: total.pointer }), ...(more && { has_more: more.pointer }) };
  return Object.keys(stop).length > 0 ? { stop } : {};
}

/** Members of the document, and of objects in it, that are not records. */
export function findMembers(value: unknown, pointer = "", depth = 0): Member[] {
  if (typeof value !== "object" || value === null || Array.isArray(value) || depth > DEPTH_MAX) return [];
  return Object.entries(value)
    .slice(0, MEMBERS_MAX)
    .flatMap(([name, member]) => {
      const at = `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      return [{ pointer: at, name, value: member as unknown }, ...findMembers(member, at, depth + 1)];
    });
}

export const isAddress = (value: unknown): boolean =>
  typeof value === "string" && value.length < 2000 && (/^https?:\/\//.test(value) || value.startsWith("/"));

const isToken = (value: unknown): boolean =>
  (typeof value === "string" && value !== "" && value.length < 500) || (typeof value === "number" && value > 0);
